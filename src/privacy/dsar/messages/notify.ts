import { randomBytes } from 'node:crypto';
import { queueMail, type RenderedMail } from '../../../mail/index.ts';
import type { Announce, Trx } from '../../../platform/db/index.ts';
import { insertToken } from '../cases/history/store.ts';
import type { Dsar, Sender } from '../context.ts';
import { LINK_MS } from '../rules.ts';
import type { Case } from '../store.ts';
import { type CaseFacts, mailIn } from './index.ts';

type Purpose = 'verify' | 'download' | 'withdraw';

const PAGES: Record<Purpose, string> = {
  verify: 'confirm',
  download: 'download',
  withdraw: 'withdraw',
};

/** What the mails about a case are listed under. */
const pathOf = (caseId: number): string => `dsar/cases/${caseId}`;

type Write = (
  words: Parameters<Parameters<typeof mailIn>[2]>[0],
  facts: CaseFacts,
) => ReturnType<Parameters<typeof mailIn>[2]>;

/** A mail to the requester of a case, as it would be queued. */
export function renderMail(
  { site }: Pick<Dsar, 'site'>,
  sender: Sender,
  dsarCase: Case,
  write: Write,
): RenderedMail {
  const facts = factsOf(site, sender, dsarCase);
  return mailIn(dsarCase.language, sender.controller, (words) => write(words, facts));
}

/** Queues a mail to the requestor of a case; none if the case is anonymised. */
export async function notify(
  { platform, site }: Dsar,
  { trx, announce, sender }: { trx: Trx; announce: Announce; sender: Sender },
  dsarCase: Case,
  kind: string,
  write: Write,
): Promise<void> {
  const { id, email } = dsarCase;
  if (email === null) return;
  const mail = renderMail({ site }, sender, dsarCase, write);
  await queue({ trx, announce, sender, now: platform.clock.now() }, mail, { id, email, kind });
}

/** Queues one mail about several requests from one address, in the language of the latest. */
export async function notifyTogether(
  { platform, site }: Dsar,
  { trx, announce, sender }: { trx: Trx; announce: Announce; sender: Sender },
  requests: readonly { dsarCase: Case; link: string }[],
  kind: 'acknowledgement' | 'unconfirmed',
): Promise<void> {
  const latest = requests.at(-1)?.dsarCase;
  if (!latest?.email) return;
  const { id, email, language } = latest;
  const listed = requests.map(({ dsarCase, link }) => ({
    facts: factsOf(site, sender, dsarCase),
    link,
  }));
  const mail = mailIn(language, sender.controller, (words) =>
    kind === 'acknowledgement' ? words.acknowledgements(listed) : words.allUnconfirmed(listed),
  );
  await queue({ trx, announce, sender, now: platform.clock.now() }, mail, { id, email, kind });
}

/** Queues one mail about all requests of one address that have expired. */
export async function notifyExpired(
  { platform, site }: Dsar,
  { trx, announce, sender }: { trx: Trx; announce: Announce; sender: Sender },
  requests: readonly Case[],
): Promise<void> {
  const latest = requests.at(-1);
  if (!latest?.email) return;
  const { id, email, language } = latest;
  const facts = requests.map((each) => factsOf(site, sender, each));
  const mail = mailIn(language, sender.controller, (words) => words.expired(facts));
  const now = platform.clock.now();
  await queue({ trx, announce, sender, now }, mail, { id, email, kind: 'expired' });
}

const factsOf = (
  site: Dsar['site'],
  sender: Sender,
  { reference, requestType, deadline, ground, pausedOn }: Case,
): CaseFacts => ({
  site: new URL(site.siteUrl()).host,
  reference,
  requestType,
  deadline,
  hold: { ground, pausedOn, deadline },
  statusUrl: `${site.publicUrl()}/privacy/status`,
  formUrl: `${site.publicUrl()}/privacy/`,
  replyTo: sender.reply_to,
  controller: sender.controller,
});

async function queue(
  { trx, announce, sender, now }: { trx: Trx; announce: Announce; sender: Sender; now: number },
  rendered: RenderedMail,
  { id, email, kind }: { id: number; email: string; kind: string },
): Promise<void> {
  const mail = {
    ...rendered,
    to: email,
    kind: `dsar_${kind}`,
    about: pathOf(id),
    fromName: sender.from_name,
    replyTo: sender.reply_to,
  };
  await queueMail(trx, announce, mail, now);
}

const linkOf = (site: Dsar['site'], purpose: Purpose, token: string): string =>
  `${site.publicUrl()}/privacy/${PAGES[purpose]}?token=${token}`;

/** Where a package is downloaded with a token. */
export const downloadUrlOf = ({ site }: Pick<Dsar, 'site'>, token: string): string =>
  linkOf(site, 'download', token);

/** Makes a link for a mail; what is kept of it is a hash. */
export async function mailedLink(
  { platform: { secret, clock }, site }: Dsar,
  trx: Trx,
  caseId: number,
  purpose: Purpose,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hash = hashOf(secret, purpose, token);
  const expiresAt = clock.now() + LINK_MS;
  await insertToken(trx, { caseId, purpose, hash, expiresAt });
  return linkOf(site, purpose, token);
}

/** What is kept of the token in a mailed link. */
export const hashOf = (
  secret: Dsar['platform']['secret'],
  purpose: Purpose,
  token: string,
): string => secret.hash(`dsar-${purpose}`, token);
