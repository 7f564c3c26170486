import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Which erasures this database knows of, and what is left of a person whose request for one was completed. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  await db.schema
    .createTable('erasures')
    .addColumn('id', text, (c) => c.primaryKey())
    .addColumn('at', integer, (c) => c.notNull())
    .execute();
  await db.schema.alterTable('dsar_cases').addColumn('erased_at', integer).execute();
  await db.schema.alterTable('dsar_cases').addColumn('email_hash', text).execute();
}

export const erasures = { up };
