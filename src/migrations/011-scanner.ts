import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Scans of the site: each with its pages, and what was found on them. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('scans')
    .addColumn('id', idType, id)
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('site_url', text, (c) => c.notNull())
    .addColumn('depth', integer, (c) => c.notNull())
    .addColumn('engine', text, (c) => c.notNull())
    .addColumn('started_at', integer, (c) => c.notNull())
    .addColumn('completed_at', integer)
    .execute();
  await db.schema.createIndex('scans_by_start').on('scans').column('started_at').execute();

  await db.schema
    .createTable('scan_pages')
    .addColumn('id', idType, id)
    .addColumn('scan_id', integer, (c) => c.notNull().references('scans.id').onDelete('cascade'))
    .addColumn('url', text, (c) => c.notNull())
    .addColumn('state', text, (c) => c.notNull())
    .addColumn('partial', integer, (c) => c.notNull())
    .addColumn('error', text)
    .addUniqueConstraint('scan_pages_once', ['scan_id', 'url'])
    .execute();

  await db.schema
    .createTable('scan_findings')
    .addColumn('id', idType, id)
    .addColumn('scan_id', integer, (c) => c.notNull().references('scans.id').onDelete('cascade'))
    .addColumn('page_id', integer, (c) =>
      c.notNull().references('scan_pages.id').onDelete('cascade'),
    )
    .addColumn('thing', text, (c) => c.notNull())
    .addColumn('resource_type', text, (c) => c.notNull())
    .addColumn('url', text, (c) => c.notNull())
    .addColumn('host', text, (c) => c.notNull())
    .addColumn('third_party', integer, (c) => c.notNull())
    .addColumn('vendor_id', integer)
    .addColumn('category', text)
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('consent_state', text, (c) => c.notNull())
    .addColumn('needs_consent', integer, (c) => c.notNull())
    .addColumn('blocked', integer, (c) => c.notNull())
    .addColumn('sources', text, (c) => c.notNull())
    .addColumn('details', text, (c) => c.notNull())
    .addColumn('first_seen', integer, (c) => c.notNull())
    .addUniqueConstraint('scan_findings_once', ['page_id', 'thing'])
    .execute();
  await db.schema
    .createIndex('scan_findings_in_order')
    .on('scan_findings')
    .columns(['scan_id', 'id'])
    .execute();
  await db.schema
    .createIndex('scan_findings_by_type')
    .on('scan_findings')
    .columns(['scan_id', 'resource_type', 'id'])
    .execute();
  await db.schema
    .createIndex('scan_findings_by_vendor')
    .on('scan_findings')
    .columns(['scan_id', 'vendor_id'])
    .execute();
  await db.schema
    .createIndex('scan_findings_by_thing')
    .on('scan_findings')
    .columns(['thing', 'first_seen'])
    .execute();
}

export const scanner = { up };
