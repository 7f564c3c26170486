import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Users of the console and of the plugin interface, and what they sign in with. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);

  await db.schema
    .createTable('users')
    .addColumn('id', idType, id)
    .addColumn('login', text, (c) => c.notNull())
    .addColumn('login_key', text, (c) => c.notNull().unique())
    .addColumn('email', text, (c) => c.notNull().unique())
    .addColumn('role', text, (c) => c.notNull())
    .addColumn('password_hash', text, (c) => c.notNull())
    .addColumn('session_version', integer, (c) => c.notNull().defaultTo(1))
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('application_passwords')
    .addColumn('id', idType, id)
    .addColumn('user_id', integer, (c) => c.notNull().references('users.id'))
    .addColumn('uuid', text, (c) => c.notNull().unique())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('hash', text, (c) => c.notNull().unique())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('last_used_at', integer)
    .addUniqueConstraint('application_passwords_name', ['user_id', 'name'])
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id', idType, id)
    .addColumn('user_id', integer, (c) => c.notNull().references('users.id'))
    .addColumn('token_hash', text, (c) => c.notNull().unique())
    .addColumn('session_version', integer, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
}

export const users = { up };
