import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Which acknowledgements of requests were mailed, and which wait to be mailed together. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('dsar_acknowledgements')
    .addColumn('id', idType, id)
    .addColumn('case_id', integer, (c) => c.notNull().references('dsar_cases.id'))
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('source', text, (c) => c.notNull())
    .addColumn('requested_at', integer, (c) => c.notNull())
    .addColumn('due_at', integer, (c) => c.notNull())
    .addColumn('mailed_at', integer)
    .execute();
  await db.schema
    .createIndex('dsar_acknowledgements_case')
    .on('dsar_acknowledgements')
    .column('case_id')
    .execute();
  await sql`create index dsar_acknowledgements_waiting on dsar_acknowledgements (due_at)
    where mailed_at is null`.execute(db);
}

export const acknowledgements = { up };
