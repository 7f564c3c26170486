import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The keys that sign licence files and leases. Without rows there is only the one derived from the secret. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('signing_keys')
    .addColumn('id', idType, id)
    .addColumn('kid', text, (c) => c.notNull().unique())
    .addColumn('public_key', text, (c) => c.notNull())
    .addColumn('sealed_key', text)
    .addColumn('endorsement', text)
    .addColumn('created_at', integer)
    .addColumn('retired_at', integer)
    .addColumn('revoked_at', integer)
    .execute();
}

export const signingKeys = { up };
