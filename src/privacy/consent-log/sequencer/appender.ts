import { type Db, findFact, openThreadDatabase, syncDatabase } from '../../../platform/db/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import {
  appendHashes,
  createSigner,
  type Edge,
  formatCheckpoint,
  hashLeaves,
  readEdge,
  type Signer,
} from '../../../platform/transparency-log/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { createRecordEntries, toFactsEntry } from '../entries/entries.ts';
import { LAST_ID_BEFORE_LOG } from '../entries/kinds.ts';
import { createReader, openLogOfSqlite, toLogFile } from '../log/open.ts';
import { BUNDLE_WIDTH, ENTRY_BYTES, splitBundles } from '../log/rules.ts';
import {
  findHeadRow,
  findLastRange,
  insertHead,
  insertRange,
  listBundles,
  listGaps,
  openLogFile,
  replaceHead,
  saveBundle,
  saveTile,
  setRangeCount,
} from '../log/store.ts';
import { createLogTables, type LogDb, type LogRange, type LogSource } from '../log/tables.ts';
import { describeLoss } from '../lost-log/service.ts';
import { findNewOrigin } from '../lost-log/store.ts';
import { readNotedHead } from '../noted-head/service.ts';
import { findGaps, type Gap, type PendingEntry, toRanges } from './rules.ts';
import { listRowsAfter, listRowsWithin, type SourceRow } from './store.ts';

/** Rows that are written at once, and that are read at once: they are garbage as soon as their entries are computed. */
const BATCH = 8_192;
const PAGE = 512;
/** How long an id that was passed over is looked for in each run. */
const GAP_MS = 10 * MINUTE_MS;
/** After this time all ids that were passed over are looked for again. */
const RELOAD_MS = HOUR_MS;
/** The banner version is logged before the decisions that name it. */
const SOURCES: readonly LogSource[] = [2, 1];

interface Scope {
  /** The main database, for reading. */
  db: Db;
  log: LogDb;
  /** Writes what was read from the main database to the disk. */
  syncRows: () => void;
  /** Name of a new log. */
  origin: string;
  /** Ed25519 seed, 32 bytes. */
  seed: Uint8Array;
  columns: EntryColumns;
  toEntry: (source: LogSource, row: SourceRow) => PendingEntry;
  /** Whether an id can be committed after a higher one (PostgreSQL). */
  hasLateIds: boolean;
}

/** The log as it was when it had a size. */
interface State {
  size: number;
  signer: Signer;
  signedAt: number;
  /** Entries of the last bundle if it is partial. */
  bundle: Buffer;
  edge: Edge;
  lastRange: LogRange | undefined;
  lastIds: Record<LogSource, number>;
  gaps: Gap[];
  /** When it was read, in epoch milliseconds. */
  loadedAt: number;
}

/**
 * Appends the rows that have no entry yet. Each step is one transaction that replaces the head of the size it began
 * with, so of two writers one begins again, and a log never has two histories.
 */
class Appender {
  readonly #scope: Scope;
  #state: State | undefined;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /**
   * Logs rows, at most one batch, and signs a checkpoint. Without rows it signs one if the last is a day old.
   * @param now epoch milliseconds
   * @returns the number of rows, and whether there may be more
   */
  async append(now: number): Promise<{ logged: number; hasMore: boolean }> {
    const state = this.#state;
    // Read again after an error: what was committed is known only to the database.
    this.#state = undefined;
    const current =
      state && now - state.loadedAt < RELOAD_MS ? state : await loadState(this.#scope, now);
    const pending = await this.#readPending(current);
    const isDue = current.size > 0 && now - current.signedAt >= DAY_MS;
    if (pending.length === 0 && !isDue) {
      this.#state = current;
      return { logged: 0, hasMore: false };
    }
    this.#state = await this.#write(current, pending, now);
    // Without a state another writer was faster, and this one begins again.
    return this.#state
      ? { logged: pending.length, hasMore: pending.length === BATCH }
      : { logged: 0, hasMore: true };
  }

  async #readPending({ gaps, lastIds }: State): Promise<PendingEntry[]> {
    const { db, columns, toEntry } = this.#scope;
    const pending: PendingEntry[] = [];
    for (const source of SOURCES) {
      const query = (most: number) => ({
        source,
        columns,
        limit: Math.min(most, BATCH - pending.length),
      });
      const passedOver = gaps.filter((gap) => gap.source === source);
      const late = passedOver.length > 0 ? await listRowsWithin(db, query(BATCH), passedOver) : [];
      for (const row of late) pending.push(toEntry(source, row));
      let rows: SourceRow[];
      let after = lastIds[source];
      do {
        rows = await listRowsAfter(db, query(PAGE), after);
        for (const row of rows) pending.push(toEntry(source, row));
        after = rows.at(-1)?.id ?? after;
      } while (rows.length === PAGE && pending.length < BATCH);
    }
    return pending;
  }

