import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Who runs a scan, and which process is at it now. Earlier scans were run by clients. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  await db.schema
    .alterTable('scans')
    .addColumn('runner', text, (c) => c.notNull().defaultTo('client'))
    .execute();
  await db.schema.alterTable('scans').addColumn('error', text).execute();
  await db.schema.alterTable('scans').addColumn('lease_holder', text).execute();
  for (const column of ['leased_until', 'takeovers']) {
    await db.schema
      .alterTable('scans')
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
  }
}

export const scanRuns = { up };
