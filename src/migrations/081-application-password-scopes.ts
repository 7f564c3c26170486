import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What an application password is limited to, in JSON; null: all rights of its user. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('application_passwords').addColumn('scopes', text).execute();
}

export const applicationPasswordScopes = { up };
