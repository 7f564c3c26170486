import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Decisions that were sent twice count once; those that retention deletes stay counted apart. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  await db.schema
    .createTable('consent_repeats')
    .addColumn('key', text, (c) => c.primaryKey())
    .addColumn('at', integer, (c) => c.notNull())
    .addColumn('record_id', integer)
    .execute();
  await db.schema
    .alterTable('consent_daily')
    .addColumn('removed', integer, (c) => c.notNull().defaultTo(0))
    .execute();
}

export const consentRepeats = { up };
