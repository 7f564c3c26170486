import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Pictures of the banner per version. Versions from before the current one get none: how they looked is not known. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text, bytes } = columnsFor(db);
  await db.schema
    .createTable('banner_picture_files')
    .addColumn('sha256', text, (c) => c.primaryKey().notNull())
    .addColumn('png', bytes, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('banner_pictures')
    .addColumn('id', idType, id)
    .addColumn('version', integer, (c) => c.notNull().references('consent_configs.version'))
    .addColumn('language', text, (c) => c.notNull())
    .addColumn('layer', text, (c) => c.notNull())
    .addColumn('viewport', text, (c) => c.notNull())
    .addColumn('scheme', text, (c) => c.notNull())
    .addColumn('shown_hash', text, (c) => c.notNull())
    .addColumn('build_hash', text, (c) => c.notNull())
    .addColumn('sha256', text, (c) => c.notNull().references('banner_picture_files.sha256'))
    .addColumn('taken_at', integer, (c) => c.notNull())
    .addUniqueConstraint('banner_pictures_of_version', [
      'version',
      'language',
      'layer',
      'viewport',
      'scheme',
    ])
    .execute();
  await db.schema
    .createIndex('banner_pictures_shown')
    .on('banner_pictures')
    .columns(['shown_hash', 'build_hash'])
    .execute();
  await db.schema
    .alterTable('consent_configs')
    .addColumn('is_pictured', integer, (c) => c.notNull().defaultTo(1))
    .execute();
  await sql`update consent_configs set is_pictured = 0
    where version < (select max(version) from consent_configs)`.execute(db);
}

export const bannerPictures = { up };
