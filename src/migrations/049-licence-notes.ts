import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** What the staff of the vendor note about a licence. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema
    .alterTable('licences')
    .addColumn('notes', text, (c) => c.notNull().defaultTo(''))
    .execute();
}

export const licenceNotes = { up };
