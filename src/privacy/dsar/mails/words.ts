import type { MailPart } from '../../../platform/mail/index.ts';
import type { Channel, RequestType } from '../rules.ts';
import type { Controller } from '../site.ts';

export interface MailWords {
  subject: string;
  parts: MailPart[];
}

/** What a mail to the requestor is about. Nothing of it was typed by whoever sent the request. */
export interface CaseFacts {
  /** The host of the site. */
  site: string;
  reference: string;
  requestType: RequestType;
  /** Days are `YYYY-MM-DD`. */
  deadline: string;
  /** Where the status can be seen. */
  statusUrl: string;
  /** Where requests are sent. */
  formUrl: string;
  /** The address that receives answers; empty if there is none. */
  replyTo: string;
  controller: Controller;
}

/** What was done, a line for each source in which there was something to do. */
export const reportLines = (
  report: Completion['report'],
  words: {
    erased: (count: number) => string;
    anonymised: (count: number) => string;
    kept: (count: number, reason: string) => string;
    leftOut: string;
  },
) =>
  report.flatMap(({ label, isLeftOut, erased, anonymised, kept }) => {
    const done = [
      ...(isLeftOut ? [words.leftOut] : []),
      ...(erased > 0 ? [words.erased(erased)] : []),
      ...(anonymised > 0 ? [words.anonymised(anonymised)] : []),
      ...kept.map(({ count, reason }) => words.kept(count, reason)),
    ];
    return done.length > 0 ? [[label, done.join(', ')] as const] : [];
  });

/** How and when a request that was entered by hand reached the controller. */
interface Receipt {
  channel: Channel;
  /** `YYYY-MM-DD` */
  receivedOn: string;
  confirmUrl?: string;
}

/** A request in an email about several, with the link that confirms it. */
export interface Listed {
  facts: CaseFacts;
  link: string;
}

/** The mails of a case in one language. */
export interface Language {
  /** What comes before the name of the data protection officer. */
  dpo: string;
  acknowledgement(facts: CaseFacts, confirmUrl: string): MailWords;
  /** Of a request that an administrator entered; with a link if the address is to be confirmed. */
  entered(facts: CaseFacts, receipt: Receipt): MailWords;
  /** Of several requests in one email. */
  acknowledgements(requests: readonly Listed[]): MailWords;
  unconfirmed(facts: CaseFacts, confirmUrl: string): MailWords;
  allUnconfirmed(requests: readonly Listed[]): MailWords;
  /** Links that an administrator has sent anew. */
  newConfirmLink(facts: CaseFacts, confirmUrl: string): MailWords;
  newDownloadLink(facts: CaseFacts, downloadUrl: string): MailWords;
  started(facts: CaseFacts): MailWords;
  /** On hold, for something that the requestor has to say. */
  asked(facts: CaseFacts, question: string): MailWords;
  /** On hold, for something else; the reason may be empty. */
  paused(facts: CaseFacts, reason: string): MailWords;
  extended(facts: CaseFacts, reason: string): MailWords;
  completed(facts: CaseFacts, result: Completion): MailWords;
  rejected(facts: CaseFacts, reason: string): MailWords;
  withdrawn(facts: CaseFacts): MailWords;
}

export interface Completion {
  /** Where the package can be had once. */
  downloadUrl?: string;
  /** What was done with the records of each source. */
  report: readonly {
    label: string;
    /** Nothing was done, as an administrator decided. */
    isLeftOut: boolean;
    erased: number;
    anonymised: number;
    kept: readonly { count: number; reason: string }[];
  }[];
}
