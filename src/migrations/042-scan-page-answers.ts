import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What each page of a scan was answered with, and how many pages robots.txt kept out. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('scan_pages').addColumn('http_status', integer).execute();
  await db.schema.alterTable('scan_pages').addColumn('distance', integer).execute();
  await db.schema
    .alterTable('scans')
    .addColumn('robots_excluded', integer, (c) => c.notNull().defaultTo(0))
    .execute();
}

export const scanPageAnswers = { up };
