import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The settings of a site; what visitors are asked is kept in every version it ever had. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('consent_configs')
    .addColumn('version', idType, id)
    .addColumn('hash', text, (c) => c.notNull())
    .addColumn('config', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('settings')
    .addColumn('section', text, (c) => c.primaryKey())
    .addColumn('fields', text, (c) => c.notNull())
    .execute();
}

export const settings = { up };
