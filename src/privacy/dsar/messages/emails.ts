import type { MailPart } from '../../../mail/index.ts';
import { formatDay } from '../../../platform/clock.ts';
import type { Controller } from '../context.ts';
import {
  type Channel,
  getRightsLaw,
  isOptOut,
  isOverdue,
  type Regime,
  type RequestType,
} from '../rules.ts';
import type { EmailTexts } from './en.ts';
import { formatPause, type Pause } from './pause-texts.ts';
import {
  type Completion,
  formatGround,
  formatPartialErasure,
  formatReport,
  type Refusal,
  type ReportTexts,
  type SourceReport,
} from './report/index.ts';

export interface EmailMessage {
  subject: string;
  parts: MailPart[];
}

/** What an email is about. None of it was typed by the person who sent the request. */
export interface CaseFacts {
  /** The name of the controller, or the host of the site where none is set. */
  organisation: string;
  reference: string;
  requestType: RequestType;
  regime: Regime;
  /** `YYYY-MM-DD` */
  deadline: string;
  /** `YYYY-MM-DD`, where the site is. */
  today: string;
  pause: Pause;
  statusUrl: string;
  formUrl: string;
  /** Whether the requester has an email address. Otherwise, an administrator sends the text another way. */
  isEmailed: boolean;
  /** The address that receives replies; empty if there is none. */
  replyTo: string;
  controller: Controller;
}

/** When and how a request that an administrator entered reached the controller. */
interface Receipt {
  channel: Channel;
  /** `YYYY-MM-DD` */
  receivedOn: string;
  confirmUrl?: string;
}

export const toLink = (link: string, label: string): MailPart => ({ link, label });

const listFacts = (
  { facts, types, optOut }: EmailTexts,
  { reference, requestType, regime }: CaseFacts,
) =>
  [
    [facts.reference, reference],
    [facts.request, isOptOut(requestType, regime) ? optOut : types[requestType]],
  ] as const;

export const describeCase = (texts: EmailTexts, facts: CaseFacts): MailPart => ({
  facts: listFacts(texts, facts),
});

export const describeCaseWithDeadline = (texts: EmailTexts, facts: CaseFacts): MailPart => ({
  facts: [
    ...listFacts(texts, facts),
    [
      isOverdue(facts) ? texts.facts.overdue : texts.facts.deadline,
      formatDay(texts.language, facts.deadline),
    ],
  ],
});

/** The emails about one request. */
export type Emails = ReturnType<typeof createEmails>;

