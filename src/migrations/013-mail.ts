import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Mail on its way out. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('outbox_mails')
    .addColumn('id', idType, id)
    .addColumn('message_id', text, (c) => c.notNull().unique())
    .addColumn('once_key', text, (c) => c.unique())
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('recipient', text)
    .addColumn('from_name', text)
    .addColumn('reply_to', text)
    .addColumn('subject', text)
    .addColumn('body_text', text)
    .addColumn('body_html', text)
    .addColumn('status', text, (c) =>
      c.notNull().check(sql`status in ('pending', 'sending', 'sent', 'dead', 'held')`),
    )
    .addColumn('attempts', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('deferrals', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('due_at', integer, (c) => c.notNull())
    .addColumn('last_error', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('sent_at', integer)
    .addColumn('anonymised_at', integer)
    .execute();
  await db.schema
    .createIndex('outbox_mails_due')
    .on('outbox_mails')
    .columns(['status', 'due_at'])
    .execute();
  await db.schema
    .createIndex('outbox_mails_recipient')
    .on('outbox_mails')
    .columns(['recipient', 'created_at'])
    .execute();
}

export const mail = { up };
