import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Datastore, Db, Trx } from '../platform/db/index.ts';
import {
  applyClaim,
  type Claim,
  countStretch,
  halvesOf,
  hasHolds,
  lockRecords,
  type Place,
  placeOf,
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
export const countClaim = (db: Db, claim: Claim): Promise<number> => count(db, claim, false);

/** How many records would be part of a claim if they were not held. */
export async function countHeld(db: Db, claim: Claim): Promise<number> {
  if (!(await hasHolds(db, claim.type))) return 0;
  return (await count(db, claim, true)) - (await count(db, claim, false));
}

/** Bit by bit, so that others get their turn. */
async function count(db: Db, claim: Claim, heldToo: boolean): Promise<number> {
  let counted = 0;
  for (const half of halvesOf(claim)) {
    let after: Place | undefined;
    for (;;) {
      const upTo = await placeOf(db, claim, { ...half, heldToo, after }, COUNTED_AT_ONCE);
      if (!upTo) break;
      counted += COUNTED_AT_ONCE;
      after = upTo;
      await nextTurn();
    }
    counted += await countStretch(db, claim, { ...half, heldToo, after });
  }
  return counted;
}

export interface SweepOptions {
  /** When it is done, in epoch milliseconds. */
  at: number;
  /** Called with the number of records of each batch, in its transaction. */
  record: (trx: Trx, records: number) => Promise<void>;
  /** Stops after the batch that runs. */
  signal?: AbortSignal | undefined;
}

/**
 * Works off a claim in batches, each a transaction of its own. Each is followed by a rest, so others
 * keep more than half of the database. Whoever is cut off has done whole batches, and whoever comes
 * next does the rest: what is done is no longer part of the claim.
 */
export async function sweep(
  datastore: Datastore,
  claim: Claim,
  { at, record, signal }: SweepOptions,
): Promise<void> {
  let size = BATCH_FIRST;
  for (const half of halvesOf(claim)) {
    // What is held stays in front: without a place to go on from it would be passed over each time.
    let after: Place | undefined;
    do {
      signal?.throwIfAborted();
      let began = 0;
      let worked = 0;
      after = await datastore.transaction(async (trx) => {
        await lockRecords(trx, claim.type);
        // What others made it wait is no measure of the batch.
        began = performance.now();
        const upTo = await placeOf(trx, claim, { ...half, after }, size);
        const records = await applyClaim(trx, claim, { ...half, after, upTo }, at);
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
