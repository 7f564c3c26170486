import type { MailPart } from '../../../platform/mail/index.ts';
import type { RequestType } from '../rules.ts';

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
}

/** The mails of a case in one language. */
export interface Language {
  acknowledgement(facts: CaseFacts, confirmUrl: string): MailWords;
  unconfirmed(facts: CaseFacts, confirmUrl: string): MailWords;
  started(facts: CaseFacts): MailWords;
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
  report: readonly { label: string; erased: number; anonymised: number; kept: number }[];
}
