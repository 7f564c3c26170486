import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Links with which customers sign in: one an address, the latest. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer, text } = columnsFor(db);
  await db.schema
    .createTable('magic_links')
    .addColumn('address_hash', text, (c) => c.primaryKey())
    .addColumn('token_hash', text, (c) => c.notNull().unique())
    .addColumn('customer_id', integer, (c) => c.references('customers.id').onDelete('cascade'))
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('magic_links_customer')
    .on('magic_links')
    .column('customer_id')
    .execute();
  await db.schema
    .createIndex('magic_links_expiry')
    .on('magic_links')
    .column('expires_at')
    .execute();
}

export const magicLinks = { up };
