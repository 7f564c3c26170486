import { type RenderedMail, renderMail } from '../../../mail/index.ts';
import type { Controller } from '../context.ts';
import { de } from './de.ts';
import { createEmails, type EmailMessage, type Emails } from './emails.ts';
import { en } from './en.ts';
import { reportDe, reportEn } from './report/index.ts';

export type { CaseFacts } from './emails.ts';
export type { Completion, SourceReport } from './report/index.ts';

const ENGLISH = createEmails(en, reportEn);
const LANGUAGES: Record<string, Emails> = { en: ENGLISH, de: createEmails(de, reportDe) };

/**
 * The first supported language of an Accept-Language header; English if there is none.
 * @param accepted for example `de-AT,de;q=0.9,en;q=0.8`
 */
export function findLanguage(accepted: string | undefined): string {
  const wanted = (accepted ?? '').split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language)) ?? 'en';
}

/** An email in the language of a case, signed with the details of the controller that are set. */
export function renderEmail(
  language: string,
  controller: Controller,
  write: (emails: Emails) => EmailMessage,
): RenderedMail {
  const emails = LANGUAGES[language] ?? ENGLISH;
  const { subject, parts } = write(emails);
  const signature = formatSignature(controller, emails.dpo);
  return renderMail({ language, subject, parts: signature ? [...parts, signature] : parts });
}

function formatSignature(controller: Controller, dpo: string): string {
  const { name, address, email, dpo_name, dpo_email } = controller;
  const officer = [dpo_name, dpo_email].filter(Boolean).join(', ');
  return [name, address, email, officer && `${dpo}: ${officer}`].filter(Boolean).join('\n');
}
