import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Licences from other systems, with the hashes of their old keys, and the sites that have exchanged these keys. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('licence_imports')
    .addColumn('id', idType, id)
    .addColumn('licence_id', integer, (c) => c.notNull().unique().references('licences.id'))
    .addColumn('product_id', integer, (c) => c.notNull().references('products.id'))
    .addColumn('identity_hash', text, (c) => c.notNull().unique())
    .addColumn('old_key_hash', text)
    .addColumn('base', text, (c) => c.notNull())
    .addColumn('imported_at', integer, (c) => c.notNull())
    .addColumn('exchange_until', integer, (c) => c.notNull())
    .addUniqueConstraint('licence_imports_old_key', ['old_key_hash', 'product_id'])
    .execute();
  await db.schema
    .createTable('licence_exchanges')
    .addColumn('id', idType, id)
    .addColumn('activation_id', integer, (c) =>
      c.notNull().unique().references('activations.id').onDelete('cascade'),
    )
    .addColumn('exchanged_at', integer, (c) => c.notNull())
    .execute();
}

export const licenceImports = { up };
