import type { MailPart } from '../../../mail/index.ts';
import type { Controller } from '../context.ts';
import type { Hold } from '../hold-texts.ts';
import type { Channel, RequestType } from '../rules.ts';
import type { CliError, Completion } from './report/index.ts';

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
  /** What is said while it is on hold. */
  hold: Hold;
  /** Where the status can be seen. */
  statusUrl: string;
  /** Where requests are sent. */
  formUrl: string;
  /** The address that receives answers; empty if there is none. */
  replyTo: string;
  controller: Controller;
}

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
  /** Closed, as nobody has confirmed the address. */
  expired(requests: readonly CaseFacts[]): MailWords;
  started(facts: CaseFacts): MailWords;
  /** On hold, for something that the requester has to say; the question may be empty. */
  asked(facts: CaseFacts, question: string): MailWords;
  /** On hold, for something else; the reason may be empty. */
  paused(facts: CaseFacts, reason: string): MailWords;
  extended(facts: CaseFacts, reason: string): MailWords;
  completed(facts: CaseFacts, result: Completion): MailWords;
  rejected(facts: CaseFacts, refusal: CliError): MailWords;
  /** With a link that withdraws the request. */
  withdrawal(facts: CaseFacts, withdrawUrl: string): MailWords;
  withdrawn(facts: CaseFacts): MailWords;
}
