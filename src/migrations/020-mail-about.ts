import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What a mail is about, so that what was sent about one thing can be listed. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('outbox_mails').addColumn('about', text).execute();
  await db.schema
    .createIndex('outbox_mails_about')
    .on('outbox_mails')
    .columns(['about', 'id'])
    .execute();
}

export const mailAbout = { up };
