import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What is processed, by whom, and on which ground: the records of GDPR Art. 30. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('data_map_entries')
    .addColumn('id', idType, id)
    .addColumn('vendor_id', integer, (c) => c.notNull().references('vendors.id'))
    .addColumn('purpose', text, (c) => c.notNull())
    .addColumn('legal_basis', text, (c) => c.notNull())
    .addColumn('data_categories', text, (c) => c.notNull())
    .addColumn('retention_period', text, (c) => c.notNull())
    .addColumn('retention_days', integer)
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('data_subjects', text)
    .addColumn('recipients', text)
    .addColumn('third_countries', text)
    .addColumn('safeguards', text)
    .addColumn('security_measures', text)
    .addColumn('controller', text)
    .addColumn('review_date', text)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('updated_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('data_map_entries_by_vendor')
    .on('data_map_entries')
    .column('vendor_id')
    .execute();
}

export const dataMap = { up };
