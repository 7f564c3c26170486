import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Releases of products, with their files in parts and the keys that sign them. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text, bytes } = columnsFor(db);
  await db.schema
    .createTable('release_signing_keys')
    .addColumn('id', idType, id)
    .addColumn('product_id', integer, (c) => c.notNull().references('products.id'))
    .addColumn('public_key', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('added_at', integer, (c) => c.notNull())
    .addColumn('retired_at', integer)
    .addUniqueConstraint('release_signing_keys_key', ['product_id', 'public_key'])
    .execute();
  await db.schema
    .createTable('release_files')
    .addColumn('id', idType, id)
    .addColumn('product_id', integer, (c) => c.notNull().references('products.id'))
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('sealed_at', integer)
    .execute();
  await db.schema
    .createTable('release_file_parts')
    .addColumn('file_id', integer, (c) => c.notNull().references('release_files.id'))
    .addColumn('position', integer, (c) => c.notNull())
    .addColumn('content', bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint('release_file_parts_position', ['file_id', 'position'])
    .execute();
  await db.schema
    .createTable('releases')
    .addColumn('id', idType, id)
    .addColumn('product_id', integer, (c) => c.notNull().references('products.id'))
    .addColumn('version', text, (c) => c.notNull())
    .addColumn('channel', text, (c) => c.notNull())
    .addColumn('file_id', integer, (c) => c.notNull().references('release_files.id'))
    .addColumn('file_name', text, (c) => c.notNull())
    .addColumn('bytes', integer, (c) => c.notNull())
    .addColumn('sha256', text, (c) => c.notNull())
    .addColumn('signature', text, (c) => c.notNull())
    .addColumn('signing_key_id', integer, (c) => c.notNull().references('release_signing_keys.id'))
    .addColumn('requires_wp', text)
    .addColumn('requires_php', text)
    .addColumn('tested_wp', text)
    .addColumn('update_uri', text)
    .addColumn('changelog', text, (c) => c.notNull())
    .addColumn('security', integer, (c) => c.notNull())
    .addColumn('rollout_percent', integer, (c) =>
      c.notNull().check(sql`rollout_percent between 0 and 100`),
    )
    .addColumn('published_at', integer, (c) => c.notNull())
    .addColumn('yanked_at', integer)
    .addColumn('yank_reason', text)
    .addColumn('sbom_file_id', integer, (c) => c.references('release_files.id'))
    .addColumn('sbom_format', text)
    .addColumn('downloads', integer, (c) => c.notNull().defaultTo(0))
    .addUniqueConstraint('releases_version', ['product_id', 'version'])
    .execute();
}

export const releases = { up };
