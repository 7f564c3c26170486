import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What the owner of a site decides about findings of its scans. The latest decision about a finding applies. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('finding_decisions')
    .addColumn('id', idType, id)
    .addColumn('decided_at', integer, (c) => c.notNull())
    .addColumn('actor', text, (c) => c.notNull())
    .addColumn('site_url', text, (c) => c.notNull())
    .addColumn('thing', text, (c) => c.notNull())
    .addColumn('resource_type', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('url', text, (c) => c.notNull())
    .addColumn('decision', text, (c) => c.notNull())
    .addColumn('reason', text)
    .addColumn('anonymised_at', integer)
    .execute();
  await db.schema
    .createIndex('finding_decisions_of_thing')
    .on('finding_decisions')
    .columns(['site_url', 'thing', 'id'])
    .execute();
  // In two halves, as retention processes them.
  for (const [name, half] of [
    ['finding_decisions_due', sql`anonymised_at is null`],
    ['finding_decisions_anonymised', sql`anonymised_at is not null`],
  ] as const) {
    await sql`create index ${sql.ref(name)} on finding_decisions (decided_at, id, anonymised_at) where ${half}`.execute(
      db,
    );
  }
}

export const findingDecisions = { up };
