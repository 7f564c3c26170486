import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Facts about the installation itself, one a row. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema
    .createTable('installation')
    .addColumn('name', text, (c) => c.primaryKey())
    .addColumn('value', text, (c) => c.notNull())
    .execute();
}

export const installation = { up };
