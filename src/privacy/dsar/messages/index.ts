import { type RenderedMail, renderMail } from '../../../mail/index.ts';
import type { Controller } from '../context.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { Language, MailWords } from './words.ts';

export type { Completion, SourceReport } from './report/index.ts';
export type { CaseFacts } from './words.ts';

const LANGUAGES: Record<string, Language> = { en, de };

/** The first language of a wish list, as `de-AT,de;q=0.9,en;q=0.8`, that mails are written in; else English. */
export function languageOf(wishes: string | undefined): string {
  const wanted = (wishes ?? '').split(',').map((wish) => wish.trim().slice(0, 2).toLowerCase());
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language)) ?? 'en';
}

/** A mail in the language of a case, signed by the controller as far as that was stated. */
export function mailIn(
  language: string,
  controller: Controller,
  write: (words: Language) => MailWords,
): RenderedMail {
  const words = LANGUAGES[language] ?? en;
  const { subject, parts } = write(words);
  const signature = signatureOf(controller, words.dpo);
  return renderMail({ language, subject, parts: signature ? [...parts, signature] : parts });
}

function signatureOf(controller: Controller, dpo: string): string {
  const { name, address, email, dpo_name, dpo_email } = controller;
  const officer = [dpo_name, dpo_email].filter(Boolean).join(', ');
  return [name, address, email, officer && `${dpo}: ${officer}`].filter(Boolean).join('\n');
}
