import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** How pages and emails to customers look: one row, as soon as something is set. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  await db.schema
    .createTable('branding')
    .addColumn('id', integer, (c) => c.primaryKey().notNull())
    .addColumn('name', text)
    .addColumn('support_url', text)
    .addColumn('color', text)
    .addColumn('logo', text)
    .addColumn('language', text)
    .execute();
}

export const branding = { up };
