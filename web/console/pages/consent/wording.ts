import type { ConsentSettings } from '../../api/types.ts';

export type Translation = ConsentSettings['translations'][number];
type CategoryWords = NonNullable<Translation['categories']>[number];

/** Every text of the banner beside the categories, and what it is. */
export const TEXTS = [
  ['title', 'Title'],
  ['message', 'Message'],
  ['accept_text', 'Accept'],
  ['reject_text', 'Reject'],
  ['manage_text', 'Choose'],
  ['save_text', 'Save the choice'],
  ['privacy_text', 'Link to the policy'],
  ['reopen_text', 'Back to the choice'],
  ['required_text', 'Beside what is always on'],
  ['load_text', 'Load once'],
  ['always_text', 'Always allow a category'],
  ['placeholder_text', 'In place of content that waits'],
] as const satisfies [keyof ConsentSettings & keyof Translation, string][];

export type TextName = (typeof TEXTS)[number][0];

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** As the server has it, for what it has not been told yet. */
const RIGHT_TO_LEFT = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)(-|$)/i;
export const directionOf = (language: string): 'rtl' | 'ltr' =>
  RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr';

/** The language of the settings' own texts, into which nothing is translated. */
export const firstLanguage = ({ languages }: ConsentSettings): string => languages[0] ?? 'en';

/** The settings of the banner that are no texts, and what they are. */
const OTHERS: Record<string, string> = {
  enabled: 'Ask visitors',
  position: 'Position',
  expiry_days: 'A choice holds, in days',
  privacy_url: 'Privacy policy',
  languages: 'Languages',
  ask_again_on: 'Visitors are asked again when',
};
const OF_CATEGORY: Record<string, string> = {
  label: 'name',
  description: 'what it is for',
  required: 'always on',
};

/** What a setting of the banner is called, by where it is; see `merge`. */
export function labelOfSetting([name = '', ...within]: readonly string[]): string {
  if (name === 'translations') {
    const [language = '', ...path] = within;
    return [languageName(language), ...(path.length > 0 ? [labelOfSetting(path)] : [])].join(' · ');
  }
  if (name === 'categories') {
    const [id, field] = within;
    if (id === undefined) return 'Categories';
    return `Category ${id}${field ? `: ${OF_CATEGORY[field] ?? field}` : ''}`;
  }
  return TEXTS.find(([text]) => text === name)?.[1] ?? OTHERS[name] ?? name;
}

/** The first language, then all others that are promised or there. */
export const languagesOf = (consent: ConsentSettings): string[] => [
  ...new Set([
    firstLanguage(consent),
    ...consent.languages,
    ...consent.translations.map(({ language }) => language),
  ]),
];

export const translationInto = (consent: ConsentSettings, language: string): Translation =>
  consent.translations.find((each) => each.language === language) ?? { language };

/** What a translation says of a category. */
export const wordsOf = ({ categories = [] }: Translation, id: string): CategoryWords =>
  categories.find((each) => each.id === id) ?? { id };

/** The translations with one put in the place of the one into its language. */
export const withTranslation = (
  all: readonly Translation[],
  changed: Translation,
): Translation[] =>
  all.some(({ language }) => language === changed.language)
    ? all.map((each) => (each.language === changed.language ? changed : each))
    : [...all, changed];

export const withWords = (translation: Translation, changed: CategoryWords): Translation => ({
  ...translation,
  categories: [...(translation.categories ?? []).filter(({ id }) => id !== changed.id), changed],
});

/** The texts that visitors with this language read in the first one, by what they are. */
export function missingIn(consent: ConsentSettings, language: string): string[] {
  if (language === firstLanguage(consent)) return [];
  const translation = translationInto(consent, language);
  return [
    ...TEXTS.flatMap(([name, label]) => (translation[name] ? [] : [label])),
    ...consent.categories.flatMap(({ id, label, description }) => {
      const words = wordsOf(translation, id);
      return [
        ...(words.label ? [] : [`${label}: name`]),
        ...(words.description || !description ? [] : [`${label}: what it is for`]),
      ];
    }),
  ];
}

/** The texts in a language, as `/consent/texts` would say them. */
export function textsIn(consent: ConsentSettings, language: string) {
  const translation =
    language === firstLanguage(consent) ? { language } : translationInto(consent, language);
  return {
    language,
    direction: directionOf(language),
    ...Object.fromEntries(TEXTS.map(([name]) => [name, translation[name] || consent[name]])),
    categories: Object.fromEntries(
      consent.categories.map(({ id, label, description }) => {
        const words = wordsOf(translation, id);
        return [id, { label: words.label || label, description: words.description || description }];
      }),
    ),
  };
}
