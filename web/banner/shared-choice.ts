import type { Choice, ConsentAction, VendorChoice } from './wire.ts';

/** What a choice says. */
export interface Word extends VendorChoice {
  consent_action: ConsentAction;
  categories_accepted: string[];
  categories_rejected: string[];
}

/** The latest choice of a signed-in person, as `POST /consent/subject` answers. */
export interface SharedChoice extends Word {
  config_version: number;
  /** The language of the texts that the person saw. */
  language: string | null;
  /** In seconds, by the clock of the server. */
  age: number;
  /** Whether nothing optional was on before it. */
  asked_first: boolean;
}

/**
 * Takes from a word what another does not accept, for each category and vendor. Nothing is accepted that one of the two
 * rejects. A vendor that a word does not name follows categories, which are not known here: it counts as accepted only
 * where the word accepts all of them.
 */
export function restrict(word: Word, by: Word): Word {
  const ids = [...word.categories_accepted, ...word.categories_rejected];
  const both = [word, by];
  const isAccepted = (id: string) =>
    both.every(({ categories_accepted }) => categories_accepted.includes(id));
  const acceptsVendor = ({ vendors_accepted, vendors_rejected, ...each }: Word, slug: string) =>
    vendors_accepted?.includes(slug) ||
    (!vendors_rejected?.includes(slug) && ids.every((id) => each.categories_accepted.includes(id)));
  const accepted = unite(both.map((each) => each.vendors_accepted)).filter((slug) =>
    both.every((each) => acceptsVendor(each, slug)),
  );
  const rejected = unite(both.map((each) => each.vendors_rejected));
  const made = {
    ...word,
    categories_accepted: ids.filter(isAccepted),
    categories_rejected: ids.filter((id) => !isAccepted(id)),
    vendors_accepted: accepted[0] ? accepted : undefined,
    vendors_rejected: rejected[0] ? rejected : undefined,
  };
  return isSameWord(made, word) ? word : { ...made, consent_action: 'manage' };
}

const unite = (lists: (string[] | undefined)[]): string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];

/** Whether both accept and reject the same, in any order. */
export const isSameWord = (one: Word, other: Word): boolean => toKey(one) === toKey(other);

const toKey = ({ categories_accepted, vendors_accepted, vendors_rejected }: Word): string =>
  JSON.stringify(
    [categories_accepted, vendors_accepted, vendors_rejected].map((list) =>
      [...(list ?? [])].sort(),
    ),
  );

interface Device {
  /** What is stored on this device, unless the server has rejected it. */
  local: Choice | undefined;
  /** Whether it counts, so that the visitor is not asked. */
  holds: boolean;
  /** Whether it was compared with the words of another person. */
  isOthers: boolean;
  /** Whether everything is on here until visitors opt out. */
  optOut: boolean;
  isOptional: (id: string) => boolean;
}

/**
 * What this device adopts: the stricter newer word. Without a choice of its own, the shared one as it is, unless what it
 * accepts was on before anyone was asked and this device has to ask first. Beside a choice, a newer one only takes
 * consent away. An older one changes nothing, except if the choice was that of another person.
 * @param at of the shared choice in epoch seconds, by the clock of this device
 * @returns undefined if nothing changes
 */
export function adopt(
  shared: SharedChoice,
  at: number,
  { local, holds, isOthers, optOut, isOptional }: Device,
): (Word & { version: number; at: number }) | undefined {
  const newer = { ...toWord(shared), version: shared.config_version, at };
  if (!local) {
    const isRefusal = !shared.vendors_accepted && !shared.categories_accepted.some(isOptional);
    return shared.asked_first || optOut || isRefusal ? newer : undefined;
  }
  // Of the same second, the shared one is the later: the server has the latest of all devices.
  if (local.at < at || (holds && local.at === at)) {
    const made = { ...newer, ...restrict(newer, local) };
    return holds && isSameWord(made, local) ? undefined : made;
  }
  if (!isOthers) return undefined;
  const made = { ...toWord(local), ...restrict(toWord(local), shared) };
  return isSameWord(made, local) ? undefined : { ...made, version: local.version, at: local.at };
}

const toWord = ({
  consent_action,
  categories_accepted,
  categories_rejected,
  vendors_accepted,
  vendors_rejected,
}: Word): Word => ({
  consent_action,
  categories_accepted,
  categories_rejected,
  vendors_accepted,
  vendors_rejected,
});
