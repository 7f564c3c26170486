import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Requests that reached the controller by another way than the form, and were entered by hand. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = columnsFor(db);
  await db.schema
    .alterTable('dsar_cases')
    .addColumn('channel', text, (c) => c.notNull().defaultTo('web'))
    .execute();
  for (const column of ['postal_address', 'phone', 'representative', 'identity_proof']) {
    await db.schema.alterTable('dsar_cases').addColumn(column, text).execute();
  }
}

export const enteredRequests = { up };
