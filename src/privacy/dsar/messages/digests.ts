import type { MailPart } from '../../../mail/index.ts';
import { MOST_LISTED } from './alerts/alert.ts';
import {
  type CaseFacts,
  describeCase,
  describeCaseWithDeadline,
  type EmailMessage,
  toLink,
} from './emails.ts';
import type { EmailTexts } from './en.ts';

/** A request in an email about several, with the link that confirms it; undefined if it needs none. */
interface ListedRequest {
  facts: CaseFacts;
  link: string | undefined;
}

/** Acknowledges several requests from one address, and asks to confirm those that need it. */
export function writeAcknowledgements(
  texts: EmailTexts,
  requests: readonly ListedRequest[],
  isReminder: boolean,
): EmailMessage {
  const { greeting, labels, acknowledgements, allUnconfirmed, confirm } = texts;
  const { subject, text } = isReminder ? allUnconfirmed : acknowledgements;
  const { organisation = '', statusUrl = '' } = requests[0]?.facts ?? {};
  const links = requests.flatMap(({ facts, link }): MailPart[] => [
    describeCaseWithDeadline(texts, facts),
    link === undefined ? confirm.notNeeded : toLink(link, labels.confirmOne(facts.reference)),
  ]);
  return {
    subject: subject(requests.length),
    parts: [
      `${greeting}\n${text(requests.length, organisation)}`,
      ...(requests.some(({ link }) => link !== undefined) ? [confirm.each] : []),
      ...links,
      toLink(statusUrl, labels.statusOfOne),
      ...(isReminder ? [allUnconfirmed.last] : []),
    ],
  };
}

/** Reports that requests from one address were closed because they were not confirmed. */
export function writeExpired(texts: EmailTexts, requests: readonly CaseFacts[]): EmailMessage {
  const { subject, subjectOfMany, text, more, again } = texts.expired;
  const { reference, formUrl = '' } = requests[0] ?? {};
  return {
    subject: requests.length === 1 ? `${subject} [${reference}]` : subjectOfMany(requests.length),
    parts: [
      `${texts.greeting}\n${text(requests.length)}`,
      ...requests.slice(0, MOST_LISTED).map((facts) => describeCase(texts, facts)),
      ...(requests.length > MOST_LISTED ? [more(requests.length - MOST_LISTED)] : []),
      again,
      toLink(formUrl, texts.labels.newRequest),
    ],
  };
}
