import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Vendors that a visitor chose otherwise than their category: lists of slugs, null for none. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  for (const column of ['vendors_accepted', 'vendors_rejected'])
    await db.schema.alterTable('consent_records').addColumn(column, text).execute();
}

export const consentVendors = { up };
