import { type RawBuilder, sql } from 'kysely';
import { type Db, listRows, type Trx } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import type { RawRow } from '../entries/encoding.ts';
import { listInOrder, SOURCE_TABLES, selectFacts, selectRecord } from '../entries/store.ts';
import type { LogSource } from '../log/tables.ts';
import type { Gap } from './rules.ts';

/** Rows of a source, with the columns that an entry needs. */
export type SourceRow = RawRow & { id: number };

interface RowQuery {
  source: LogSource;
  columns: EntryColumns;
  limit: number;
}

/** Rows of a source after an id, in order. */
export const listRowsAfter = (db: Db, query: RowQuery, id: number): Promise<SourceRow[]> => {
  const table = SOURCE_TABLES[query.source];
  return listRowsOf(db, query, sql`${sql.table(table)} where ${sql.ref(`${table}.id`)} > ${id}`);
};

/** Rows of a source whose ids are in gaps, in order. PostgreSQL only: SQLite has no such gaps. */
export const listRowsWithin = (
  db: Db,
  query: RowQuery,
  gaps: readonly Gap[],
): Promise<SourceRow[]> => {
  const table = sql.table(SOURCE_TABLES[query.source]);
  const ids = gaps.map(({ first, last }) => [first, last]);
  const ranges = sql`(${listRows(db, ['integer', 'integer'], ids)}) as gaps(first, last)`;
  // Gap by gap: for a plain join PostgreSQL reads the whole table, seconds for half a million rows.
  const rows = sql`select * from ${table} where id between gaps.first and gaps.last
    order by id limit ${query.limit}`;
  return listRowsOf(db, query, sql`${ranges} cross join lateral (${rows}) as ${table}`);
};

const listRowsOf = (
  db: Db,
  { source, columns, limit }: RowQuery,
  from: RawBuilder<unknown>,
): Promise<SourceRow[]> => {
  const selected = source === 1 ? selectRecord(db, columns) : selectFacts(db);
  return listInOrder(db, source, { selected, from, limit });
};

/** The highest ids of the rows that are there; 0 for none. */
export async function findHighestIds(db: Db): Promise<Record<LogSource, number>> {
  const { rows } = await sql<{ one: number; two: number }>`
    select (select coalesce(max(id), 0) from consent_records) as one,
      (select coalesce(max(id), 0) from consent_log_records) as two`.execute(db);
  return { 1: rows[0]?.one ?? 0, 2: rows[0]?.two ?? 0 };
}

/** When rows were added. Anonymising takes the time of day from a record: no row is older than that without an entry. */
const ADDED_AT = { 1: sql`coalesce(anonymised_at, created_at)`, 2: sql`created_at` };

/** How many rows of a source have a higher id, and the lowest of their times in epoch milliseconds. */
export async function countRowsAfter(
  db: Db,
  source: LogSource,
  id: number,
): Promise<{ count: number; since: number | null }> {
  const { rows } = await sql<{ count: number; since: number | null }>`
    select count(*) as count, min(${ADDED_AT[source]}) as since
    from ${sql.table(SOURCE_TABLES[source])} where id > ${id}`.execute(db);
  return rows[0] ?? { count: 0, since: null };
}

/** The highest id that a table of an SQLite database ever had; 0 if it had none. */
export async function findLastGivenId(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq from sqlite_sequence where name = ${table}`.execute(db);
  return rows[0]?.seq ?? 0;
}

/** Lets the ids of a table of an SQLite database continue after one. */
export async function continueIds(trx: Trx, table: string, after: number): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${table}`.execute(trx);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${after})`.execute(trx);
}
