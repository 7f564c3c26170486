import type { MailPart } from '../../../mail/index.ts';
import { formatDay } from '../../../platform/clock.ts';
import type { Controller } from '../context.ts';
import type { Channel, RequestType } from '../rules.ts';
import type { EmailTexts } from './en.ts';
import { formatPause, type Pause } from './pause-texts.ts';
import {
  type Completion,
  formatGround,
  formatReport,
  type Refusal,
  type ReportTexts,
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
  /** `YYYY-MM-DD` */
  deadline: string;
  pause: Pause;
  statusUrl: string;
  formUrl: string;
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

/** A request in an email about several, with the link that confirms it. */
export interface ListedRequest {
  facts: CaseFacts;
  link: string;
}

/** The emails to requesters in one language. */
export type Emails = ReturnType<typeof createEmails>;

export function createEmails(texts: EmailTexts, report: ReportTexts) {
  const { language, labels, confirm } = texts;

  /** An email about one request, with its reference in the subject. */
  const write = (
    { reference }: CaseFacts,
    subject: string,
    text: string,
    ...parts: (MailPart | false)[]
  ): EmailMessage => ({
    subject: `${subject} [${reference}]`,
    parts: [`${texts.greeting}\n${text}`, ...parts.filter((part) => part !== false)],
  });
  const link = (url: string, label: string): MailPart => ({ link: url, label });
  const getRows = ({ reference, requestType }: CaseFacts) =>
    [
      [texts.facts.reference, reference],
      [texts.facts.request, texts.types[requestType]],
    ] as const;
  const about = (facts: CaseFacts): MailPart => ({ facts: getRows(facts) });
  const aboutWithDeadline = (facts: CaseFacts): MailPart => ({
    facts: [...getRows(facts), [texts.facts.deadline, formatDay(language, facts.deadline)]],
  });

  /** How to reply: by email only where somebody receives it. */
  function howToReply({ replyTo, controller, reference, formUrl }: CaseFacts): MailPart[] {
    if (replyTo) return [texts.answer.byEmail];
    const { name, address } = controller;
    if (address)
      return [texts.answer.byLetter(reference, [name, address].filter(Boolean).join('\n'))];
    return [texts.answer.byForm(reference), link(formUrl, labels.form)];
  }

  const confirmEach = (requests: readonly ListedRequest[]): MailPart[] => [
    confirm.each,
    ...requests.flatMap(({ facts, link: url }) => [
      aboutWithDeadline(facts),
      link(url, labels.confirmOne(facts.reference)),
    ]),
    ...requests.slice(0, 1).map(({ facts }) => link(facts.statusUrl, labels.statusOfOne)),
  ];
  const getOrganisation = ([first]: readonly ListedRequest[]): string =>
    first?.facts.organisation ?? '';

  return {
    dpo: texts.dpo,
    acknowledgement: (facts: CaseFacts, confirmUrl: string) =>
      write(
        facts,
        texts.acknowledgement.subject,
        texts.acknowledgement.text(facts.organisation),
        aboutWithDeadline(facts),
        confirm.address,
        link(confirmUrl, labels.confirm),
        confirm.terms,
        link(facts.statusUrl, labels.status),
      ),
    /** Several requests in one email. */
    acknowledgements: (requests: readonly ListedRequest[]): EmailMessage => {
      const { subject, text } = texts.acknowledgements;
      const intro = text(requests.length, getOrganisation(requests));
      return {
        subject: subject(requests.length),
        parts: [`${texts.greeting}\n${intro}`, ...confirmEach(requests)],
      };
    },
    /** A request that an administrator entered; with a link if the address has to be confirmed. */
    entered: (facts: CaseFacts, { channel, receivedOn, confirmUrl }: Receipt) => {
      const day = formatDay(language, receivedOn);
      const { subject, text } = texts.entered;
      const toConfirm = confirmUrl
        ? [confirm.address, link(confirmUrl, labels.confirm), confirm.terms]
        : [];
      return write(
        facts,
        subject,
        text(facts.organisation, day, texts.channels[channel]),
        aboutWithDeadline(facts),
        ...toConfirm,
        link(facts.statusUrl, labels.statusWithReference),
      );
    },
    unconfirmed: (facts: CaseFacts, confirmUrl: string) =>
      write(
        facts,
        texts.unconfirmed.subject,
        texts.unconfirmed.text,
        aboutWithDeadline(facts),
        link(confirmUrl, labels.confirm),
        texts.unconfirmed.terms,
      ),
    allUnconfirmed: (requests: readonly ListedRequest[]): EmailMessage => {
      const { subject, text, last } = texts.allUnconfirmed;
      const intro = text(requests.length, getOrganisation(requests));
      return {
        subject: subject(requests.length),
        parts: [`${texts.greeting}\n${intro}`, ...confirmEach(requests), last],
      };
    },
    /** Closed because the address was not confirmed. */
    expired: (requests: readonly CaseFacts[]): EmailMessage => {
      const { subject, subjectOfMany, text, again } = texts.expired;
      const [first] = requests;
      return {
        subject:
          requests.length === 1 && first
            ? `${subject} [${first.reference}]`
            : subjectOfMany(requests.length),
        parts: [
          `${texts.greeting}\n${text}`,
          ...requests.map(about),
          again,
          ...(first ? [link(first.formUrl, labels.newRequest)] : []),
        ],
      };
    },
    newConfirmLink: (facts: CaseFacts, confirmUrl: string) =>
      write(
        facts,
        texts.newConfirmLink.subject,
        texts.newConfirmLink.text,
        aboutWithDeadline(facts),
        link(confirmUrl, labels.confirm),
        confirm.terms,
      ),
    newDownloadLink: (facts: CaseFacts, downloadUrl: string) =>
      write(
        facts,
        texts.newDownloadLink.subject,
        texts.newDownloadLink.text,
        about(facts),
        link(downloadUrl, labels.download),
        texts.linkTerms,
      ),
    started: (facts: CaseFacts) =>
      write(facts, texts.started.subject, texts.started.text, aboutWithDeadline(facts)),
    /** On hold until the requester answers; the question may be empty. */
    asked: (facts: CaseFacts, question: string) =>
      write(
        facts,
        texts.asked.subject,
        formatPause(language, facts.pause),
        question ||
          texts.questions[facts.pause.ground === 'identity' ? 'identity' : 'clarification'],
        ...howToReply(facts),
        about(facts),
      ),
    /** On hold for another reason, which may be empty. */
    paused: (facts: CaseFacts, reason: string) =>
      write(
        facts,
        texts.paused.subject,
        formatPause(language, facts.pause),
        reason !== '' && reason,
        about(facts),
      ),
    extended: (facts: CaseFacts, reason: string) =>
      write(
        facts,
        texts.extended.subject,
        texts.extended.text,
        reason,
        aboutWithDeadline(facts),
        texts.remedies,
      ),
    completed: (facts: CaseFacts, completion: Completion) => {
      const { downloadUrl } = completion;
      const { parts, isPartial } = formatReport(report, facts.requestType, completion);
      return write(
        facts,
        texts.completed.subject,
        texts.completed.text,
        about(facts),
        ...(downloadUrl ? [link(downloadUrl, labels.download), texts.linkTerms] : []),
        ...parts,
        isPartial && texts.remedies,
      );
    },
    rejected: (facts: CaseFacts, refusal: Refusal) =>
      write(
        facts,
        texts.rejected.subject,
        texts.rejected.text,
        ...formatGround(report, refusal),
        about(facts),
        texts.remedies,
      ),
    /** With the link that withdraws the request. */
    withdrawal: (facts: CaseFacts, withdrawUrl: string) =>
      write(
        facts,
        texts.withdrawal.subject,
        texts.withdrawal.text,
        about(facts),
        link(withdrawUrl, labels.withdraw),
        texts.withdrawal.terms,
      ),
    withdrawn: (facts: CaseFacts) =>
      write(facts, texts.withdrawn.subject, texts.withdrawn.text, about(facts)),
  };
}
