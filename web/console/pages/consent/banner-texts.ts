import type { BannerLanguageTexts, ConsentSettings } from '../../api/types.ts';

export type Translation = ConsentSettings['translations'][number];
export type CategoryTexts = NonNullable<Translation['categories']>[number];

/** The texts of the banner besides those of categories, with their labels. */
export const TEXTS = [
  ['title', 'Title'],
  ['message', 'Message'],
  ['accept_text', 'Accept button'],
  ['reject_text', 'Reject button'],
  ['manage_text', 'Preferences button'],
  ['save_text', 'Save button'],
  ['privacy_text', 'Privacy policy link'],
  ['receipt_text', 'Receipt link'],
  ['consent_id_text', 'Consent ID label'],
  ['consent_id_help_text', 'Consent ID explanation'],
  ['withdraw_text', 'Withdraw button'],
  ['vendors_text', 'Vendors of a category'],
  ['session_text', 'Lifetime of session cookies'],
  ['until_deleted_text', 'Lifetime without an end'],
  ['typical_text', 'Typical lifetime'],
  ['reopen_text', 'Reopen button'],
  ['required_text', '“Always active” label'],
  ['load_text', 'Load once'],
  ['always_text', 'Always allow a category'],
  ['always_vendor_text', 'Always allow a vendor'],
  ['shared_text', 'Notice of shared choices'],
  ['placeholder_text', 'Blocked-content placeholder'],
  ['opt_out_message', 'Message where visitors can opt out'],
  ['opt_out_text', 'Opt-out button'],
  ['opted_out_text', 'Confirmation of an opt-out signal'],
  ['own_use_text', 'Notice of own use'],
] as const satisfies [keyof ConsentSettings & keyof Translation, string][];

export type TextName = (typeof TEXTS)[number][0];

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });
export function getLanguageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });
/** @param code ISO 3166-1 alpha-2 */
export const getCountryName = (code: string): string => countries.of(code) ?? code;

/** The language of the original texts, which needs no translation. */
export const getFirstLanguage = ({ languages }: ConsentSettings): string => languages[0] ?? 'en';

/** The first language, then all others that are configured or translated. */
export const listLanguages = (consent: ConsentSettings): string[] => [
  ...new Set([
    getFirstLanguage(consent),
    ...consent.languages,
    ...consent.translations.map(({ language }) => language),
  ]),
];

export const getTranslation = (consent: ConsentSettings, language: string): Translation =>
  consent.translations.find((each) => each.language === language) ?? { language };

/** The translated texts of a category. */
export const getCategoryTexts = ({ categories = [] }: Translation, id: string): CategoryTexts =>
  categories.find((each) => each.id === id) ?? { id };

/** Labels of the texts that are not translated into a language. */
export function listMissingTexts(consent: ConsentSettings, language: string): string[] {
  if (language === getFirstLanguage(consent)) return [];
  const translation = getTranslation(consent, language);
  return [
    ...TEXTS.flatMap(([name, label]) => (translation[name] ? [] : [label])),
    ...consent.categories.flatMap(({ id, label, description }) => {
      const texts = getCategoryTexts(translation, id);
      return [
        ...(texts.label ? [] : [`${label}: name`]),
        ...(texts.description || !description ? [] : [`${label}: description`]),
      ];
    }),
  ];
}

const DEFAULT_CATEGORIES: readonly string[] = [
  'functional',
  'analytics',
  'marketing',
  'personalisation',
] satisfies BannerLanguageTexts['categories'][number]['id'][];

/** Names of the categories that Pavis has no texts for and that are not translated into a language. */
export const listUntranslatedCategories = (consent: ConsentSettings, language: string): string[] =>
  consent.categories
    .filter(({ id }) => !DEFAULT_CATEGORIES.includes(id))
    .filter(({ id }) => !getCategoryTexts(getTranslation(consent, language), id).label)
    .map(({ id, label }) => label || id);
