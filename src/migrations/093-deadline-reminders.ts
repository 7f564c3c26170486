import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** When administrators were last reminded of the deadline of a request, so that one email can be about several. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('dsar_cases').addColumn('reminded_at', integer).execute();
  for (const [id, at] of await readReminders(db)) {
    await sql`update dsar_cases set reminded_at = ${at} where id = ${id}`.execute(db);
  }
}

/** When the last email about each request was queued. Its key was `dsar:reminder:ID:…`. */
async function readReminders(db: Kysely<unknown>): Promise<Map<number, number>> {
  const { rows } = await sql<{ once_key: string; created_at: number }>`
    select once_key, created_at from outbox_mails
    where once_key like 'dsar:reminder:%' order by created_at`.execute(db);
  return new Map(
    rows.map(({ once_key, created_at }) => [Number(once_key.split(':')[2]), created_at]),
  );
}

export const deadlineReminders = { up };
