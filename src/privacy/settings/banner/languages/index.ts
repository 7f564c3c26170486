import { getDirection } from '../../../../platform/text-direction.ts';
import {
  type BannerLanguage,
  type BannerLanguageTexts,
  DEFAULT_CATEGORIES,
  type LanguageTexts,
} from './schemas.ts';

type Load = () => Promise<{ texts: LanguageTexts }>;

/**
 * The languages with texts: tag, English name, own name. Texts are loaded when they are first asked for, because a site
 * needs few of them.
 */
const LANGUAGES: Record<string, [name: string, nativeName: string, load: Load]> = {
  ar: ['Arabic', 'العربية', () => import('./texts/ar.ts')],
  'pt-BR': ['Brazilian Portuguese', 'Português (Brasil)', () => import('./texts/pt-BR.ts')],
  bg: ['Bulgarian', 'Български', () => import('./texts/bg.ts')],
  hr: ['Croatian', 'Hrvatski', () => import('./texts/hr.ts')],
  cs: ['Czech', 'Čeština', () => import('./texts/cs.ts')],
  da: ['Danish', 'Dansk', () => import('./texts/da.ts')],
  nl: ['Dutch', 'Nederlands', () => import('./texts/nl.ts')],
  en: ['English', 'English', () => import('./texts/en.ts')],
  et: ['Estonian', 'Eesti', () => import('./texts/et.ts')],
  fi: ['Finnish', 'Suomi', () => import('./texts/fi.ts')],
  fr: ['French', 'Français', () => import('./texts/fr.ts')],
  de: ['German', 'Deutsch', () => import('./texts/de.ts')],
  el: ['Greek', 'Ελληνικά', () => import('./texts/el.ts')],
  he: ['Hebrew', 'עברית', () => import('./texts/he.ts')],
  hu: ['Hungarian', 'Magyar', () => import('./texts/hu.ts')],
  is: ['Icelandic', 'Íslenska', () => import('./texts/is.ts')],
  ga: ['Irish', 'Gaeilge', () => import('./texts/ga.ts')],
  it: ['Italian', 'Italiano', () => import('./texts/it.ts')],
  ja: ['Japanese', '日本語', () => import('./texts/ja.ts')],
  lv: ['Latvian', 'Latviešu', () => import('./texts/lv.ts')],
  lt: ['Lithuanian', 'Lietuvių', () => import('./texts/lt.ts')],
  mt: ['Maltese', 'Malti', () => import('./texts/mt.ts')],
  nb: ['Norwegian Bokmål', 'Norsk bokmål', () => import('./texts/nb.ts')],
  pl: ['Polish', 'Polski', () => import('./texts/pl.ts')],
  pt: ['Portuguese', 'Português', () => import('./texts/pt.ts')],
  ro: ['Romanian', 'Română', () => import('./texts/ro.ts')],
  'zh-Hans': ['Simplified Chinese', '简体中文', () => import('./texts/zh-Hans.ts')],
  sk: ['Slovak', 'Slovenčina', () => import('./texts/sk.ts')],
  sl: ['Slovenian', 'Slovenščina', () => import('./texts/sl.ts')],
  es: ['Spanish', 'Español', () => import('./texts/es.ts')],
  sv: ['Swedish', 'Svenska', () => import('./texts/sv.ts')],
  tr: ['Turkish', 'Türkçe', () => import('./texts/tr.ts')],
  uk: ['Ukrainian', 'Українська', () => import('./texts/uk.ts')],
};

/** Languages whose texts people wrote or checked. */
const REVIEWED = ['en', 'de'];

const needsReview = (language: string): boolean => !REVIEWED.includes(language);

/** The languages with complete texts, by their English names. */
export const listLanguages = (): BannerLanguage[] =>
  Object.entries(LANGUAGES).map(([language, [name, nativeName]]) => ({
    language,
    name,
    native_name: nativeName,
    direction: getDirection(language),
    needs_review: needsReview(language),
  }));

/** The complete texts in a language; undefined if Pavis ships none. @param tag in any case */
export async function findLanguageTexts(tag: string): Promise<BannerLanguageTexts | undefined> {
  const found = Object.entries(LANGUAGES).find(
    ([language]) => language.toLowerCase() === tag.toLowerCase(),
  );
  if (!found) return undefined;
  const [language, [, , load]] = found;
  const translation = toTranslation(language, (await load()).texts);
  return needsReview(language) ? { ...translation, needs_review: true } : translation;
}

/** The texts as an entry of `consent.translations`. */
export const toTranslation = (
  language: string,
  { categories, ...texts }: LanguageTexts,
): BannerLanguageTexts => ({
  language,
  ...texts,
  categories: DEFAULT_CATEGORIES.map((id) => ({ id, ...categories[id] })),
});
