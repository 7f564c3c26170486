import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Vendors and scripts that extensions bring, beside those of the installation. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  for (const table of ['vendors', 'scripts']) {
    await db.schema.alterTable(table).addColumn('extension', text).execute();
    await db.schema
      .alterTable(table)
      .addColumn('is_present', integer, (c) => c.notNull().defaultTo(1))
      .execute();
  }
}

export const extensionItems = { up };
