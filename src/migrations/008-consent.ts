import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What visitors decided, and the counts that are kept with each decision. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('consent_records')
    .addColumn('id', idType, id)
    .addColumn('visitor_id', text, (c) => c.notNull())
    .addColumn('categories_accepted', text, (c) => c.notNull())
    .addColumn('categories_rejected', text, (c) => c.notNull())
    .addColumn('consent_action', text, (c) => c.notNull())
    .addColumn('day', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('config_version', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .addColumn('source', text)
    .addColumn('language', text)
    .addColumn('page_url', text)
    .addColumn('gpc', integer)
    .execute();
  await db.schema
    .createIndex('consent_records_day')
    .on('consent_records')
    .columns(['day', 'id'])
    .execute();
  await db.schema
    .createIndex('consent_records_action')
    .on('consent_records')
    .columns(['consent_action', 'day', 'id'])
    .execute();
  await db.schema
    .createIndex('consent_records_visitor')
    .on('consent_records')
    .columns(['visitor_id', 'id'])
    .execute();

  await db.schema
    .createTable('consent_daily')
    .addColumn('day', text, (c) => c.notNull())
    .addColumn('consent_action', text, (c) => c.notNull())
    .addColumn('total', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('consent_daily_key', ['day', 'consent_action'])
    .execute();
  await db.schema
    .createTable('consent_categories')
    .addColumn('category', text, (c) => c.primaryKey())
    .addColumn('accepted', integer, (c) => c.notNull())
    .addColumn('rejected', integer, (c) => c.notNull())
    .execute();
}

export const consent = { up };
