import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Emails with a link that stops working are not sent any more after that. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('outbox_mails').addColumn('expires_at', integer).execute();
}

export const mailExpiry = { up };
