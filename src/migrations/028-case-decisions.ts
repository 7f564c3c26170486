import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Tasks of data-subject requests say on which ground they were left undone, and what a person did. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('dsar_tasks').addColumn('ground', text).execute();
  await db.schema.alterTable('dsar_tasks').addColumn('result', text).execute();
  // An erasure that has not begun waits for approval from now on.
  await sql`update dsar_tasks set status = 'waiting' where kind = 'erase' and status = 'pending'`.execute(
    db,
  );
}

export const caseDecisions = { up };
