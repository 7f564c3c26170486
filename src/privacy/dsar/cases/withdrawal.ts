import { changeCases, type Dsar } from '../context.ts';
import { findCaseOfRequester } from '../intake/intake.ts';
import { createLink, revokeLinks } from '../messages/links.ts';
import { notify } from '../messages/notify.ts';
import { isClosed } from '../rules.ts';
import { type Case, lockCase } from '../store.ts';
import { hasRecentToken, insertEvent } from './history/store.ts';
import { useLink } from './links.ts';
import { transition } from './transitions.ts';

const ACTOR = 'requestor';
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
  return changeCases(dsar, async (change) => {
    const { trx, at } = change;
    const dsarCase = await lockCase(trx, found.id);
    if (!dsarCase || isClosed(dsarCase.status)) return dsarCase;
    const { id: caseId } = dsarCase;
    const purpose = 'withdraw';
    const since = at - EMAIL_INTERVAL_MS;
    if (await hasRecentToken(trx, { caseId, purpose, since })) return dsarCase;
    await revokeLinks(change, caseId, purpose);
    const link = await createLink(change, caseId, purpose);
    await insertEvent(trx, caseId, { at, actor: ACTOR, action: 'withdrawal_requested' });
    await notify(change, dsarCase, 'withdrawal', (emails) => emails.withdrawal(link), true);
    return dsarCase;
  });
}

/**
 * Withdraws a request with the emailed link, once.
 * @returns undefined for a link that is unknown, used, replaced or expired, and for a closed request
 */
export function withdraw(dsar: Dsar, token: string): Promise<Case | undefined> {
  return changeCases(dsar, async (change) => {
    const dsarCase = await useLink(change, 'withdraw', token);
    return dsarCase && transition({ ...change, actor: ACTOR }, dsarCase, 'withdrawn', {});
  });
}
