import type { Trx } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import type { Dsar } from '../context.ts';
import { notifyExpired } from '../messages/notify.ts';
import { type Case, lockCase, updateCase } from '../store.ts';
import { announceStatus } from './change.ts';
import { insertEvent, revokeTokens } from './history/store.ts';
import { listExpired } from './queue/store.ts';

/** For how long a request waits for its address to be confirmed. */
const EXPIRES_AFTER_DAYS = 30;

/**
 * Closes requests from the form that nobody has confirmed within 30 days, with one mail to each address. What an
 * administrator has begun to work on, taken on or written a note about stays open, and so does a request
 * whose latest link still works.
 */
export async function expireUnconfirmed(dsar: Dsar): Promise<void> {
  const { datastore, clock } = dsar.platform;
  const { mail: sender } = await dsar.site.settings();
  const now = clock.now();
  const before = now - EXPIRES_AFTER_DAYS * DAY_MS;
  const expired = await listExpired(datastore.db, { before, now });
  const byAddress = Map.groupBy(expired, ({ email }) => email);
  for (const requests of byAddress.values()) {
    await datastore.transaction(async (trx, announce) => {
      const closed: Case[] = [];
      for (const { id } of requests) {
        const dsarCase = await expire(dsar, trx, id);
        if (!dsarCase) continue;
        closed.push(dsarCase);
        announceStatus(announce, { ...dsarCase, status: 'received' }, dsarCase.status);
      }
      await notifyExpired(dsar, { trx, announce, sender }, closed);
    });
  }
}

/** Somebody may have confirmed it, or begun to work on it, at this moment. */
async function expire(dsar: Dsar, trx: Trx, id: number): Promise<Case | undefined> {
  const dsarCase = await lockCase(trx, id);
  const isUntouched = dsarCase?.status === 'received' && dsarCase.verifiedAt === null;
  if (!isUntouched || dsarCase.assignee !== null) return undefined;
  const at = dsar.platform.clock.now();
  const details = { after_days: EXPIRES_AFTER_DAYS };
  await revokeTokens(trx, id, 'verify', at);
  await insertEvent(trx, id, { at, actor: 'system', action: 'request_expired', details });
  return updateCase(trx, id, { status: 'withdrawn', closedAt: at });
}
