import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Origins whose pages were refused, so that an administrator sees what has to be allowed. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('refused_origins')
    .addColumn('id', idType, id)
    .addColumn('origin', text, (c) => c.notNull().unique())
    .addColumn('requests', integer, (c) => c.notNull())
    .addColumn('first_at', integer, (c) => c.notNull())
    .addColumn('last_at', integer, (c) => c.notNull())
    .addColumn('dismissed_at', integer)
    .execute();
}

export const refusedOrigins = { up };
