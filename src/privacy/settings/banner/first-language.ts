import { isDeepStrictEqual } from 'node:util';
import { InvalidFieldError } from '../../../platform/errors.ts';
import { type ConsentConfig, TEXT_NAMES } from './schemas.ts';
import { findClosest } from './texts.ts';

type Translation = ConsentConfig['translations'][number];

/**
 * Changes of the banner with the texts of a new first language. The texts outside `translations` are in the first, so
 * they change places with its translation. Changes that replace the texts, and leave no translation into the new first
 * language or add one into the former, are left as they are.
 * @throws InvalidFieldError if there is no complete translation into the new first language, or it is not reviewed, or
 * the changes also have texts
 */
export function changeFirstLanguage(
  before: ConsentConfig,
  changes: Partial<ConsentConfig>,
): Partial<ConsentConfig> {
  const config = { ...before, ...changes };
  const [from = 'en', to = 'en'] = [before.languages[0], config.languages[0]];
  if (from === to) return changes;
  const tags = config.translations.map(({ language }) => language);
  const closest = findClosest(to, tags);
  const translation = config.translations.find(({ language }) => language === closest);
  const hasTexts = changesTexts(before, config);
  if (hasTexts && (!translation || tags.includes(from))) return changes;
  if (!translation) {
    const isSameText = findClosest(to, [from]) !== undefined;
    // British texts stay the same for the United States.
    if (isSameText || !isDeepStrictEqual(config.translations, before.translations)) return changes;
    throw new InvalidFieldError(
      'consent',
      `consent[languages] begins with ${to}, but the texts are in ${from} and consent[translations] has none in ${to}. Add them there first. GET /consent/languages/${to} returns those of Pavis, if it has this language.`,
    );
  }
  if (hasTexts) {
    throw new InvalidFieldError(
      'consent',
      `consent[languages] begins with ${to}, and the update changes the texts, but those in ${translation.language} are in consent[translations]. Change the first language by itself, then the texts.`,
    );
  }
  // The texts outside `translations` cannot be marked.
  if (translation.needs_review) {
    throw new InvalidFieldError(
      'consent',
      `Review the translation first: consent[languages] begins with ${to}, and its texts in consent[translations] are machine-translated (needs_review).`,
    );
  }
  assertComplete(config, translation);
  const { language: _, needs_review: __, categories = [], ...texts } = translation;
  const former: Translation = {
    language: from,
    ...Object.fromEntries(TEXT_NAMES.map((name) => [name, config[name]])),
    categories: config.categories.map(({ id, label, description }) => ({ id, label, description })),
  };
  return {
    ...changes,
    ...texts,
    categories: config.categories.map((category) => ({
      ...category,
      ...categories.find(({ id }) => id === category.id),
    })),
    translations: config.translations.map((each) => (each === translation ? former : each)),
  };
}

/** Whether texts outside `translations` are changed or added. */
function changesTexts(before: ConsentConfig, after: ConsentConfig): boolean {
  return (
    TEXT_NAMES.some((name) => after[name] !== before[name]) ||
    after.categories.some(({ id, label, description }) => {
      const former = before.categories.find((category) => category.id === id);
      return former?.label !== label || former.description !== description;
    })
  );
}

function assertComplete({ categories, languages }: ConsentConfig, translation: Translation): void {
  const isNamed = (id: string) => {
    const found = translation.categories?.find((category) => category.id === id);
    return found?.label !== undefined && found.description !== undefined;
  };
  const missing = [
    ...TEXT_NAMES.filter((name) => translation[name] === undefined),
    ...(categories.every(({ id }) => isNamed(id)) ? [] : ['categories']),
  ];
  if (missing.length === 0) return;
  throw new InvalidFieldError(
    'consent',
    `consent[languages] begins with ${languages[0]}, but the translation lacks ${missing.join(', ')}. Complete it in consent[translations] first.`,
  );
}
