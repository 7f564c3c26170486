import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Lifting a lockout, and ending one token of a customer. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  await db.schema
    .alterTable('users')
    .addColumn('lockout_version', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('ended_tokens')
    .addColumn('token_id', text, (c) => c.primaryKey())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
}

export const signIn = { up };
