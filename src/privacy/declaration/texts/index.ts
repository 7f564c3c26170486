import { de } from './de.ts';
import { en, type Texts } from './en.ts';

export type { Texts } from './en.ts';

/** The texts by language. */
export const LANGUAGES: Readonly<Record<string, Texts>> = { en, de };

/** The texts of a language, or of English. @param language BCP 47, for example `de-AT` */
export function findTexts(language: string): { language: string; texts: Texts } {
  const tag = language.split('-', 1)[0]?.toLowerCase() ?? '';
  const texts = Object.hasOwn(LANGUAGES, tag) ? LANGUAGES[tag] : undefined;
  return texts ? { language: tag, texts } : { language: 'en', texts: en };
}
