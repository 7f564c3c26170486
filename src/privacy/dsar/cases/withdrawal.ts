import { notFound, RestError } from '../../../platform/rest/errors.ts';
import type { Dsar } from '../context.ts';
import { caseOf } from '../intake/intake.ts';
import { hashOf, mailedLink, notify } from '../messages/notify.ts';
import { isClosed } from '../rules.ts';
import { type Case, findCase, lockCase } from '../store.ts';
import { findToken, hasRecentToken, insertEvent, revokeTokens, useToken } from './history/store.ts';
import { move } from './transitions.ts';

const REQUESTOR = 'requestor';
/** Whoever knows reference and address can ask for the link: the person gets it at most once in that time. */
const AT_MOST_EVERY_MS = 3_600_000;

/**
 * Mails the requestor a link that withdraws the request. Reference and address may be known to others,
 * so they alone withdraw nothing.
 * @returns the case; undefined for every mismatch, as for the status
 * @throws RestError 409 `invalid_transition` for a closed request
 */
export async function requestWithdrawal(
  dsar: Dsar,
  given: { reference: string; email: string },
): Promise<Case | undefined> {
  const found = await caseOf(dsar, given);
  if (!found) return undefined;
  const { datastore, clock } = dsar.platform;
  const { mail: sender } = await dsar.site.settings();
  return datastore.transaction(async (trx, announce) => {
    const dsarCase = await lockCase(trx, found.id);
    if (!dsarCase) return undefined;
    const { id, status } = dsarCase;
    if (isClosed(status)) {
      const message = `The request is ${status}: only open requests can be withdrawn.`;
      throw new RestError(409, 'invalid_transition', message);
    }
    const at = clock.now();
    if (
      await hasRecentToken(trx, { caseId: id, purpose: 'withdraw', since: at - AT_MOST_EVERY_MS })
    )
      return dsarCase;
    await revokeTokens(trx, id, 'withdraw', at);
    const link = await mailedLink(dsar, trx, id, 'withdraw');
    const event = { at, actor: REQUESTOR, action: 'withdrawal_requested', details: {} };
    await insertEvent(trx, id, event);
    await notify(dsar, { trx, announce, sender }, dsarCase, 'withdrawal', (words, facts) =>
      words.withdrawal(facts, link),
    );
    return dsarCase;
  });
}

/** Whether a mailed link would withdraw a request now. Nothing is used up. */
export async function isWithdrawalLinkGood(dsar: Dsar, token: string): Promise<boolean> {
  const { datastore, secret, clock } = dsar.platform;
  const hash = hashOf(secret, 'withdraw', token);
  const link = await findToken(datastore.db, { purpose: 'withdraw', hash });
  if (!link || link.usedAt !== null || link.revokedAt !== null) return false;
  const dsarCase = await findCase(datastore.db, link.caseId);
  return link.expiresAt > clock.now() && dsarCase !== undefined && !isClosed(dsarCase.status);
}

/**
 * Withdraws a request by the link that was mailed for it, once.
 * @throws RestError 404 `not_found` for a link that is unknown, used, replaced or too old, and for a
 * request that was closed since
 */
export async function withdraw(dsar: Dsar, token: string): Promise<Case> {
  const { datastore, secret, clock } = dsar.platform;
  const hash = hashOf(secret, 'withdraw', token);
  const { mail: sender } = await dsar.site.settings();
  return datastore.transaction(async (trx, announce) => {
    const at = clock.now();
    const caseId = await useToken(trx, { purpose: 'withdraw', hash }, at);
    const dsarCase = caseId === undefined ? undefined : await lockCase(trx, caseId);
    if (!dsarCase || isClosed(dsarCase.status)) throw notFound('An open request for this link');
    // A withdrawal erases nothing.
    const change = { dsar, trx, announce, sender, autoErase: false, actor: REQUESTOR, at };
    return move(change, dsarCase, 'withdrawn', {});
  });
}
