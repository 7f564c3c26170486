import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The category and purpose that the owner gives to the site's own cookies, by name or pattern. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('cookie_classifications')
    .addColumn('id', idType, id)
    .addColumn('pattern', text, (c) => c.notNull().unique())
    .addColumn('category', text, (c) => c.notNull())
    .addColumn('purpose', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('updated_at', integer, (c) => c.notNull())
    .execute();
}

export const cookieClassifications = { up };
