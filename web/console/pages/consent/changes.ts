import type { ConsentSettings, ConsentVersion } from '../../api/types.ts';
import { toLabel } from '../../components/format.ts';
import { REASONS } from './ask-again.tsx';
import { languageName, TEXTS, type Translation } from './wording.ts';

export interface Change {
  what: string;
  /** Empty where it was not there, or no longer is. */
  before: string;
  after: string;
}

/** What is different between two versions, in the order of the form. */
export function changesBetween(before: ConsentVersion, after: ConsentVersion): Change[] {
  const [old, now] = [saidBy(before), saidBy(after)];
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((what) => ({ what, before: old.get(what) ?? '', after: now.get(what) ?? '' }))
    .filter((change) => change.before !== change.after);
}

/** All that a version says, each by what it is. */
function saidBy({ config: consent, vendors, purposes }: ConsentVersion): Map<string, string> {
  const { enabled, position, expiry_days, privacy_url, languages, categories, ask_again_on } =
    consent;
  return new Map([
    ['Visitors are asked', enabled ? 'Yes' : 'No'],
    ['Position', toLabel(position.replace('-', ' '))],
    ['A choice holds', `${expiry_days} days`],
    ['Privacy policy', privacy_url],
    ['Vendors that need consent', vendors?.map(({ name }) => name).join('\n') ?? UNKNOWN],
    ['Purposes that need consent', purposes?.join('\n') ?? UNKNOWN],
    ['Visitors are asked again when', reasonsIn(ask_again_on)],
    ['Languages', (languages ?? []).map(languageName).join(', ')],
    ...textsOf(consent),
    ...categoryTexts(consent),
    ...categories.map(({ id, required }): [string, string] => [
      `Category ${id}: always on`,
      required ? 'Yes' : 'No',
    ]),
    ...(consent.translations ?? []).flatMap((translation) =>
      [...textsOf(translation), ...categoryTexts(translation)].map(
        ([what, text]): [string, string] => [
          `${languageName(translation.language)} · ${what}`,
          text,
        ],
      ),
    ),
  ]);
}

/** Of versions from before Pavis kept it. */
const UNKNOWN = 'Not recorded';

const reasonsIn = (reasons: ConsentSettings['ask_again_on'] | undefined): string => {
  const labels = REASONS.filter(({ value }) => reasons?.includes(value)).map(({ label }) => label);
  return reasons ? labels.join('\n') || 'Never' : UNKNOWN;
};

const categoryTexts = ({ categories = [] }: ConsentSettings | Translation): [string, string][] =>
  categories.flatMap(({ id, label = '', description = '' }): [string, string][] => [
    [`Category ${id}: name`, label],
    [`Category ${id}: what it is for`, description],
  ]);

const textsOf = (texts: ConsentSettings | Translation): [string, string][] =>
  TEXTS.map(([name, label]) => [label, texts[name] ?? '']);

/**
 * The texts of the first language that have changed since a translation of them was last written, by
 * what they are.
 * @param versions the newest first
 */
export function outdatedIn(versions: readonly ConsentVersion[], language: string): string[] {
  const translationOf = ({ config }: ConsentVersion) =>
    JSON.stringify(config.translations?.find((each) => each.language === language));
  const [now] = versions;
  if (!now || !translationOf(now)) return [];
  const changedAt = versions.findIndex((each) => translationOf(each) !== translationOf(now));
  const written = versions[(changedAt < 0 ? versions.length : changedAt) - 1] ?? now;
  const texts = ({ config }: ConsentVersion) =>
    new Map([...textsOf(config), ...categoryTexts(config)]);
  const [old, current] = [texts(written), texts(now)];
  return [...current.keys()].filter((what) => old.has(what) && old.get(what) !== current.get(what));
}

export interface Piece {
  text: string;
  kind: 'same' | 'gone' | 'new';
}

/** One text as it became another, word by word: the longest row of words that both have stays. */
export function wordChanges(before: string, after: string): Piece[] {
  const [old, now] = [before.match(/\s+|\S+/g) ?? [], after.match(/\s+|\S+/g) ?? []];
  // lengths[i][j]: how many words the rests of both from there on share.
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const shared = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const length =
        old[i] === now[j] ? shared(i + 1, j + 1) + 1 : Math.max(shared(i + 1, j), shared(i, j + 1));
      lengths[i]?.fill(length, j, j + 1);
    }
  }
  const pieces: Piece[] = [];
  const add = (kind: Piece['kind'], text = '') => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && old[i] === now[j]) {
      add('same', old[i]);
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && shared(i + 1, j) >= shared(i, j + 1))) {
      add('gone', old[i]);
      i += 1;
    } else {
      add('new', now[j]);
      j += 1;
    }
  }
  return pieces;
}
