import type { Trx } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { changeCases, type Dsar } from '../context.ts';
import { revokeLinks } from '../messages/links.ts';
import { notifyExpired } from '../messages/notify.ts';
import { type Case, lockCase, updateCase } from '../store.ts';
import { announceStatus } from './change.ts';
import { findLastEvent, insertEvent } from './history/store.ts';
import { listExpired } from './queue/store.ts';

const EXPIRES_AFTER_DAYS = 30;
const EXPIRED = 'request_expired';

/**
 * Closes requests from the form that were not confirmed within 30 days, with one email to each address. A request
 * stays open if an administrator has worked on it, was assigned it, extended its deadline or added a note, or if its
 * latest link still works. If closing those of one address fails, it is tried again with the next run.
 */
export async function expireUnconfirmed(dsar: Dsar): Promise<void> {
  const { datastore, clock, log } = dsar.platform;
  const now = clock.now();
  const expired = await listExpired(datastore.db, expiredAt(now));
  for (const requests of Map.groupBy(expired, ({ email }) => email).values()) {
    await changeCases(dsar, async (change) => {
      const closed: Case[] = [];
      for (const { id } of requests) {
        const dsarCase = await expire(change.trx, id, change.at);
        if (!dsarCase) continue;
        closed.push(dsarCase);
        await announceStatus(change, { ...dsarCase, status: 'received' }, dsarCase);
      }
      await notifyExpired(change, closed);
    }).catch((err: unknown) =>
      log.error({ err }, 'the unconfirmed requests of one address could not be closed'),
    );
  }
}

const expiredAt = (now: number) => ({ before: now - EXPIRES_AFTER_DAYS * DAY_MS, now });

/** Whether a case is closed because it was not confirmed. */
export async function isExpired(
  { platform }: Pick<Dsar, 'platform'>,
  { id, status }: Case,
): Promise<boolean> {
  if (status !== 'withdrawn') return false;
  const { db } = platform.datastore;
  return (await findLastEvent(db, id, ['status_changed', EXPIRED]))?.action === EXPIRED;
}

/** Undefined if the case was confirmed, changed, deleted or sent a new link meanwhile. */
async function expire(trx: Trx, id: number, at: number): Promise<Case | undefined> {
  await lockCase(trx, id);
  if ((await listExpired(trx, { ...expiredAt(at), id })).length === 0) return undefined;
  const details = { after_days: EXPIRES_AFTER_DAYS };
  await revokeLinks({ trx, at }, id, 'verify');
  await insertEvent(trx, id, { at, actor: 'system', action: EXPIRED, details });
  return updateCase(trx, id, { status: 'withdrawn', closedAt: at });
}
