import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Scripts of the site that wait for consent. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('scripts')
    .addColumn('id', idType, id)
    .addColumn('handle', text, (c) => c.notNull().unique())
    .addColumn('label', text, (c) => c.notNull())
    .addColumn('category', text, (c) => c.notNull())
    .addColumn('script_url', text, (c) => c.notNull())
    .addColumn('blocking_method', text, (c) => c.notNull())
    .addColumn('is_active', integer, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('updated_at', integer, (c) => c.notNull())
    .execute();
}

export const scripts = { up };
