import { listUsers } from '../../../../identity/users/index.ts';
import { queueMail } from '../../../../mail/index.ts';
import { lockName, type Trx } from '../../../../platform/db/index.ts';
import { type CaseChange, changeCases, type Dsar } from '../../context.ts';
import { renderAlert } from './alert.ts';
import { findLastAlert, listUnalerted, markAlerted } from './store.ts';

/** Anybody can send requests, so administrators get at most one email about new ones in this time. */
const AT_MOST_EVERY_MS = 3_600_000;
const ALERTS = 'dsar_alerts';

/** Read before the transaction, to keep that short. */
interface Recipients {
  addresses: readonly string[];
  fromName: string;
  language: string;
}

export async function findRecipients({ platform, site }: Dsar): Promise<Recipients> {
  const { mail, consent } = await site.settings();
  const users = await listUsers(platform);
  return {
    addresses: users.filter(({ role }) => role === 'administrator').map(({ email }) => email),
    fromName: mail.from_name,
    language: consent.languages[0] ?? 'en',
  };
}

/**
 * Emails administrators about new requests, in the transaction that stores one. Within an hour of the last such
 * email, `sendDueAlerts` reports new requests together.
 */
export async function sendAlert(
  { dsar: { site }, trx, announce, at }: CaseChange,
  { addresses, fromName, language }: Recipients,
): Promise<void> {
  if (await isTooSoon(trx, at)) return;
  await lockName(trx, ALERTS);
  if (await isTooSoon(trx, at)) return;
  const requests = await listUnalerted(trx);
  const latest = requests.at(-1);
  if (!latest) return;
  const consoleUrl = `${site.consoleUrl()}/requests`;
  const rendered = renderAlert(requests, { language, consoleUrl });
  for (const to of addresses) {
    await queueMail(trx, announce, { ...rendered, to, kind: 'dsar_new_requests', fromName }, at);
  }
  await markAlerted(trx, latest.id, at);
}

async function isTooSoon(trx: Trx, now: number): Promise<boolean> {
  const last = await findLastAlert(trx, now);
  return last !== null && now - last < AT_MOST_EVERY_MS;
}

export async function sendDueAlerts(dsar: Dsar): Promise<void> {
  if ((await listUnalerted(dsar.platform.datastore.db)).length === 0) return;
  const recipients = await findRecipients(dsar);
  await changeCases(dsar, (change) => sendAlert(change, recipients));
}
