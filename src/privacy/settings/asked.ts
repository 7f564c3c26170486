import { textsIn } from './rules.ts';
import { ASK_AGAIN_REASONS, type AskAgainReason, type ConsentConfig } from './schemas.ts';

/** Who processes data with the consent of visitors, and for what. */
export interface Asked {
  vendors: { slug: string; name: string }[];
  purposes: string[];
}

/** All that a version asks; what it asked of vendors and purposes was not always kept. */
export interface AskedVersion {
  config: ConsentConfig;
  asked: Asked | null;
}

/** Whether the same vendors and purposes are asked about. Vendors are told apart by slug. */
export const isSameAsked = (one: Asked | null, other: Asked): boolean =>
  one !== null && JSON.stringify(keysOf(one)) === JSON.stringify(keysOf(other));

const keysOf = ({ vendors, purposes }: Asked) => [vendors.map(({ slug }) => slug), purposes];

/**
 * What a version asks that an earlier one did not. Consent is given to specific purposes and
 * recipients (GDPR Art. 4(11), EDPB guidelines 05/2020): more of them need a new one, fewer do not.
 */
export function findNews(before: AskedVersion, after: AskedVersion): AskAgainReason[] {
  const isNew = {
    vendors: hasMore(before, after, ({ vendors }) => vendors.map(({ slug }) => slug)),
    purposes: hasMore(before, after, ({ purposes }) => purposes),
    categories: choicesOf(before.config) !== choicesOf(after.config),
    texts: hasOtherTexts(before.config, after.config),
  };
  return ASK_AGAIN_REASONS.filter((reason) => isNew[reason]);
}

function hasMore(
  before: AskedVersion,
  after: AskedVersion,
  listOf: (asked: Asked) => string[],
): boolean {
  if (!before.asked || !after.asked) return false;
  const known = listOf(before.asked);
  return listOf(after.asked).some((item) => !known.includes(item));
}

/** The choices that visitors have, in whatever order they are shown. */
const choicesOf = ({ categories }: ConsentConfig): string =>
  JSON.stringify(categories.map(({ id, required }) => [id, required]).sort());

/**
 * Whether a text differs in a language that both have, or in what readers of the earlier first
 * language get now. A language that is added or taken out changes no text.
 */
function hasOtherTexts(before: ConsentConfig, after: ConsentConfig): boolean {
  if (before.privacy_url !== after.privacy_url) return true;
  const [first = 'en', ...others] = languagesOf(before);
  const compared = [first, ...others.filter((tag) => languagesOf(after).includes(tag))];
  const shared = before.categories
    .map(({ id }) => id)
    .filter((id) => after.categories.some((category) => category.id === id));
  const shownIn = (config: ConsentConfig, language: string) => {
    const { title, message, categories } = textsIn(config, language);
    return JSON.stringify([title, message, shared.map((id) => categories[id])]);
  };
  return compared.some((language) => shownIn(before, language) !== shownIn(after, language));
}

const languagesOf = ({ languages, translations }: ConsentConfig): string[] =>
  [languages[0] ?? 'en', ...translations.map(({ language }) => language)].map((tag) =>
    tag.toLowerCase(),
  );
