import { type RenderedMail, renderMail } from '../../../mail/index.ts';
import type { Controller } from '../context.ts';
import { de } from './de.ts';
import { type CaseFacts, createEmails, type EmailMessage, type Emails } from './emails.ts';
import { type EmailTexts, en } from './en.ts';
import { type ReportTexts, reportDe, reportEn } from './report/index.ts';

export type { Completion, SourceReport } from './report/index.ts';

interface Language {
  texts: EmailTexts;
  report: ReportTexts;
}
const ENGLISH: Language = { texts: en, report: reportEn };
const LANGUAGES: Record<string, Language> = { en: ENGLISH, de: { texts: de, report: reportDe } };

export const EMAIL_LANGUAGES = Object.keys(LANGUAGES);

/**
 * The first supported language of an Accept-Language header; English if there is none.
 * @param accepted for example `de-AT,de;q=0.9,en;q=0.8`
 */
export function findLanguage(accepted: string | undefined): string {
  const wanted = (accepted ?? '').split(',').map((tag) => tag.trim().slice(0, 2).toLowerCase());
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language)) ?? 'en';
}

/** An email about one request in its language. */
export function renderEmail(
  language: string,
  facts: CaseFacts,
  write: (emails: Emails) => EmailMessage,
): RenderedMail {
  const { texts, report } = LANGUAGES[language] ?? ENGLISH;
  return renderSigned(language, facts.controller, () => write(createEmails(texts, report, facts)));
}

/** An email in a language, signed with the details of the controller that are set. */
export function renderSigned(
  language: string,
  controller: Controller,
  write: (texts: EmailTexts) => EmailMessage,
): RenderedMail {
  const { texts } = LANGUAGES[language] ?? ENGLISH;
  const { subject, parts } = write(texts);
  const { name, address, email, dpo_name, dpo_email } = controller;
  const officer = [dpo_name, dpo_email].filter(Boolean).join(', ');
  const signature = [name, address, email, officer && `${texts.dpo}: ${officer}`]
    .filter(Boolean)
    .join('\n');
  return renderMail({ language, subject, parts: signature ? [...parts, signature] : parts });
}
