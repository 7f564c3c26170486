import { isRecent } from '../../../platform/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/durations.ts';
import {
  appendHashes,
  formatCheckpoint,
  hashLeaves,
} from '../../../platform/transparency-log/index.ts';
import { BUNDLE_WIDTH, ENTRY_BYTES, splitBundles } from '../log/rules.ts';
import {
  insertHead,
  insertRange,
  replaceHead,
  saveBundle,
  saveTile,
  setRangeCount,
} from '../log/store.ts';
import { listPending, type PendingScope } from './pending.ts';
import { type PendingEntry, toRanges } from './rules.ts';
import { advanceTail, type LogTail, loadTail, type TailScope } from './tail.ts';

/** Rows that are written at once. */
const BATCH = 8_192;
/** After this time all ids that were passed over are looked for again, also those of transactions that are open for long. */
const RELOAD_MS = 20 * MINUTE_MS;

export interface AppenderScope extends TailScope, PendingScope {
  /** Writes what was read from the main database to the disk. */
  syncRows: () => void;
}

/**
 * Appends the rows that have no entry yet. Each step is one transaction that replaces the head of the size it began
 * with, so of two writers one begins again, and a log never has two histories.
 */
export class Appender {
  readonly #scope: AppenderScope;
  #tail: LogTail | undefined;
  /** Number of entries of the log when it was last read or written. */
  #size = 0;

  constructor(scope: AppenderScope) {
    this.#scope = scope;
  }

  /**
   * Logs rows, at most one batch, and signs a checkpoint. Without rows it signs one if the last is a day old or was signed
   * before the clock was set back.
   * @param now epoch milliseconds
   * @returns the number of rows, and whether there may be more
   * @throws Error if the log has lost entries: it must not be begun again under its name
   */
  async append(now: number): Promise<{ logged: number; hasMore: boolean }> {
    const tail = this.#tail;
    // Read again after an error: what was committed is known only to the database.
    this.#tail = undefined;
    const current = tail && isRecent(tail.loadedAt, RELOAD_MS, now) ? tail : await this.#load(now);
    const pending = await listPending(this.#scope, current, BATCH);
    const isDue = current.size > 0 && !isRecent(current.signedAt, DAY_MS, now);
    if (pending.length === 0 && !isDue) {
      this.#tail = current;
      return { logged: 0, hasMore: false };
    }
    this.#tail = await this.#write(current, pending, now);
    this.#size = this.#tail?.size ?? this.#size;
    // Without a tail another writer was faster, and this one begins again.
    return this.#tail
      ? { logged: pending.length, hasMore: pending.length === BATCH }
      : { logged: 0, hasMore: true };
  }

  async #load(now: number): Promise<LogTail> {
    const tail = await loadTail(this.#scope, now);
    if (tail.size < this.#size) {
      // The next thread finds out whether it is lost, or was replaced by a new one.
      throw new Error(`the log has ${tail.size} entries, and had ${this.#size} before`);
    }
    this.#size = tail.size;
    return tail;
  }

  /** @returns undefined if the log has another size */
  async #write(
    tail: LogTail,
    pending: readonly PendingEntry[],
    now: number,
  ): Promise<LogTail | undefined> {
    const { log, syncRows } = this.#scope;
    // A power failure must not take a row whose entry stays.
    syncRows();
    const { size: from, signer } = tail;
    const entries = Buffer.concat(pending.map(({ entry }) => entry));
    const { edge, root, tiles } = appendHashes(tail.edge, hashLeaves(entries, ENTRY_BYTES));
    const text = formatCheckpoint({ origin: signer.name, size: edge.size, root });
    const head = { size: edge.size, root, checkpoint: signer.sign(text), signed_at: now };
    const firstBundle = Math.floor(from / BUNDLE_WIDTH);
    const bundles = splitBundles(Buffer.concat([tail.bundle, entries]));
    const { continued, added } = toRanges(pending, from, tail.lastRange);
    const isNext = await log.transaction().execute(async (trx) => {
      const isReplaced =
        from === 0
          ? await insertHead(trx, { origin: signer.name, ...head })
          : await replaceHead(trx, from, head);
      if (!isReplaced) return false;
      for (const [at, bundle] of bundles.entries()) await saveBundle(trx, firstBundle + at, bundle);
      for (const { level, number, hashes } of tiles) await saveTile(trx, level, number, hashes);
      if (continued) await setRangeCount(trx, continued.first_index, continued.count);
      for (const range of added) await insertRange(trx, range);
      return true;
    });
    if (!isNext) return undefined;
    return advanceTail(this.#scope, tail, pending, now, {
      edge,
      bundle: edge.size % BUNDLE_WIDTH === 0 ? Buffer.alloc(0) : Buffer.from(bundles.at(-1) ?? []),
      lastRange: added.at(-1) ?? continued ?? tail.lastRange,
    });
  }
}
