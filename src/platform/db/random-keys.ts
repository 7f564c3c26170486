import { type RawBuilder, sql } from 'kysely';
import { columnsFor } from './columns.ts';
import type { AnyDb } from './database.ts';

/**
 * The ids of rows whose random key meets a condition, by an index whose order starts with the segment of the id, so
 * that new rows are written to the pages of the newest segment and not all over the index. A lookup searches each
 * segment: a million rows have 16 on PostgreSQL (docs/adr/0007).
 *
 * On SQLite the index is a table that triggers write, 4,096 rows at a time; newer rows are scanned (docs/adr/0008).
 * Segments are merged in the background, so it has few (docs/adr/0035).
 */
export function findIdsByKey(
  db: AnyDb,
  table: string,
  column: string,
  condition: (key: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<{ id: number }> {
  const { isPostgres, segmentIds } = columnsFor(db);
  const rows = sql.table(table);
  const key = condition(sql.ref(column));
  if (isPostgres) {
    const segment = sql`id / ${sql.lit(segmentIds)}`;
    return sql`select id from ${rows} where ${segment} in ${segments(rows, segment)} and ${key}`;
  }
  const index = sql.table(`index_${table}_${column}`);
  const newest = sql`(select id from ${sql.table(`index_${table}_${column}_upto`)})`;
  return sql`
    select id from ${index} where segment in (${selectSegments(index)}) and ${key}
    union all
    select id from ${rows} where id > ${newest} and ${key}`;
}

/** From the first segment to the last. */
const segments = (from: RawBuilder<unknown>, segment: RawBuilder<unknown>) => sql`(
  with recursive segments (number) as (
    select min(${segment}) from ${from}
    union all
    select number + 1 from segments where number < (select max(${segment}) from ${from})
  )
  select number from segments)`;

/**
 * The segments that an index on SQLite has, all or between two numbers. One lookup finds the next: with a second lower
 * bound, SQLite would read all entries before it.
 */
export function selectSegments(
  index: RawBuilder<unknown>,
  within?: { from: number; to: number },
): RawBuilder<{ number: number }> {
  const upTo = within ? sql`segment <= ${within.to}` : sql`true`;
  const first = within ? sql`segment >= ${within.from} and ${upTo}` : upTo;
  return sql`
    with recursive segments (number) as (
      select min(segment) from ${index} where ${first}
      union all
      select (select min(segment) from ${index} where segment > number and ${upTo})
      from segments where number is not null
    )
    select number from segments where number is not null`;
}
