import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Pages are visited in several states of consent, and findings say in which states they were at work. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text, bytes } = columnsFor(db);
  await db.schema
    .alterTable('scans')
    .addColumn('states', text, (c) => c.notNull().defaultTo('["before","accepted"]'))
    .execute();
  await db.schema
    .alterTable('scans')
    .addColumn('started_by', text, (c) => c.notNull().defaultTo('request'))
    .execute();
  for (const name of ['states', 'verdicts', 'evidence']) {
    await db.schema
      .alterTable('scan_findings')
      .addColumn(name, text, (c) => c.notNull().defaultTo('[]'))
      .execute();
  }
  await db.schema.alterTable('scan_findings').addColumn('verdict', text).execute();
  await db.schema
    .alterTable('scan_findings')
    .addColumn('broken_promise', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('scan_visits')
    .addColumn('id', idType, id)
    .addColumn('scan_id', integer, (c) => c.notNull().references('scans.id').onDelete('cascade'))
    .addColumn('page_id', integer, (c) =>
      c.notNull().references('scan_pages.id').onDelete('cascade'),
    )
    .addColumn('state', text, (c) => c.notNull())
    .addColumn('outcome', text, (c) => c.notNull())
    .addColumn('error', text)
    .addColumn('clicks', integer, (c) => c.notNull())
    .addColumn('duration_ms', integer, (c) => c.notNull())
    .addColumn('visited_at', integer, (c) => c.notNull())
    .addColumn('recording', bytes, (c) => c.notNull())
    .addColumn('signals', text, (c) => c.notNull())
    .addColumn('banner', text)
    .addColumn('picture', bytes)
    .addColumn('picture_sha256', text)
    .addUniqueConstraint('scan_visits_of_page', ['page_id', 'state'])
    .execute();
  await db.schema
    .createIndex('scan_visits_of_scan')
    .on('scan_visits')
    .columns(['scan_id', 'page_id'])
    .execute();
}

export const scanStates = { up };