export function createEmails(texts: EmailTexts, report: ReportTexts, facts: CaseFacts) {
  const { language, labels, confirm } = texts;
  const { organisation, pause, today } = facts;
  const remedies = texts.remedies[getRightsLaw(facts.regime)](facts.controller.email);
  // The email can be sent later than it is written.
  const linkTerms = texts.linkTerms(formatDay(language, today));
  const about = describeCase(texts, facts);
  const aboutWithDeadline = describeCaseWithDeadline(texts, facts);

  const write = (
    { subject, text }: { subject: string; text: string },
    ...parts: (MailPart | false)[]
  ): EmailMessage => ({
    subject: `${subject} [${facts.reference}]`,
    parts: [`${texts.greeting}\n${text}`, ...parts.filter((part) => part !== false)],
  });

  return {
    /** @param confirmUrl undefined for a request that needs no confirmation */
    acknowledgement: (confirmUrl: string | undefined) =>
      write(
        { ...texts.acknowledgement, text: texts.acknowledgement.text(organisation) },
        aboutWithDeadline,
        ...(confirmUrl
          ? [confirm.address, toLink(confirmUrl, labels.confirm), confirm.terms]
          : [confirm.notNeeded]),
        toLink(facts.statusUrl, labels.status),
      ),
    /** A request that an administrator entered. */
    entered({ channel, receivedOn, confirmUrl }: Receipt) {
      const day = formatDay(language, receivedOn);
      const text = texts.entered.text(organisation, day, texts.channels[channel]);
      return write(
        { ...texts.entered, text },
        aboutWithDeadline,
        ...(confirmUrl ? [confirm.address, toLink(confirmUrl, labels.confirm), confirm.terms] : []),
        toLink(facts.statusUrl, labels.statusWithReference),
      );
    },
    /** @param expires whether the request is closed if nobody confirms it */
    unconfirmed: (confirmUrl: string, expires: boolean) =>
      write(
        texts.unconfirmed,
        aboutWithDeadline,
        toLink(confirmUrl, labels.confirm),
        [texts.unconfirmed.terms, expires && texts.unconfirmed.expires].filter(Boolean).join(' '),
      ),
    newConfirmLink: (confirmUrl: string) =>
      write(
        texts.newConfirmLink,
        aboutWithDeadline,
        toLink(confirmUrl, labels.confirm),
        confirm.terms,
      ),
    newDownloadLink: (downloadUrl: string) =>
      write(texts.newDownloadLink, about, toLink(downloadUrl, labels.download), linkTerms),
    started: (reason: string) => write(texts.started, reason !== '' && reason, aboutWithDeadline),
    /** After a hold; the reason may be empty. */
    resumed: (reason: string) => write(texts.resumed, reason !== '' && reason, aboutWithDeadline),
    /** @param hadLinks whether links were sent that have stopped working */
    reopened: (reason: string, hadLinks: boolean) =>
      write(texts.reopened, reason, hadLinks && texts.reopened.links, aboutWithDeadline),
    /** On hold until the requester answers; the question may be empty. */
    asked: (question: string) =>
      write(
        { ...texts.asked, text: texts.afterGreeting(formatPause(language, pause, today)) },
        question || texts.questions[pause.ground === 'identity' ? 'identity' : 'clarification'],
        ...explainReply(texts, facts),
        about,
      ),
    /** On hold for another reason, which may be empty. */
    paused: (reason: string) =>
      write(
        { ...texts.paused, text: texts.afterGreeting(formatPause(language, pause, today)) },
        reason !== '' && reason,
        about,
      ),
    extended: (reason: string) =>
      write(
        texts.extended,
        reason,
        aboutWithDeadline,
        pause.pausedOn !== null && formatPause(language, pause, today),
        remedies,
      ),
    completed(completion: Completion) {
      const { downloadUrl } = completion;
      const { parts, isPartial } = formatReport(report, facts, completion);
      return write(
        texts.completed,
        about,
        ...(downloadUrl ? [toLink(downloadUrl, labels.download), linkTerms] : []),
        ...parts,
        isPartial && remedies,
      );
    },
    /** @param done the result of a deletion request; empty for others */
    rejected: (refusal: Refusal, done: readonly SourceReport[]) =>
      write(
        texts.rejected,
        ...formatGround(report, refusal),
        ...formatPartialErasure(report, done),
        about,
        remedies,
      ),
    withdrawal: (withdrawUrl: string) =>
      write(texts.withdrawal, about, toLink(withdrawUrl, labels.withdraw), texts.withdrawal.terms),
    /** The reason may be empty. */
    withdrawn: (reason: string, done: readonly SourceReport[]) =>
      write(texts.withdrawn, reason !== '' && reason, ...formatPartialErasure(report, done), about),
  };
}

/** How to reply: by email only if somebody receives it. A text that is sent another way has no link. */
function explainReply(
  { answer, labels }: EmailTexts,
  { replyTo, controller: { name, address }, reference, formUrl, isEmailed }: CaseFacts,
): MailPart[] {
  if (replyTo && isEmailed) return [answer.byEmail];
  if (address) return [answer.byLetter(reference, [name, address].filter(Boolean).join('\n'))];
  if (!isEmailed) return [answer.withReference(reference)];
  return [answer.byForm(reference), toLink(formUrl, labels.form)];
}
