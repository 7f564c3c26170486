import type { Kysely } from 'kysely';

/** Null: whoever sent the decision did not state which version of the banner was shown. */
async function up(db: Kysely<unknown>): Promise<void> {
  // Both engines change the description of the table only, however many rows there are.
  await db.schema
    .alterTable('consent_records')
    .alterColumn('config_version', (column) => column.dropNotNull())
    .execute();
}

export const configVersionNotStated = { up };
