import { type Static, Type } from 'typebox';
import { OneOf, Text } from '../../../../platform/http/schemas.ts';
import { bannerTexts, Translation } from '../schemas.ts';

/** The categories of a new installation, which have texts in every language. */
export const DEFAULT_CATEGORIES = [
  'functional',
  'analytics',
  'marketing',
  'personalisation',
] as const;

/** All texts of the banner in a language; a missing one does not compile. */
export interface LanguageTexts extends Record<keyof typeof bannerTexts, string> {
  categories: Record<(typeof DEFAULT_CATEGORIES)[number], { label: string; description: string }>;
}

export const BannerLanguage = Type.Object(
  {
    language: Translation.properties.language,
    name: Text(100, { description: 'The name of the language in English.' }),
    native_name: Text(100, { description: 'The name of the language in the language itself.' }),
    direction: OneOf(['ltr', 'rtl']),
    needs_review: Type.Boolean({
      description: 'Whether the texts are machine-translated. Those in English and German are not.',
    }),
  },
  { title: 'BannerLanguage' },
);
export type BannerLanguage = Static<typeof BannerLanguage>;

/** Fits `consent.translations` of the settings. */
export const BannerLanguageTexts = Type.Object(
  {
    language: Translation.properties.language,
    ...bannerTexts,
    categories: Type.Array(
      Type.Object(
        { id: OneOf(DEFAULT_CATEGORIES), label: Text(200), description: Text(5_000) },
        { title: 'BannerLanguageCategory' },
      ),
      { description: 'The categories of a new installation.' },
    ),
    needs_review: Translation.properties.needs_review,
  },
  { title: 'BannerLanguageTexts' },
);
export type BannerLanguageTexts = Static<typeof BannerLanguageTexts>;
