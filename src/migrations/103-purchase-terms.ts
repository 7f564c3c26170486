import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The end of a lifetime licence: 9999-12-31T23:59:59.000Z. */
const NEVER = 253_402_300_799_000;

/**
 * Which purchases have a customer at the payment service, and how many sites a package had. Subscriptions have a customer.
 * Lifetime licences have one if they renew a licence that the same person had a subscription for.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema
    .alterTable('purchases')
    .addColumn('has_customer', integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('purchases').addColumn('package_sites', integer).execute();
  await sql`update purchases set has_customer = 1 where expires_at < ${sql.lit(NEVER)}
    or exists (select 1 from purchases earlier
      where earlier.licence_id = purchases.licence_id and earlier.customer_id = purchases.customer_id
        and earlier.id < purchases.id and earlier.expires_at < ${sql.lit(NEVER)})`.execute(db);
}

export const purchaseTerms = { up };
