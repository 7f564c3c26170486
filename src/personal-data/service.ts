import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Datastore, Db, Trx } from '../platform/db/index.ts';
import { applyAction } from './changes/store.ts';
import type { RemovalCause } from './declaration.ts';
import {
  type Cursor,
  countRange,
  type DueRecords,
  findCursor,
  hasLegalHolds,
  lockRecords,
  partition,
} from './store.ts';

const COUNTED_AT_ONCE = 5_000;
/**
 * Batches are sized to take `ms`: on SQLite the event loop is blocked by their statements, on PostgreSQL most of a small
 * batch would be the way of its messages. Smaller ones than `min` would only make more commits. A pause is `rest` times as
 * long as its batch, whose pages are written to disk afterwards; PostgreSQL serves other requests during batches as well.
 */
const BATCHES = {
  sqlite: { ms: 5, first: 40, min: 20, rest: 2 },
  postgres: { ms: 30, first: 200, min: 100, rest: 1 },
};
/** The event loop is blocked while the records of a batch are hashed for the consent log. */
const BATCH_MAX = 500;

/** Without records under a legal hold. */
export const countDueRecords = (db: Db, claim: DueRecords): Promise<number> =>
  count(db, claim, false);

export async function countRecordsUnderLegalHold(db: Db, claim: DueRecords): Promise<number> {
  return (await hasLegalHolds(db, claim.type)) ? count(db, claim, true) : 0;
}

/** Counts in parts, so that other requests get their turn. */
async function count(db: Db, claim: DueRecords, held: boolean): Promise<number> {
  let counted = 0;
  for (const half of partition(claim)) {
    let after: Cursor | undefined;
    for (;;) {
      const upTo = await findCursor(db, claim, { ...half, held, after }, COUNTED_AT_ONCE);
      if (!upTo) break;
      counted += COUNTED_AT_ONCE;
      after = upTo;
      await nextTurn();
    }
    counted += await countRange(db, claim, { ...half, held, after });
  }
  return counted;
}

export interface BatchOptions {
  /** The current time, in epoch milliseconds: a run can take hours, and each batch is logged with its own time. */
  now: () => number;
  cause: RemovalCause;
  /** Called with the number of records of each batch, in its transaction. */
  record: (trx: Trx, records: number) => Promise<void>;
  /** Stops after the current batch. */
  signal?: AbortSignal | undefined;
}

/**
 * Anonymises or deletes due records in batches, each in a transaction of its own and followed by a pause, so that other
 * requests keep most of the database. An interrupted run has completed whole batches; the next run continues.
 */
export async function processInBatches(
  datastore: Datastore,
  claim: DueRecords,
  { now, cause, record, signal }: BatchOptions,
): Promise<void> {
  const { ms, first, min, rest } = BATCHES[datastore.engine];
  let size = first;
  for (const half of partition(claim)) {
    // Records under a legal hold stay due: the cursor avoids reading them again for every batch.
    let after: Cursor | undefined;
    do {
      signal?.throwIfAborted();
      let began = 0;
      let worked = 0;
      after = await datastore.transaction(async (trx) => {
        await lockRecords(trx, claim.type);
        // Without the time that it waited for the lock.
        began = performance.now();
        const upTo = await findCursor(trx, claim, { ...half, after }, size);
        const records = await applyAction(
          trx,
          claim,
          { ...half, after, upTo },
          { cause, at: now() },
        );
        if (records > 0) await record(trx, records);
        worked = performance.now() - began;
        return upTo;
      });
      size = Math.min(BATCH_MAX, Math.max(min, Math.round((size * ms) / worked)));
      if (after) await wait(rest * (performance.now() - began));
    } while (after);
  }
}
