import { ASK_AGAIN_REASONS, type AskAgainReason, type ConsentConfig } from './schemas.ts';
import { getTexts, listTextLanguages } from './texts.ts';

/** The vendors and purposes with consent as legal basis. */
export interface Asked {
  vendors: { slug: string; name: string }[];
  purposes: string[];
}

export interface BannerVersion {
  config: ConsentConfig;
  /** Null: stored before vendors and purposes were. */
  asked: Asked | null;
}

/** Whether vendors, by slug, and purposes are the same. */
export const isSameAsked = (one: Asked | null, other: Asked): boolean =>
  one !== null && JSON.stringify(toKeys(one)) === JSON.stringify(toKeys(other));

const toKeys = ({ vendors, purposes }: Asked) => [vendors.map(({ slug }) => slug), purposes];

/**
 * The reasons why consent to one version does not cover another. Consent is given to specific purposes and recipients
 * (GDPR Art. 4(11), EDPB Guidelines 05/2020): additional ones need new consent, fewer do not.
 */
export function findReasonsToAskAgain(
  before: BannerVersion,
  after: BannerVersion,
): AskAgainReason[] {
  const isNew = {
    vendors: hasMore(before, after, ({ vendors }) => vendors.map(({ slug }) => slug)),
    purposes: hasMore(before, after, ({ purposes }) => purposes),
    categories: toChoices(before.config) !== toChoices(after.config),
    texts: hasOtherTexts(before.config, after.config),
  };
  return ASK_AGAIN_REASONS.filter((reason) => isNew[reason]);
}

function hasMore(
  before: BannerVersion,
  after: BannerVersion,
  list: (asked: Asked) => string[],
): boolean {
  if (!before.asked || !after.asked) return false;
  const known = list(before.asked);
  return list(after.asked).some((item) => !known.includes(item));
}

/** The categories, regardless of their order. */
const toChoices = ({ categories }: ConsentConfig): string =>
  JSON.stringify(categories.map(({ id, required }) => [id, required]).sort());

/**
 * Whether a text differs in a language that both versions have, or for readers of the first language of the earlier
 * one. Adding or removing a language changes no text.
 */
function hasOtherTexts(before: ConsentConfig, after: ConsentConfig): boolean {
  if (before.privacy_url !== after.privacy_url) return true;
  const [first = 'en', ...others] = listLanguages(before);
  const compared = [first, ...others.filter((tag) => listLanguages(after).includes(tag))];
  const shared = before.categories
    .map(({ id }) => id)
    .filter((id) => after.categories.some((category) => category.id === id));
  const shownIn = (config: ConsentConfig, language: string) => {
    const { title, message, categories } = getTexts(config, language);
    return JSON.stringify([title, message, shared.map((id) => categories[id])]);
  };
  return compared.some((language) => shownIn(before, language) !== shownIn(after, language));
}

const listLanguages = (config: ConsentConfig): string[] =>
  listTextLanguages(config).map((tag) => tag.toLowerCase());
