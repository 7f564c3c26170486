import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What GDPR Art. 15(1)(g) and (h) have to be told from: where data comes from, and what is decided by it. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema.alterTable('data_map_entries').addColumn('data_source', text).execute();
  await db.schema.alterTable('data_map_entries').addColumn('automated_decisions', text).execute();
}

export const dataMapArt15 = { up };
