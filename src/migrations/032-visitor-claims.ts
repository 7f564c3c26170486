import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/**
 * A visitor id that a requestor stated is kept apart from one that they showed to be theirs. Work on the requests that
 * were only received has not begun: what they state is a claim from now on.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('dsar_cases').addColumn('visitor_claim', text).execute();
  await sql`update dsar_cases set visitor_claim = visitor_id, visitor_id = null
    where status = 'received' and visitor_id is not null`.execute(db);
}

export const visitorClaims = { up };
