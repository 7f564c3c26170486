import { type RenderedMail, renderMail } from '../../../platform/mail/index.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { Language, MailWords } from './words.ts';

export type { CaseFacts, Completion } from './words.ts';

const LANGUAGES: Record<string, Language> = { en, de };

/** The first language of a wish list, as `de-AT,de;q=0.9,en;q=0.8`, that mails are written in; else English. */
export function languageOf(wishes: string | undefined): string {
  const wanted = (wishes ?? '').split(',').map((wish) => wish.trim().slice(0, 2).toLowerCase());
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language)) ?? 'en';
}

/** A mail in the language of a case. */
export function mailIn(language: string, write: (words: Language) => MailWords): RenderedMail {
  return renderMail({ language, ...write(LANGUAGES[language] ?? en) });
}
