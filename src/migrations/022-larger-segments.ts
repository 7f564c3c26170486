import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The same index by the segments that each engine does best with: PostgreSQL's are larger. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('consent_records_visitor').execute();
  await sql`create index consent_records_visitor
    on consent_records ((id / ${sql.lit(columnsFor(db).segmentIds)}), visitor_id, id)`.execute(db);
}

export const largerSegments = { up };
