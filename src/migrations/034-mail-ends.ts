import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** When a mail was done with: sent, given up, or held. Its age counts from then. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('outbox_mails').addColumn('ended_at', integer).execute();
  await sql`update outbox_mails set ended_at = case status
    when 'sent' then sent_at when 'dead' then due_at when 'held' then created_at end`.execute(db);
  await db.schema.dropIndex('outbox_mails_ended').execute();
  await db.schema.dropIndex('outbox_mails_anonymised').execute();
  for (const [name, half] of [
    ['outbox_mails_ended', sql`anonymised_at is null`],
    ['outbox_mails_anonymised', sql`anonymised_at is not null`],
  ] as const) {
    await sql`create index ${sql.ref(name)} on outbox_mails (ended_at, id) where ${half}`.execute(
      db,
    );
  }
}

export const mailEnds = { up };
