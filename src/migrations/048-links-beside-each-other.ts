import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

const KEPT = 'address_hash, token_hash, customer_id, created_at, expires_at';

/** Several sign-in links of one address at a time: a request by somebody else ends none that was mailed before. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  // Made anew, since SQLite cannot drop a unique constraint.
  await db.schema
    .createTable('magic_links_several')
    .addColumn('id', idType, id)
    .addColumn('address_hash', text, (c) => c.notNull())
    .addColumn('client_hash', text)
    .addColumn('token_hash', text, (c) => c.notNull().unique())
    .addColumn('customer_id', integer, (c) => c.references('customers.id').onDelete('cascade'))
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
  await sql`insert into magic_links_several (${sql.raw(KEPT)}) select ${sql.raw(KEPT)} from magic_links order by id`.execute(
    db,
  );
  await db.schema.dropTable('magic_links').execute();
  await db.schema.alterTable('magic_links_several').renameTo('magic_links').execute();
  for (const [index, columns] of [
    ['magic_links_address', ['address_hash', 'created_at']],
    ['magic_links_customer', ['customer_id']],
    ['magic_links_expiry', ['expires_at']],
  ] as const) {
    await db.schema
      .createIndex(index)
      .on('magic_links')
      .columns([...columns])
      .execute();
  }
}

export const linksBesideEachOther = { up };
