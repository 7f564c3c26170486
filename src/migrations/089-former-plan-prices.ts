import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Subscriptions stay on the price that they were sold at, after the plan got another. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema
    .alterTable('plans')
    .addColumn('former_prices', text, (column) => column.notNull().defaultTo('[]'))
    .execute();
}

export const formerPlanPrices = { up };
