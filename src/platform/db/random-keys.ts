import { type Kysely, type RawBuilder, sql } from 'kysely';
import { columnsFor } from './columns.ts';

/**
 * The ids of the rows whose random key meets a condition, by the key's index. Its order begins with
 * the segment of the id, so that new rows are written among the pages of the newest segment and not at
 * a random page of the whole index, which would cost more than the row itself. Each segment is looked
 * into in turn, of which a million rows have 61, or 16 on PostgreSQL.
 *
 * On SQLite, which writes each page that a commit has touched, the index is a table that triggers
 * write, a thousand rows at a time: rows that are newer than the last of these are looked through.
 * @param condition what is true of the key, which it is given as a column
 */
export function findIdsByKey(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
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
    select id from ${index} where segment in ${segments(index, sql.ref('segment'))} and ${key}
    union all
    select id from ${rows} where id > ${newest} and ${key}`;
}

/** From the first segment that there is to the last. */
const segments = (from: RawBuilder<unknown>, segment: RawBuilder<unknown>) => sql`(
  with recursive segments (number) as (
    select min(${segment}) from ${from}
    union all
    select number + 1 from segments where number < (select max(${segment}) from ${from})
  )
  select number from segments)`;
