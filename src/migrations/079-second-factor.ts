import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What users sign in with beside their password: an authenticator app, recovery codes and passkeys. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('authenticator_apps')
    .addColumn('id', idType, id)
    .addColumn('user_id', integer, (c) => c.notNull().unique().references('users.id'))
    .addColumn('sealed_secret', text, (c) => c.notNull())
    .addColumn('last_step', integer, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('recovery_codes')
    .addColumn('id', idType, id)
    .addColumn('user_id', integer, (c) => c.notNull().references('users.id'))
    .addColumn('code_hash', text, (c) => c.notNull())
    .addUniqueConstraint('recovery_codes_code', ['user_id', 'code_hash'])
    .execute();
  await db.schema
    .createTable('passkeys')
    .addColumn('id', idType, id)
    .addColumn('user_id', integer, (c) => c.notNull().references('users.id'))
    .addColumn('credential_id', text, (c) => c.notNull().unique())
    .addColumn('public_key', text, (c) => c.notNull())
    .addColumn('counter', integer, (c) => c.notNull())
    .addColumn('transports', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('last_used_at', integer)
    .execute();
  await db.schema.createIndex('passkeys_user').on('passkeys').column('user_id').execute();
  await db.schema
    .createTable('used_challenges')
    .addColumn('challenge_hash', text, (c) => c.primaryKey())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
}

export const secondFactor = { up };
