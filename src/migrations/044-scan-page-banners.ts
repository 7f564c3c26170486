import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What became of the consent banner of each page of a scan; null where nobody looked for one. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('scan_pages').addColumn('banner', text).execute();
}

export const scanPageBanners = { up };
