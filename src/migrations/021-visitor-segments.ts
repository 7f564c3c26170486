import { type Kysely, sql } from 'kysely';

/** The index of visitors by segments of ids (`platform/db/segments.ts`). */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('consent_records_visitor').execute();
  await sql`create index consent_records_visitor
    on consent_records ((id / 4096), visitor_id, id)`.execute(db);
}

export const visitorSegments = { up };
