import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** How often keys were validated, by day and result. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  await db.schema
    .createTable('validation_counts')
    .addColumn('day', text, (c) => c.notNull())
    // 0 for an unknown key, so without a reference.
    .addColumn('product_id', integer, (c) => c.notNull())
    .addColumn('mode', text, (c) => c.notNull())
    .addColumn('result', text, (c) => c.notNull())
    .addColumn('requests', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('validation_counts_day', ['day', 'product_id', 'mode', 'result'])
    .execute();
}

export const validationCounts = { up };
