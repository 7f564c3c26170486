import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The price of a subscription that the price list does not name. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('purchases').addColumn('unknown_price', text).execute();
}

export const unknownPrices = { up };
