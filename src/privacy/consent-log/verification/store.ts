import { type RawBuilder, sql } from 'kysely';
import { type Db, readIntegers } from '../../../platform/db/index.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { listInOrder, SOURCE_TABLES, selectFacts, selectRecord } from '../entries/store.ts';
import type { LogDb, LogRange, LogSource } from '../log/tables.ts';

/** A row as the database has it. Only the id is certain to be a number. */
export interface RawRow extends Record<string, unknown> {
  id: number;
}

/** What is read of a row: all that its entry commits to, or only whether it is there. */
export type RowDetail = { columns: EntryColumns } | 'brief';

/** Rows of a source whose ids are within limits, in order. */
export function listRows(
  db: Db,
  source: LogSource,
  { first, last, limit, detail }: { first: number; last: number; limit: number; detail: RowDetail },
): Promise<RawRow[]> {
  const table = SOURCE_TABLES[source];
  const id = sql.ref(`${table}.id`);
  const from = sql`${sql.table(table)} where ${id} >= ${first} and ${id} <= ${last}`;
  return listInOrder(db, source, { selected: selectDetail(db, source, detail), from, limit });
}

function selectDetail(db: Db, source: LogSource, detail: RowDetail): RawBuilder<unknown> {
  const createdAt = sql`${readIntegers(db, 'created_at')} as created_at`;
  if (source === 2) return detail === 'brief' ? sql`id, ${createdAt}` : selectFacts(db);
  return detail === 'brief'
    ? sql`id, ${createdAt}, ${readIntegers(db, 'anonymised_at')} as anonymised_at,
        case when salt is null then 1 else 0 end as is_anonymised`
    : selectRecord(db, detail.columns);
}

/** The ids that divide the rows of a source into parts of a size; the last part may have fewer. */
export async function listPartStarts(db: Db, source: LogSource, rows: number): Promise<number[]> {
  const table = sql.table(SOURCE_TABLES[source]);
  const starts: number[] = [];
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    const found = await sql<{ id: number }>`select id from ${table}
      where id >= ${from} and id <= ${Number.MAX_SAFE_INTEGER}
      order by id limit 1 offset ${rows}`.execute(db);
    const start = found.rows[0]?.id;
    if (start === undefined) return starts;
    starts.push(start);
    from = start;
  }
}

/** How many rows a source has, and how many of them have ids that JavaScript does not hold exactly. */
export async function countRows(
  db: Db,
  source: LogSource,
): Promise<{ total: number; outOfRange: number }> {
  const table = sql.table(SOURCE_TABLES[source]);
  const { MIN_SAFE_INTEGER: low, MAX_SAFE_INTEGER: high } = Number;
  const { rows } = await sql<{ total: number; outside: number }>`
    select (select count(*) from ${table}) as total,
      (select count(*) from ${table} where id < ${low})
        + (select count(*) from ${table} where id > ${high}) as outside`.execute(db);
  return { total: rows[0]?.total ?? 0, outOfRange: rows[0]?.outside ?? 0 };
}

/** The facts of the rows of one kind, as they are stored. */
export async function listFacts(
  db: Db,
  kinds: readonly number[],
): Promise<{ id: number; kind: number; facts: string }[]> {
  const { rows } = await sql<{ id: number; kind: number; facts: string }>`
    select id, kind, facts from consent_log_records
    where kind in (${sql.join(kinds)}) order by id`.execute(db);
  return rows;
}

/** The ranges of a source that have ids within limits, by id. */
export const listRangesWithin = (
  log: LogDb,
  source: LogSource,
  { first, last }: { first: number; last: number },
): Promise<LogRange[]> =>
  log
    .selectFrom('consent_log_ranges')
    .selectAll()
    .where('source', '=', source)
    .where('first_id', '<=', last)
    .where(({ eb }) => eb(sql`first_id + count`, '>', first))
    .orderBy('first_id')
    .execute();

/** The highest id of each source among the first entries of a log that has ids in order; 0 if there is none. */
export async function readLastIds(
  log: LogDb | undefined,
  size: number,
): Promise<Record<LogSource, number>> {
  const find = async (source: LogSource) => {
    const range = await log
      ?.selectFrom('consent_log_ranges')
      .selectAll()
      .where('source', '=', source)
      .where('first_index', '<', size)
      .orderBy('first_index', 'desc')
      .limit(1)
      .executeTakeFirst();
    return range ? range.first_id + Math.min(range.count, size - range.first_index) - 1 : 0;
  };
  return { 1: await find(1), 2: await find(2) };
}

/** Ranges by the index of their first entry, after an index. */
export const listRangesAfter = (log: LogDb, index: number, limit: number): Promise<LogRange[]> =>
  log
    .selectFrom('consent_log_ranges')
    .selectAll()
    .where('first_index', '>', index)
    .orderBy('first_index')
    .limit(limit)
    .execute();
