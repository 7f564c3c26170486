import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Which requests administrators were told of. Those that are there already need no telling. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('dsar_cases').addColumn('alerted_at', integer).execute();
  await sql`update dsar_cases set alerted_at = received_at`.execute(db);
  await db.schema
    .createIndex('dsar_cases_alerted')
    .on('dsar_cases')
    .columns(['alerted_at', 'id'])
    .execute();
}

export const intakeAlerts = { up };
