import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Which program an application password was made for, by the UUID it calls itself; empty if it does not. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema
    .alterTable('application_passwords')
    .addColumn('app_id', text, (column) => column.notNull().defaultTo(''))
    .execute();
}

export const applicationIds = { up };
