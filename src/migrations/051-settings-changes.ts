import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** When each section of the settings was last changed, and by which user; null where nobody kept it. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema.alterTable('settings').addColumn('changed_at', integer).execute();
  await db.schema.alterTable('settings').addColumn('changed_by', integer).execute();
}

export const settingsChanges = { up };
