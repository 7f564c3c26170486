import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Since when a licence has its customer: what was before is not theirs to see. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('licences').addColumn('transferred_at', integer).execute();
  await sql`update licences set transferred_at = (
    select max(at) from licence_events
    where licence_events.licence_id = licences.id and action = 'transferred')`.execute(db);
}

export const licenceTransfers = { up };
