import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Datastore, Db, Trx } from '../platform/db/index.ts';
import {
  applyAction,
  type Cursor,
  countRange,
  type DueRecords,
  findCursor,
  hasLegalHolds,
  lockRecords,
  partition,
} from './store.ts';

const COUNTED_AT_ONCE = 20_000;
/** A batch is as large as fits into this time, in which others wait for the embedded database. */
const BATCH_MS = 15;
const BATCH_FIRST = 200;
const BATCH_MIN = 100;
const BATCH_MAX = 1_000;
/** A batch has a third of the time, not half: its pages go on to the disk after it. */
const REST = 2;

/** How many records a claim has, without those that are held. */
export const countDueRecords = (db: Db, claim: DueRecords): Promise<number> =>
  count(db, claim, false);

/** How many records would be part of a claim if they were not held. */
export async function countRecordsUnderLegalHold(db: Db, claim: DueRecords): Promise<number> {
  if (!(await hasLegalHolds(db, claim.type))) return 0;
  return (await count(db, claim, true)) - (await count(db, claim, false));
}

/** Bit by bit, so that others get their turn. */
async function count(db: Db, claim: DueRecords, heldToo: boolean): Promise<number> {
  let counted = 0;
  for (const half of partition(claim)) {
    let after: Cursor | undefined;
    for (;;) {
      const upTo = await findCursor(db, claim, { ...half, heldToo, after }, COUNTED_AT_ONCE);
      if (!upTo) break;
      counted += COUNTED_AT_ONCE;
      after = upTo;
      await nextTurn();
    }
    counted += await countRange(db, claim, { ...half, heldToo, after });
  }
  return counted;
}

export interface BatchOptions {
  /** When it is done, in epoch milliseconds. */
  at: number;
  /** Called with the number of records of each batch, in its transaction. */
  record: (trx: Trx, records: number) => Promise<void>;
  /** Stops after the batch that runs. */
  signal?: AbortSignal | undefined;
}

/**
 * Works off a claim in batches, each a transaction of its own. Each is followed by a rest, so others
 * keep more than half of the database. An interrupted run has completed whole batches, and
 * the next one does the rest.
 */
export async function processInBatches(
  datastore: Datastore,
  claim: DueRecords,
  { at, record, signal }: BatchOptions,
): Promise<void> {
  let size = BATCH_FIRST;
  for (const half of partition(claim)) {
    // What is held stays in front: without a place to go on from it would be passed over each time.
    let after: Cursor | undefined;
    do {
      signal?.throwIfAborted();
      let began = 0;
      let worked = 0;
      after = await datastore.transaction(async (trx) => {
        await lockRecords(trx, claim.type);
        // What others made it wait is no measure of the batch.
        began = performance.now();
        const upTo = await findCursor(trx, claim, { ...half, after }, size);
        const records = await applyAction(trx, claim, { ...half, after, upTo }, at);
        if (records > 0) await record(trx, records);
        worked = performance.now() - began;
        return upTo;
      });
      // A slow disk takes its time for any commit: smaller batches would only make more of them.
      size = Math.min(BATCH_MAX, Math.max(BATCH_MIN, Math.round((size * BATCH_MS) / worked)));
      if (after) await wait(REST * (performance.now() - began));
    } while (after);
  }
}
