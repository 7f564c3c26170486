import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Until when an application password works; null: until it is revoked. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('application_passwords').addColumn('expires_at', integer).execute();
}

export const applicationPasswordExpiry = { up };
