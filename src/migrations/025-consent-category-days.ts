import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/**
 * Counts of categories by day, made from the records, and on the empty day the totals as they were:
 * retention may have deleted records that they count.
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
    select '', category, accepted, rejected from consent_categories`.execute(db);
  await db.schema.dropTable('consent_categories').execute();
}

export const consentCategoryDays = { up };
