import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** When administrators were last reminded of the deadline of a request, so that one email can be about several. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('dsar_cases').addColumn('reminded_at', integer).execute();
}

export const deadlineReminders = { up };
