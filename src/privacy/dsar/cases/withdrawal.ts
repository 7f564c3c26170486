import type { Dsar } from '../context.ts';
import { findCaseOfRequester } from '../intake/intake.ts';
import { createLink, hashToken, notify } from '../messages/notify.ts';
import { isClosed } from '../rules.ts';
import { type Case, findCase, lockCase } from '../store.ts';
import { findToken, hasRecentToken, insertEvent, revokeTokens, useToken } from './history/store.ts';
import { transition } from './transitions.ts';

const REQUESTOR = 'requestor';
/** Others may know reference and address, so the link is emailed at most once in this time. */
const EMAIL_INTERVAL_MS = 3_600_000;

/**
 * Emails the requester a link that withdraws the request. Others may know reference and address, so these
 * alone do not withdraw it. A closed case gets no link.
 * @returns the case; undefined if reference and address do not match
 */
export async function requestWithdrawal(
  dsar: Dsar,
  given: { reference: string; email: string },
): Promise<Case | undefined> {
  const found = await findCaseOfRequester(dsar, given);
  if (!found) return undefined;
  const { datastore, clock } = dsar.platform;
  const { mail: sender } = await dsar.site.settings();
  return datastore.transaction(async (trx, announce) => {
    const dsarCase = await lockCase(trx, found.id);
    if (!dsarCase) return undefined;
    const { id, status } = dsarCase;
    if (isClosed(status)) return dsarCase;
    const at = clock.now();
    if (
      await hasRecentToken(trx, { caseId: id, purpose: 'withdraw', since: at - EMAIL_INTERVAL_MS })
    )
      return dsarCase;
    await revokeTokens(trx, id, 'withdraw', at);
    const link = await createLink(dsar, trx, id, 'withdraw');
    const event = { at, actor: REQUESTOR, action: 'withdrawal_requested', details: {} };
    await insertEvent(trx, id, event);
    await notify(dsar, { trx, announce, sender }, dsarCase, 'withdrawal', (emails, facts) =>
      emails.withdrawal(facts, link),
    );
    return dsarCase;
  });
}

/** Whether an emailed link can withdraw a request. It is not used up. */
export async function isWithdrawalLinkValid(dsar: Dsar, token: string): Promise<boolean> {
  const { datastore, secret, clock } = dsar.platform;
  const hash = hashToken(secret, 'withdraw', token);
  const link = await findToken(datastore.db, { purpose: 'withdraw', hash });
  if (!link || link.usedAt !== null || link.revokedAt !== null) return false;
  const dsarCase = await findCase(datastore.db, link.caseId);
  return link.expiresAt > clock.now() && dsarCase !== undefined && !isClosed(dsarCase.status);
}

/**
 * Withdraws a request with the emailed link, once.
 * @returns undefined for a link that is unknown, used, replaced or expired, and for a closed request
 */
export async function withdraw(dsar: Dsar, token: string): Promise<Case | undefined> {
  const { datastore, secret, clock } = dsar.platform;
  const hash = hashToken(secret, 'withdraw', token);
  const { mail: sender } = await dsar.site.settings();
  return datastore.transaction(async (trx, announce) => {
    const at = clock.now();
    const link = await findToken(trx, { purpose: 'withdraw', hash });
    const dsarCase = link && (await lockCase(trx, link.caseId));
    if (!dsarCase || isClosed(dsarCase.status)) return undefined;
    if ((await useToken(trx, { purpose: 'withdraw', hash }, at)) === undefined) return undefined;
    // A withdrawal does not erase anything.
    const change = { dsar, trx, announce, sender, autoErase: false, actor: REQUESTOR, at };
    return transition(change, dsarCase, 'withdrawn', {});
  });
}
