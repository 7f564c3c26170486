import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Links that reset a password, the devices of sessions, and users of an identity provider. */
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
  await db.schema
    .createTable('user_identities')
    .addColumn('id', idType, id)
    .addColumn('user_id', integer, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('issuer', text, (c) => c.notNull())
    .addColumn('subject', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('last_used_at', integer, (c) => c.notNull())
    .addUniqueConstraint('user_identities_subject', ['issuer', 'subject'])
    .execute();
  await db.schema
    .createIndex('user_identities_user')
    .on('user_identities')
    .column('user_id')
    .execute();
  await db.schema
    .alterTable('users')
    .addColumn('own_email_entry', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update users set own_email_entry = 1 where exists (
    select 1 from user_events
    where user_events.user_id = users.id and user_events.actor_id = users.id
      and user_events.action = 'address_changed'
  )`.execute(db);
}

export const signInByEmailAndProvider = { up };
