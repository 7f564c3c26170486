import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Links that were mailed to data subjects can be revoked. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('dsar_tokens').addColumn('revoked_at', integer).execute();
}

export const revokedLinks = { up };
