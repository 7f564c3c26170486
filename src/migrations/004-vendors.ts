import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Who receives data: the built-in library and what an installation adds. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('vendors')
    .addColumn('id', idType, id)
    .addColumn('slug', text, (c) => c.notNull().unique())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('purpose', text, (c) => c.notNull())
    .addColumn('category', text, (c) => c.notNull())
    .addColumn('data_categories', text, (c) => c.notNull())
    .addColumn('default_retention', text, (c) => c.notNull())
    .addColumn('domains', text, (c) => c.notNull())
    .addColumn('cookies', text, (c) => c.notNull())
    .addColumn('is_builtin', integer, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('updated_at', integer, (c) => c.notNull())
    .execute();
}

export const vendors = { up };
