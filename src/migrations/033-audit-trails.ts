import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Who changed retention policies and legal holds, and who deleted which request. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);

  await db.schema.alterTable('record_holds').addColumn('lifted_at', integer).execute();
  await db.schema.alterTable('record_holds').addColumn('lifted_by', text).execute();
  await db.schema.alterTable('record_holds').addColumn('lifted_reason', text).execute();

  await db.schema
    .createTable('retention_changes')
    .addColumn('id', idType, id)
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('actor', text, (c) => c.notNull())
    .addColumn('subject', text, (c) => c.notNull())
    .addColumn('subject_id', integer, (c) => c.notNull())
    .addColumn('action', text, (c) => c.notNull())
    .addColumn('before', text)
    .addColumn('after', text)
    .addColumn('reason', text)
    .addColumn('anonymised_at', integer)
    .execute();

  await db.schema
    .createTable('dsar_deletions')
    .addColumn('id', idType, id)
    .addColumn('reference', text, (c) => c.notNull())
    .addColumn('request_type', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('received_at', integer, (c) => c.notNull())
    .addColumn('received_on', text, (c) => c.notNull())
    .addColumn('closed_at', integer)
    .addColumn('deleted_at', integer, (c) => c.notNull())
    .addColumn('actor', text, (c) => c.notNull())
    .addColumn('reason', text)
    .addColumn('anonymised_at', integer)
    .execute();

  // In two halves, as retention processes them.
  for (const [table, due] of [
    ['retention_changes', 'at'],
    ['dsar_deletions', 'deleted_at'],
  ] as const) {
    for (const [name, half] of [
      [`${table}_due`, sql`anonymised_at is null`],
      [`${table}_anonymised`, sql`anonymised_at is not null`],
    ] as const) {
      await sql`create index ${sql.ref(name)} on ${sql.table(table)} (${sql.ref(due)}, id, anonymised_at) where ${half}`.execute(
        db,
      );
    }
  }
}

export const auditTrails = { up };
