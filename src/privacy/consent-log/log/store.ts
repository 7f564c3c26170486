import { dirname } from 'node:path';
import { sql } from 'kysely';
import { openSqliteFile } from '../../../platform/db/index.ts';
import { createFolder } from '../../../platform/durable-file.ts';
import type { LogDb, LogHeadRow, LogRange, LogSource } from './tables.ts';

const LOG_TABLES = [
  'consent_log_bundles',
  'consent_log_tiles',
  'consent_log_ranges',
  'consent_log_head',
] as const;

/** Opens the log's file of an SQLite installation, and creates the folder unless it is only read. */
export function openLogFile(file: string, { readOnly = false } = {}): LogDb {
  if (!readOnly) createFolder(dirname(file));
  return openSqliteFile(file, { readOnly });
}

/** Whether `createLogTables` has run on the file. */
export async function hasLogTables(db: LogDb): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_schema where name = 'consent_log_head'`.execute(
    db,
  );
  return rows.length > 0;
}

export const findHeadRow = (db: LogDb): Promise<LogHeadRow | undefined> =>
  db.selectFrom('consent_log_head').selectAll().where('id', '=', 1).executeTakeFirst();

/** Writes the first head. @returns false if there is one already */
export async function insertHead(db: LogDb, head: Omit<LogHeadRow, 'id'>): Promise<boolean> {
  const row = await db
    .insertInto('consent_log_head')
    .values({ id: 1, ...head })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces the head that has a size. @returns false if the log has another size */
export async function replaceHead(
  db: LogDb,
  fromSize: number,
  { size, root, checkpoint, signed_at }: Omit<LogHeadRow, 'id' | 'origin'>,
): Promise<boolean> {
  const row = await db
    .updateTable('consent_log_head')
    .set({ size, root, checkpoint, signed_at })
    .where('id', '=', 1)
    .where('size', '=', fromSize)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The entries of bundles from one number up to another, in order; undefined where a bundle is missing. */
export async function listBundles(db: LogDb, from: number, to: number): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('consent_log_bundles')
    .select(['number', 'entries'])
    .where('number', '>=', from)
    .where('number', '<=', to)
    .orderBy('number')
    .execute();
  return rows.map(({ entries }) => toBuffer(entries));
}

export async function saveBundle(db: LogDb, number: number, entries: Uint8Array): Promise<void> {
  await db
    .insertInto('consent_log_bundles')
    .values({ number, entries })
    .onConflict((conflict) => conflict.column('number').doUpdateSet({ entries }))
    .execute();
}

export async function findTile(
  db: LogDb,
  level: number,
  number: number,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('consent_log_tiles')
    .select('hashes')
    .where('level', '=', level)
    .where('number', '=', number)
    .executeTakeFirst();
  return row && toBuffer(row.hashes);
}

export async function saveTile(
  db: LogDb,
  level: number,
  number: number,
  hashes: Uint8Array,
): Promise<void> {
  await db
    .insertInto('consent_log_tiles')
    .values({ level, number, hashes })
    .onConflict((conflict) => conflict.columns(['level', 'number']).doUpdateSet({ hashes }))
    .execute();
}

export async function insertRange(db: LogDb, range: LogRange): Promise<void> {
  await db.insertInto('consent_log_ranges').values(range).execute();
}

export async function setRangeCount(db: LogDb, firstIndex: number, count: number): Promise<void> {
  await db
    .updateTable('consent_log_ranges')
    .set({ count })
    .where('first_index', '=', firstIndex)
    .execute();
}

/** The range that holds an index, and those after it, in order. */
export async function listRangesFrom(db: LogDb, index: number, limit: number): Promise<LogRange[]> {
  const first = await findLastRange(db, index);
  return db
    .selectFrom('consent_log_ranges')
    .selectAll()
    .where('first_index', '>=', first?.first_index ?? index)
    .orderBy('first_index')
    .limit(limit)
    .execute();
}

export const listRangesAfterId = (db: LogDb, source: LogSource, id: number): Promise<LogRange[]> =>
  db
    .selectFrom('consent_log_ranges')
    .selectAll()
    .where('source', '=', source)
    .where(sql<boolean>`first_id + count - 1 > ${id}`)
    .orderBy('first_id')
    .execute();

/** The range with the highest first index up to one. */
export const findLastRange = (
  db: LogDb,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<LogRange | undefined> =>
  db
    .selectFrom('consent_log_ranges')
    .selectAll()
    .where('first_index', '<=', upTo)
    .orderBy('first_index', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The range of a source with the highest first id up to one. */
export const findLastRangeOf = (
  db: LogDb,
  source: LogSource,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<LogRange | undefined> =>
  db
    .selectFrom('consent_log_ranges')
    .selectAll()
    .where('source', '=', source)
    .where('first_id', '<=', upTo)
    .orderBy('first_id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Ids of a source between its ranges, which have no entry: `first` up to `last`. */
export async function listGaps(
  db: LogDb,
  source: LogSource,
): Promise<{ first: number; last: number }[]> {
  const { rows } = await sql<{ first: number; last: number }>`
    select first, last from (
      select coalesce(lag(first_id + count) over (order by first_id), 1) as first,
        first_id - 1 as last
      from consent_log_ranges where source = ${source}) as gaps
    where first <= last order by first`.execute(db);
  return rows;
}

/** Removes all entries, with all that is about them. */
export async function deleteLog(db: LogDb): Promise<void> {
  for (const table of LOG_TABLES) await db.deleteFrom(table).execute();
}

/** @param bytes of a column. Someone can have put a text or a number into it on SQLite: then they match no hash. */
export const toBuffer = (bytes: Uint8Array | string | number): Buffer =>
  bytes instanceof Uint8Array
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Buffer.from(String(bytes));
