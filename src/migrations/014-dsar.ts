import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Requests of data subjects: cases, what happened to them, and what is done for them. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('dsar_cases')
    .addColumn('id', idType, id)
    .addColumn('reference', text, (c) => c.notNull().unique())
    .addColumn('request_type', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('first_name', text)
    .addColumn('last_name', text)
    .addColumn('email', text)
    .addColumn('additional_info', text)
    .addColumn('visitor_id', text)
    .addColumn('language', text, (c) => c.notNull())
    .addColumn('regime', text, (c) => c.notNull())
    .addColumn('received_at', integer, (c) => c.notNull())
    .addColumn('received_on', text, (c) => c.notNull())
    .addColumn('deadline', text, (c) => c.notNull())
    .addColumn('extended_at', integer)
    .addColumn('paused_on', text)
    .addColumn('paused_days', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('verified_at', integer)
    .addColumn('assignee', text)
    .addColumn('ground', text)
    .addColumn('duplicate_of', integer)
    .addColumn('closed_at', integer)
    .addColumn('anonymised_at', integer)
    .execute();
  await sql`create index dsar_cases_open on dsar_cases (deadline, id) where closed_at is null`.execute(
    db,
  );
  await db.schema
    .createIndex('dsar_cases_email')
    .on('dsar_cases')
    .columns(['email', 'request_type'])
    .execute();
  await db.schema
    .createIndex('dsar_cases_received')
    .on('dsar_cases')
    .column('received_on')
    .execute();
  await db.schema
    .createTable('dsar_events')
    .addColumn('id', idType, id)
    .addColumn('case_id', integer, (c) => c.notNull().references('dsar_cases.id'))
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('actor', text, (c) => c.notNull())
    .addColumn('action', text, (c) => c.notNull())
    .addColumn('details', text, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('dsar_events_case').on('dsar_events').column('case_id').execute();

  await db.schema
    .createTable('dsar_tokens')
    .addColumn('id', idType, id)
    .addColumn('case_id', integer, (c) => c.notNull().references('dsar_cases.id'))
    .addColumn('purpose', text, (c) => c.notNull())
    .addColumn('token_hash', text, (c) => c.notNull().unique())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .addColumn('used_at', integer)
    .execute();
  await db.schema.createIndex('dsar_tokens_case').on('dsar_tokens').column('case_id').execute();

  await db.schema
    .createTable('dsar_tasks')
    .addColumn('id', idType, id)
    .addColumn('case_id', integer, (c) => c.notNull().references('dsar_cases.id'))
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('source', text, (c) => c.notNull())
    .addColumn('label', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('attempts', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('due_at', integer, (c) => c.notNull())
    .addColumn('next_page', text)
    .addColumn('records', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('outcome', text, (c) => c.notNull())
    .addColumn('last_error', text)
    .addColumn('reason', text)
    .addColumn('finished_at', integer)
    .execute();
  await db.schema
    .createIndex('dsar_tasks_source')
    .on('dsar_tasks')
    .columns(['case_id', 'kind', 'source'])
    .unique()
    .execute();
  await db.schema
    .createIndex('dsar_tasks_due')
    .on('dsar_tasks')
    .columns(['status', 'due_at'])
    .execute();

  await db.schema
    .createTable('dsar_pages')
    .addColumn('id', idType, id)
    .addColumn('case_id', integer, (c) => c.notNull().references('dsar_cases.id'))
    .addColumn('task_id', integer, (c) => c.notNull().references('dsar_tasks.id'))
    .addColumn('records', text, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('dsar_pages_task').on('dsar_pages').column('task_id').execute();
  await db.schema.createIndex('dsar_pages_case').on('dsar_pages').column('case_id').execute();

  await db.schema
    .createTable('dsar_packages')
    .addColumn('id', idType, id)
    .addColumn('case_id', integer, (c) => c.notNull().unique().references('dsar_cases.id'))
    .addColumn('file_name', text, (c) => c.unique())
    .addColumn('sha256', text, (c) => c.notNull())
    .addColumn('bytes', integer, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('case_closed_at', integer)
    .addColumn('anonymised_at', integer)
    .execute();

  // In two halves, as retention works them off.
  for (const [table, due] of [
    ['dsar_cases', 'closed_at'],
    ['dsar_packages', 'case_closed_at'],
    ['outbox_mails', 'sent_at'],
  ] as const) {
    await sql`create index ${sql.ref(`${table}_ended`)} on ${sql.table(table)} (${sql.ref(due)}, id) where anonymised_at is null`.execute(
      db,
    );
    await sql`create index ${sql.ref(`${table}_anonymised`)} on ${sql.table(table)} (${sql.ref(due)}, id) where anonymised_at is not null`.execute(
      db,
    );
  }
}

export const dsar = { up };
