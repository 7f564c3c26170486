import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Tokens of programs of the vendor, and the idempotency keys with which they have issued licences. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('api_tokens')
    .addColumn('id', idType, id)
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('token_hash', text, (c) => c.notNull().unique())
    .addColumn('masked_token', text, (c) => c.notNull())
    .addColumn('scopes', text, (c) => c.notNull())
    .addColumn('product_id', integer, (c) => c.references('products.id'))
    .addColumn('created_by_id', integer)
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer)
    .addColumn('last_used_at', integer)
    .addColumn('revoked_at', integer)
    .execute();
  await db.schema
    .createTable('api_issues')
    .addColumn('id', idType, id)
    .addColumn('token_id', integer, (c) => c.notNull().references('api_tokens.id'))
    .addColumn('key_hash', text, (c) => c.notNull())
    .addColumn('body_hash', text, (c) => c.notNull())
    .addColumn('licence_id', integer, (c) => c.notNull().unique().references('licences.id'))
    .addColumn('created_at', integer, (c) => c.notNull())
    .addUniqueConstraint('api_issues_key', ['token_id', 'key_hash'])
    .execute();
  // The Admin API finds licences by the URL of a site.
  await db.schema.createIndex('activations_site').on('activations').column('site_key').execute();
}

export const apiTokens = { up };
