import type { Static } from 'typebox';
import {
  type ConsentConfig,
  type SettingsUpdate,
  type SiteSettings,
  TEXT_NAMES,
} from './schemas.ts';

/** What holds texts and nothing else; of the categories only labels and descriptions are texts. */
const TEXTS: readonly string[] = [...TEXT_NAMES, 'languages', 'translations', 'categories'];

/** Whether an update changes anything but the texts of the banner. Values that stay the same change nothing. */
export function changesMoreThanTexts(
  before: SiteSettings,
  { consent = {}, ...sections }: Static<typeof SettingsUpdate>,
): boolean {
  const { categories = before.consent.categories } = consent;
  return (
    Object.entries(sections).some(
      ([name, fields]) => changedIn(before[name as keyof typeof sections], fields).length > 0,
    ) ||
    changedIn(before.consent, consent).some((name) => !TEXTS.includes(name)) ||
    choicesOf(categories) !== choicesOf(before.consent.categories)
  );
}

const changedIn = (before: object, update: object): string[] =>
  Object.entries(update)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as never]))
    .map(([name]) => name);

/** What visitors can choose, and in which order. */
const choicesOf = (categories: ConsentConfig['categories']): string =>
  JSON.stringify(categories.map(({ id, required }) => [id, required]));
