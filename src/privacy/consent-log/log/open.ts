import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Datastore } from '../../../platform/db/index.ts';
import { hashLeaves, type ReadTile } from '../../../platform/transparency-log/index.ts';
import { LogDamagedError } from './damage.ts';
import { BUNDLE_WIDTH, ENTRY_BYTES, getLastId } from './rules.ts';
import {
  findHeadRow,
  findLastRangeOf,
  findTile,
  hasLogTables,
  listBundles,
  listRangesAfterId,
  listRangesFrom,
  openLogFile,
  toBuffer,
} from './store.ts';
import type { LogDb, LogRange, LogSource } from './tables.ts';

/** The newest signed state of the log. */
export interface LogHead {
  /** Name of the log and of its key. */
  origin: string;
  /** Number of entries. */
  size: number;
  /** 32 bytes, see RFC 6962, section 2.1. */
  root: Buffer;
  /** Signed note with the checkpoint of this size. */
  checkpoint: string;
  /** Epoch milliseconds. */
  signedAt: number;
}

/** Reads the consent log. Entries never change once they are in it. */
export interface ConsentLog {
  /** Undefined until something has been logged. */
  readHead(): Promise<LogHead | undefined>;
  readTile: ReadTile;
  /**
   * Entries in order, 34 bytes each.
   * @throws LogDamagedError if the log does not have them
   */
  readEntries(from: number, count: number): Promise<Buffer>;
  /** The index of the entry of a row; undefined if the row is not logged. */
  findIndex(source: LogSource, id: number): Promise<number | undefined>;
  /** The range that has the entry of a row; undefined if the row is not logged. */
  findRange(source: LogSource, id: number): Promise<LogRange | undefined>;
  /** The highest id of each source that has an entry; 0 if there is none. */
  readLastIds(): Promise<Record<LogSource, number>>;
  /** Which rows the entries from an index on belong to; the first range may begin before it. At most `limit` ranges. */
  listRanges(from: number, limit: number): Promise<LogRange[]>;
  /** The ranges of a source that have ids higher than one, by id. */
  listRangesOf(source: LogSource, after: number): Promise<LogRange[]>;
  close(): Promise<void>;
}

/** Path of the log of an SQLite installation. */
export const toLogFile = (dataDir: string): string => join(dataDir, 'log', 'consent-log.db');

/** Opens the log for reading: on SQLite its own file, on PostgreSQL the main database. */
export function openLog(
  { datastore }: { datastore: Datastore },
  { dataDir }: { dataDir: string },
): ConsentLog {
  if (datastore.engine === 'postgres') {
    return createReader(async () => datastore.reader as unknown as LogDb);
  }
  return openLogOfSqlite(dataDir);
}

/** Opens the log of an SQLite installation for reading. It is not created. */
export function openLogOfSqlite(dataDir: string): ConsentLog {
  const file = toLogFile(dataDir);
  let opened: { db: LogDb; inode: number } | undefined;
  async function connect(): Promise<LogDb | undefined> {
    const inode = statSync(file, { throwIfNoEntry: false })?.ino;
    if (opened && opened.inode !== inode) {
      // Another process has removed or replaced the file; an open connection would still read the old one.
      const { db } = opened;
      opened = undefined;
      await db.destroy();
    }
    if (opened || inode === undefined) return opened?.db;
    const db = openLogFile(file, { readOnly: true });
    if (await hasLogTables(db)) opened ??= { db, inode };
    if (opened?.db !== db) await db.destroy();
    return opened?.db;
  }
  return createReader(connect, async () => opened?.db.destroy());
}

/** @param connect undefined while there is no log */
export function createReader(
  connect: () => Promise<LogDb | undefined>,
  close: () => Promise<void> = async () => {},
): ConsentLog {
  async function readEntries(from: number, count: number): Promise<Buffer> {
    if (count === 0) return Buffer.alloc(0);
    const db = await connect();
    const first = Math.floor(from / BUNDLE_WIDTH);
    const last = from + count - 1;
    const bundles = db ? await listBundles(db, first, Math.floor(last / BUNDLE_WIDTH)) : [];
    const start = (from - first * BUNDLE_WIDTH) * ENTRY_BYTES;
    const entries = Buffer.concat(bundles).subarray(start, start + count * ENTRY_BYTES);
    if (entries.length === count * ENTRY_BYTES) return entries;
    throw new LogDamagedError(
      `it does not have ${count === 1 ? `entry ${from}` : `all entries from ${from} to ${last}`}`,
    );
  }

  async function readTile(level: number, number: number, width: number): Promise<Buffer> {
    if (level === 0) {
      return hashLeaves(await readEntries(number * BUNDLE_WIDTH, width), ENTRY_BYTES);
    }
    const db = await connect();
    const hashes = db && (await findTile(db, level, number));
    if (hashes && hashes.length >= width * 32) return hashes.subarray(0, width * 32);
    throw new LogDamagedError(
      `it does not have ${width} hashes of tile ${number} on level ${level}`,
    );
  }

  async function findRange(source: LogSource, id: number): Promise<LogRange | undefined> {
    const db = await connect();
    const range = db && (await findLastRangeOf(db, source, id));
    return range && id < range.first_id + range.count ? range : undefined;
  }

  return {
    async readHead() {
      const db = await connect();
      const row = db && (await findHeadRow(db));
      if (!row) return undefined;
      const { origin, size, root, checkpoint, signed_at: signedAt } = row;
      return { origin, size, root: toBuffer(root), checkpoint, signedAt };
    },
    readTile,
    readEntries,
    findRange,
    async findIndex(source, id) {
      const range = await findRange(source, id);
      return range && range.first_index + id - range.first_id;
    },
    async readLastIds() {
      const db = await connect();
      const [one, two] = db ? [await findLastRangeOf(db, 1), await findLastRangeOf(db, 2)] : [];
      return { 1: getLastId(one), 2: getLastId(two) };
    },
    async listRanges(from, limit) {
      const db = await connect();
      return db ? listRangesFrom(db, from, limit) : [];
    },
    async listRangesOf(source, after) {
      const db = await connect();
      return db ? listRangesAfterId(db, source, after) : [];
    },
    close,
  };
}
