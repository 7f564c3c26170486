import { setTimeout as wait } from 'node:timers/promises';
import { findSegmentMerge, moveEntries } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { Worker } from '../../platform/jobs/worker.ts';

const VISITORS = { table: 'consent_records', column: 'visitor_id' };
/** Steps are sized to take this time, for which the event loop is blocked. */
const STEP_MS = 3;
/** Entries of each of 32 segments. */
const AT_ONCE = { first: 8, max: 128 };
/** A pause is this many times as long as its step, so that other requests keep most of the database. */
const REST = 4;

/**
 * Merges segments of the index of visitors on SQLite, so that a search looks into few (docs/adr/0035).
 * @returns a worker that is not needed on PostgreSQL
 */
export function visitorIndexMerger({
  datastore,
  log,
}: Pick<Platform, 'datastore' | 'log'>): Worker {
  let atOnce = AT_ONCE.first;
  return new Worker({
    name: 'visitor_index',
    log,
    async work(signal) {
      const merge = await findSegmentMerge(datastore.db, VISITORS);
      if (!merge) return false;
      let worked = 0;
      await datastore.transaction(async (trx) => {
        // Without the time that it waited for the lock.
        const began = performance.now();
        await moveEntries(trx, VISITORS, merge, atOnce);
        worked = performance.now() - began;
      });
      atOnce = Math.min(AT_ONCE.max, Math.max(1, Math.round((atOnce * STEP_MS) / worked)));
      await wait(REST * worked, undefined, { signal });
      return true;
    },
  });
}
