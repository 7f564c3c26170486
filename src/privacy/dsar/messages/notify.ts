import { expireMails, queueMail, type RenderedMail } from '../../../mail/index.ts';
import type { CaseChange } from '../context.ts';
import { LINK_MS } from '../rules.ts';
import type { Case } from '../store.ts';
import { writeAcknowledgements, writeExpired } from './digests.ts';
import type { CaseFacts, EmailMessage, Emails } from './emails.ts';
import { renderEmail, renderSigned } from './index.ts';

type Write = (emails: Emails) => EmailMessage;

/** An email to the requester of a case, as it would be queued. */
export const previewEmail = (
  by: Pick<CaseChange, 'dsar' | 'sender'>,
  dsarCase: Case,
  write: Write,
): RenderedMail => renderEmail(dsarCase.language, toFacts(by, dsarCase), write);

/**
 * Queues an email to the requester of a case. Without an email address, its text is added to the letters of the change.
 * @param hasLink whether it is sent for the sake of a link that was created for it
 */
export async function notify(
  by: CaseChange,
  dsarCase: Case,
  kind: string,
  write: Write,
  hasLink = false,
): Promise<void> {
  const { subject, text, html } = previewEmail(by, dsarCase, write);
  if (dsarCase.email === null) by.letters.push({ subject, text });
  else await queueEmail(by, dsarCase, kind, { subject, text, html }, hasLink);
}

/** The kinds of emails with a link for each of several requests that must be confirmed. */
const WITH_LINKS = ['acknowledgements', 'unconfirmed_requests'] as const;

/** Queues one email about several requests from one address, in the language of the latest. */
export async function notifyTogether(
  by: CaseChange,
  requests: readonly { dsarCase: Case; link: string | undefined }[],
  kind: (typeof WITH_LINKS)[number],
): Promise<void> {
  const latest = requests.at(-1)?.dsarCase;
  if (!latest) return;
  const listed = requests.map(({ dsarCase, link }) => ({ facts: toFacts(by, dsarCase), link }));
  const mail = renderSigned(latest.language, by.sender.controller, (texts) =>
    writeAcknowledgements(texts, listed, kind === 'unconfirmed_requests'),
  );
  await queueEmail(by, latest, kind, mail, true);
}

/** The kinds of emails about several requests. */
const TOGETHER: readonly string[] = [...WITH_LINKS, 'expired'];

/** Queues one email about all requests from one address that have expired. */
export async function notifyExpired(by: CaseChange, requests: readonly Case[]): Promise<void> {
  const latest = requests.at(-1);
  if (!latest) return;
  const facts = requests.map((each) => toFacts(by, each));
  const mail = renderSigned(latest.language, by.sender.controller, (texts) =>
    writeExpired(texts, facts),
  );
  await queueEmail(by, latest, 'expired', mail);
}

const toFacts = (
  { dsar: { site, platform, formatDay }, sender }: Pick<CaseChange, 'dsar' | 'sender'>,
  { reference, requestType, regime, deadline, ground, pausedOn, email }: Case,
): CaseFacts => ({
  organisation: sender.controller.name || new URL(site.siteUrl()).host,
  reference,
  requestType,
  regime,
  deadline,
  today: formatDay(platform.clock.now()),
  pause: { ground, pausedOn, deadline },
  statusUrl: `${site.publicUrl()}/privacy/status`,
  formUrl: `${site.publicUrl()}/privacy/`,
  isEmailed: email !== null,
  replyTo: sender.reply_to,
  controller: sender.controller,
});

async function queueEmail(
  { trx, announce, sender, at }: CaseChange,
  { id, email }: Case,
  kind: string,
  rendered: RenderedMail,
  hasLink = false,
): Promise<void> {
  if (email === null) return;
  const mail = {
    ...rendered,
    to: email,
    kind: toMailKind(kind),
    about: toAbout(id),
    fromName: sender.from_name,
    replyTo: sender.reply_to,
    ...(hasLink && { expiresAt: at + LINK_MS }),
  };
  await queueMail(trx, announce, mail, at);
}

/** Gives up the emails of these kinds about a case that are not sent. */
export const expireEmails = (
  { trx, at }: Pick<CaseChange, 'trx' | 'at'>,
  caseId: number,
  kinds: readonly string[],
): Promise<void> => expireMails(trx, { about: toAbout(caseId), kinds: kinds.map(toMailKind) }, at);

/** Gives up the emails about a case that are not sent, except those about several requests. */
export const expireAllEmails = (
  { trx, at }: Pick<CaseChange, 'trx' | 'at'>,
  caseId: number,
): Promise<void> =>
  expireMails(trx, { about: toAbout(caseId), except: TOGETHER.map(toMailKind) }, at);

const toMailKind = (kind: string): string => `dsar_${kind}`;
const toAbout = (caseId: number): string => `dsar/cases/${caseId}`;
