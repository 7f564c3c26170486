import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The privacy policy of a vendor as the installation has entered it; null for none, or for that of the library. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('vendors').addColumn('privacy_url', text).execute();
}

export const vendorPrivacyUrl = { up };
