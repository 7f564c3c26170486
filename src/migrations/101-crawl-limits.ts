import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Which limit of the crawl kept pages of the site out of a scan. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('scans').addColumn('crawl_limit', text).execute();
}

export const crawlLimits = { up };
