import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/**
 * Counts of categories by day, made from the records. What the records do not account for, since
 * retention has deleted some, is kept on the empty day: it belongs to the totals and to no period.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { isPostgres, integer, text } = columnsFor(db);
  await db.schema
    .createTable('consent_category_daily')
    .addColumn('day', text, (c) => c.notNull())
    .addColumn('category', text, (c) => c.notNull())
    .addColumn('accepted', integer, (c) => c.notNull())
    .addColumn('rejected', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('consent_category_daily_key', ['day', 'category'])
    .execute();
  const named = (list: 'categories_accepted' | 'categories_rejected') =>
    isPostgres
      ? sql`jsonb_array_elements_text(${sql.ref(list)}::jsonb) as named (value)`
      : sql`json_each(${sql.ref(list)}) as named`;
  await sql`insert into consent_category_daily (day, category, accepted, rejected)
    select day, category, sum(accepted), sum(rejected) from (
      select day, named.value as category, 1 as accepted, 0 as rejected
        from consent_records, ${named('categories_accepted')}
      union all
      select day, named.value as category, 0 as accepted, 1 as rejected
        from consent_records, ${named('categories_rejected')}
    ) as decided group by day, category`.execute(db);
  await sql`insert into consent_category_daily (day, category, accepted, rejected)
    select '', category, accepted, rejected from (
      select total.category,
        total.accepted - coalesce(sum(counted.accepted), 0) as accepted,
        total.rejected - coalesce(sum(counted.rejected), 0) as rejected
      from consent_categories as total
      left join consent_category_daily as counted on counted.category = total.category
      group by total.category, total.accepted, total.rejected
    ) as remaining where accepted <> 0 or rejected <> 0`.execute(db);
  await db.schema.dropTable('consent_categories').execute();
}

export const consentCategoryDays = { up };
