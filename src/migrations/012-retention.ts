import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** How long records are kept: policies, what they have done, and what is held against them. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);

  // In two halves, of which a decision that is recorded meets only the first. With the column that
  // tells them apart, for SQLite to count without a look at the rows.
  for (const [table, due] of [
    ['consent_records', 'expires_at'],
    ['activations', 'deactivated_at'],
    ['licence_events', 'at'],
    ['scans', 'started_at'],
  ] as const) {
    await db.schema.alterTable(table).addColumn('anonymised_at', integer).execute();
    await sql`create index ${sql.ref(`${table}_due`)} on ${sql.table(table)} (${sql.ref(due)}, id, anonymised_at) where anonymised_at is null`.execute(
      db,
    );
    await sql`create index ${sql.ref(`${table}_anonymised`)} on ${sql.table(table)} (${sql.ref(due)}, id, anonymised_at) where anonymised_at is not null`.execute(
      db,
    );
  }

  await db.schema
    .createTable('record_holds')
    .addColumn('id', idType, id)
    .addColumn('data_category', text, (c) => c.notNull())
    .addColumn('record_id', integer)
    .addColumn('reason', text, (c) => c.notNull())
    .addColumn('placed_by', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('record_holds_record')
    .on('record_holds')
    .columns(['data_category', 'record_id'])
    .execute();

  await db.schema
    .createTable('retention_policies')
    .addColumn('id', idType, id)
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('data_category', text, (c) => c.notNull())
    .addColumn('period_value', integer, (c) => c.notNull())
    .addColumn('period_unit', text, (c) => c.notNull())
    .addColumn('action', text, (c) => c.notNull())
    .addColumn('is_active', integer, (c) => c.notNull())
    .addColumn('last_run_at', integer)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('updated_at', integer, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('retention_runs')
    .addColumn('id', idType, id)
    .addColumn('started_by', text, (c) => c.notNull())
    .addColumn('as_of', integer, (c) => c.notNull())
    .addColumn('started_at', integer, (c) => c.notNull())
    .addColumn('last_seen_at', integer, (c) => c.notNull())
    .addColumn('finished_at', integer)
    .execute();
  await db.schema
    .createTable('retention_run_details')
    .addColumn('id', idType, id)
    .addColumn('run_id', integer, (c) => c.notNull().references('retention_runs.id'))
    .addColumn('policy_id', integer, (c) => c.notNull())
    .addColumn('policy_name', text, (c) => c.notNull())
    .addColumn('data_category', text, (c) => c.notNull())
    .addColumn('action', text, (c) => c.notNull())
    .addColumn('due_before', integer, (c) => c.notNull())
    .addColumn('records_affected', integer, (c) => c.notNull())
    .addColumn('records_held', integer, (c) => c.notNull())
    .addColumn('error', text)
    .execute();
  await db.schema
    .createIndex('retention_run_details_run')
    .on('retention_run_details')
    .column('run_id')
    .execute();

  // Work that one node at a time does.
  await db.schema
    .createTable('jobs')
    .addColumn('name', text, (c) => c.primaryKey())
    .addColumn('next_at', integer, (c) => c.notNull())
    .addColumn('holder', text)
    .addColumn('leased_until', integer, (c) => c.notNull())
    .addColumn('last_started_at', integer)
    .addColumn('last_finished_at', integer)
    .execute();
}

export const retention = { up };
