import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Links that reset a password, and the devices of sessions. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('password_resets')
    .addColumn('id', idType, id)
    .addColumn('account_hash', text, (c) => c.notNull())
    .addColumn('token_hash', text, (c) => c.notNull().unique())
    .addColumn('user_id', integer, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
  for (const column of ['account_hash', 'user_id', 'expires_at']) {
    await db.schema
      .createIndex(`password_resets_${column}`)
      .on('password_resets')
      .column(column)
      .execute();
  }
  await db.schema.alterTable('sessions').addColumn('address', text).execute();
  await db.schema.alterTable('sessions').addColumn('user_agent', text).execute();
  await db.schema.alterTable('sessions').addColumn('last_used_at', integer).execute();
  await db.schema
    .alterTable('sessions')
    .addColumn('method', text, (c) => c.notNull().defaultTo('password'))
    .execute();
}

export const signInByEmailAndProvider = { up };
