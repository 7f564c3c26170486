import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Trials without a card: the plans that offer them, the licences, and the hashes by which each is used once. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .alterTable('plans')
    .addColumn('trial_without_card', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('licences')
    .addColumn('is_trial', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('trials')
    .addColumn('id', idType, id)
    .addColumn('product_id', integer, (c) => c.notNull().references('products.id'))
    .addColumn('address_hash', text, (c) => c.notNull())
    .addColumn('site_hash', text, (c) => c.notNull())
    .addColumn('started_at', integer, (c) => c.notNull())
    .addUniqueConstraint('trials_address', ['product_id', 'address_hash'])
    .addUniqueConstraint('trials_site', ['product_id', 'site_hash'])
    .execute();
}

export const trials = { up };
