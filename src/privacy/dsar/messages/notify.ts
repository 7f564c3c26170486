import { randomBytes } from 'node:crypto';
import { queueMail, type RenderedMail } from '../../../mail/index.ts';
import type { Announce, Trx } from '../../../platform/db/index.ts';
import { insertToken } from '../cases/history/store.ts';
import type { Dsar, Sender } from '../context.ts';
import { LINK_MS } from '../rules.ts';
import type { Case } from '../store.ts';
import type { EmailMessage, Emails } from './emails.ts';
import { type CaseFacts, renderEmail } from './index.ts';

type Purpose = 'verify' | 'download' | 'withdraw';

const PAGES: Record<Purpose, string> = {
  verify: 'confirm',
  download: 'download',
  withdraw: 'withdraw',
};

/** The emails about a case are listed under this path. */
const toPath = (caseId: number): string => `dsar/cases/${caseId}`;

/** What queueing an email needs, within a transaction. */
export interface Queueing {
  trx: Trx;
  announce: Announce;
  sender: Sender;
}

type Write = (emails: Emails, facts: CaseFacts) => EmailMessage;

/** An email to the requester of a case, as it would be queued. */
export function previewEmail(
  { site }: Pick<Dsar, 'site'>,
  sender: Sender,
  dsarCase: Case,
  write: Write,
): RenderedMail {
  const facts = toFacts(site, sender, dsarCase);
  return renderEmail(dsarCase.language, sender.controller, (emails) => write(emails, facts));
}

/** Queues an email to the requester of a case; none if it has no email address. */
export async function notify(
  { platform, site }: Dsar,
  by: Queueing,
  dsarCase: Case,
  kind: string,
  write: Write,
): Promise<void> {
  const { id, email } = dsarCase;
  if (email === null) return;
  const mail = previewEmail({ site }, by.sender, dsarCase, write);
  await queueEmail(by, platform.clock.now(), mail, { id, email, kind });
}

/** Queues one email about several requests from one address, in the language of the latest. */
export async function notifyTogether(
  { platform, site }: Dsar,
  by: Queueing,
  requests: readonly { dsarCase: Case; link: string }[],
  kind: 'acknowledgement' | 'unconfirmed',
): Promise<void> {
  const latest = requests.at(-1)?.dsarCase;
  if (!latest?.email) return;
  const { id, email, language } = latest;
  const listed = requests.map(({ dsarCase, link }) => ({
    facts: toFacts(site, by.sender, dsarCase),
    link,
  }));
  const mail = renderEmail(language, by.sender.controller, (emails) =>
    kind === 'acknowledgement' ? emails.acknowledgements(listed) : emails.allUnconfirmed(listed),
  );
  await queueEmail(by, platform.clock.now(), mail, { id, email, kind });
}

/** Queues one email about all requests of one address that have expired. */
export async function notifyExpired(
  { platform, site }: Dsar,
  by: Queueing,
  requests: readonly Case[],
): Promise<void> {
  const latest = requests.at(-1);
  if (!latest?.email) return;
  const { id, email, language } = latest;
  const facts = requests.map((each) => toFacts(site, by.sender, each));
  const mail = renderEmail(language, by.sender.controller, (emails) => emails.expired(facts));
  await queueEmail(by, platform.clock.now(), mail, { id, email, kind: 'expired' });
}

const toFacts = (
  site: Dsar['site'],
  sender: Sender,
  { reference, requestType, deadline, ground, pausedOn }: Case,
): CaseFacts => ({
  organisation: sender.controller.name || new URL(site.siteUrl()).host,
  reference,
  requestType,
  deadline,
  pause: { ground, pausedOn, deadline },
  statusUrl: `${site.publicUrl()}/privacy/status`,
  formUrl: `${site.publicUrl()}/privacy/`,
  replyTo: sender.reply_to,
  controller: sender.controller,
});

async function queueEmail(
  { trx, announce, sender }: Queueing,
  now: number,
  rendered: RenderedMail,
  { id, email, kind }: { id: number; email: string; kind: string },
): Promise<void> {
  const mail = {
    ...rendered,
    to: email,
    kind: `dsar_${kind}`,
    about: toPath(id),
    fromName: sender.from_name,
    replyTo: sender.reply_to,
  };
  await queueMail(trx, announce, mail, now);
}

const toLink = (site: Dsar['site'], purpose: Purpose, token: string): string =>
  `${site.publicUrl()}/privacy/${PAGES[purpose]}?token=${token}`;

/** The link that downloads a package. */
export const toDownloadUrl = ({ site }: Pick<Dsar, 'site'>, token: string): string =>
  toLink(site, 'download', token);

/** Creates a link to email. Only a hash of its token is stored. */
export async function createLink(
  { platform: { secret, clock }, site }: Dsar,
  trx: Trx,
  caseId: number,
  purpose: Purpose,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hash = hashToken(secret, purpose, token);
  const expiresAt = clock.now() + LINK_MS;
  await insertToken(trx, { caseId, purpose, hash, expiresAt });
  return toLink(site, purpose, token);
}

/** The hash that is stored of the token in an emailed link. */
export const hashToken = (
  secret: Dsar['platform']['secret'],
  purpose: Purpose,
  token: string,
): string => secret.hash(`dsar-${purpose}`, token);
