import { type Kysely, sql } from 'kysely';

/** Release keys get a name of their own: "signing key" is the key of the server. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('release_signing_keys').renameTo('release_keys').execute();
  await db.schema.alterTable('releases').renameColumn('signing_key_id', 'release_key_id').execute();
  await sql`update security_events set event = 'release_key_changed' where event = 'signing_key_changed'`.execute(
    db,
  );
}

export const releaseKeys = { up };