  /** @returns undefined if the log has another size */
  async #write(
    state: State,
    pending: readonly PendingEntry[],
    now: number,
  ): Promise<State | undefined> {
    const { log, syncRows } = this.#scope;
    // A power failure must not take a row whose entry stays.
    syncRows();
    const { size: from, signer } = state;
    const entries = Buffer.concat(pending.map(({ entry }) => entry));
    const { edge, root, tiles } = appendHashes(state.edge, hashLeaves(entries, ENTRY_BYTES));
    const text = formatCheckpoint({ origin: signer.name, size: edge.size, root });
    const head = { size: edge.size, root, checkpoint: signer.sign(text), signed_at: now };
    const firstBundle = Math.floor(from / BUNDLE_WIDTH);
    const bundles = splitBundles(Buffer.concat([state.bundle, entries]));
    const { continued, added } = toRanges(pending, from, state.lastRange);
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
    return this.#advance(state, pending, now, {
      edge,
      bundle: edge.size % BUNDLE_WIDTH === 0 ? Buffer.alloc(0) : Buffer.from(bundles.at(-1) ?? []),
      lastRange: added.at(-1) ?? continued ?? state.lastRange,
    });
  }

  #advance(
    state: State,
    pending: readonly PendingEntry[],
    now: number,
    next: Pick<State, 'edge' | 'bundle' | 'lastRange'>,
  ): State | Promise<State> {
    const { lastIds, gaps } = state;
    // A late id ends a gap or divides it. The ranges in the log say how.
    if (pending.some(({ source, id }) => id <= lastIds[source])) return loadState(this.#scope, now);
    const found = this.#scope.hasLateIds ? findGaps(pending, lastIds, now) : [];
    const getLastId = (source: LogSource) =>
      pending.findLast((each) => each.source === source)?.id ?? lastIds[source];
    return {
      ...state,
      ...next,
      size: next.edge.size,
      signedAt: now,
      lastIds: { 1: getLastId(1), 2: getLastId(2) },
      gaps: [...gaps.filter(({ since }) => now - since < GAP_MS), ...found],
    };
  }
}

async function loadState({ log, origin, seed, hasLateIds }: Scope, now: number): Promise<State> {
  const head = await findHeadRow(log);
  const size = head?.size ?? 0;
  const last = Math.floor(size / BUNDLE_WIDTH);
  const [bundle = Buffer.alloc(0)] = await listBundles(log, last, last);
  const gaps: Gap[] = [];
  for (const source of hasLateIds ? SOURCES : []) {
    const found = await listGaps(log, source);
    gaps.push(...found.map((gap) => ({ source, since: now, ...gap })));
  }
  const reader = createReader(async () => log);
  return {
    size,
    signer: createSigner(head?.origin ?? origin, seed),
    signedAt: head?.signed_at ?? 0,
    // Another writer may have added to it since the head was read.
    bundle: bundle.subarray(0, (size % BUNDLE_WIDTH) * ENTRY_BYTES),
    edge: await readEdge(reader.readTile, size),
    lastRange: await findLastRange(log),
    lastIds: await reader.readLastIds(),
    gaps,
    loadedAt: now,
  };
}

/** What an appender of its own connections needs; a worker thread receives it as a copy. */
export interface AppenderOrder {
  databaseUrl: string;
  dataDir: string;
  /** Name of a new log. */
  origin: string;
  /** Ed25519 seed, 32 bytes. */
  seed: Uint8Array;
  columns: EntryColumns;
}

/**
 * Opens the database for reading and the log for writing.
 * @throws Error if the log is not the one that the database knows: another history must not be signed under its name
 */
export async function openAppender({ databaseUrl, dataDir, columns, ...key }: AppenderOrder) {
  const db = await openThreadDatabase(databaseUrl);
  const isSqlite = databaseUrl.startsWith('sqlite:');
  await assertNotLost(db, { isSqlite, dataDir }).catch(async (error) => {
    await db.destroy();
    throw error;
  });
  const log = isSqlite ? openLogFile(toLogFile(dataDir)) : (db as unknown as LogDb);
  if (isSqlite) await createLogTables(log);
  const toRecordEntry = createRecordEntries(
    columns,
    Number((await findFact(db, LAST_ID_BEFORE_LOG)) ?? 0),
  );
  const toEntry = (source: LogSource, row: SourceRow) => ({
    source,
    id: row.id,
    ...(source === 1 ? toRecordEntry(row) : toFactsEntry(row)),
  });
  const origin = (await findNewOrigin(db)) ?? key.origin;
  const syncRows = () => syncDatabase(databaseUrl);
  const scope = { ...key, origin, db, log, syncRows, columns, toEntry, hasLateIds: !isSqlite };
  const appender = new Appender(scope);
  return {
    append: (now: number) => appender.append(now),
    async close() {
      await db.destroy();
      if (isSqlite) await log.destroy();
    },
  };
}

async function assertNotLost(db: Db, place: { isSqlite: boolean; dataDir: string }): Promise<void> {
  const log = place.isSqlite
    ? openLogOfSqlite(place.dataDir)
    : createReader(async () => db as unknown as LogDb);
  const loss = await describeLoss(await readNotedHead(db), log, place).finally(() => log.close());
  if (loss !== undefined) throw new Error(loss);
}
