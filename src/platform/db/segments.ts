import { type Kysely, type RawBuilder, sql } from 'kysely';
import { columnsFor } from './columns.ts';

/**
 * A condition that any row meets, and that lets an index be used that begins with the segment of the
 * id. Random keys are indexed so: a new row is then written among the few pages of the newest segment,
 * and not at a random page of the whole index, which would cost more than the row itself. Each segment
 * is looked into in turn, which takes 250 steps for a million rows, or 16 on PostgreSQL.
 */
// biome-ignore lint/suspicious/noExplicitAny: any schema will do
export function inSegments(db: Kysely<any>, table: string): RawBuilder<boolean> {
  const from = sql.table(table);
  const ids = sql.lit(columnsFor(db).segmentIds);
  return sql`${sql.ref(`${table}.id`)} / ${ids} in (
    with recursive segments (segment) as (
      select (select min(id) from ${from}) / ${ids}
      union all
      select segment + 1 from segments where segment < (select max(id) from ${from}) / ${ids}
    )
    select segment from segments)`;
}
