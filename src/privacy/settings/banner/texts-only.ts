import type { Static } from 'typebox';
import type { SettingsUpdate, SiteSettings } from '../schemas.ts';
import { type ConsentConfig, TEXT_NAMES } from './schemas.ts';

/** Fields that are texts; of categories, labels and descriptions. */
const TEXTS: readonly string[] = [...TEXT_NAMES, 'languages', 'translations', 'categories'];

/** Whether an update changes anything except texts of the banner. */
export function changesMoreThanTexts(
  before: SiteSettings,
  { consent = {}, ...sections }: Static<typeof SettingsUpdate>,
): boolean {
  const { categories = before.consent.categories } = consent;
  return (
    Object.entries(sections).some(
      ([name, fields]) => listChanges(before[name as keyof typeof sections], fields).length > 0,
    ) ||
    listChanges(before.consent, consent).some((name) => !TEXTS.includes(name)) ||
    toChoices(categories) !== toChoices(before.consent.categories)
  );
}

const listChanges = (before: object, update: object): string[] =>
  Object.entries(update)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as never]))
    .map(([name]) => name);

/** The categories in their order, without their texts. */
const toChoices = (categories: ConsentConfig['categories']): string =>
  JSON.stringify(categories.map(({ id, required, own_use }) => [id, required, own_use]));
