import { type Kysely, sql } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/**
 * What the consent log commits to. Records from before the log get a salt as well; the highest of their ids is kept,
 * because the log can only say that they were there when it began.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const { isPostgres, id, idType, integer, text, bytes } = columnsFor(db);
  await db.schema.alterTable('consent_records').addColumn('salt', bytes).execute();
  await db.schema.alterTable('consent_records').addColumn('personal_hash', bytes).execute();
  const salt = isPostgres
    ? sql`substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16)`
    : sql`randomblob(16)`;
  await sql`update consent_records set salt = ${salt}`.execute(db);
  await sql`insert into installation (name, value)
    select 'consent records before the log', cast(max(id) as text) from consent_records
    having max(id) is not null`.execute(db);
  await db.schema
    .createTable('consent_log_records')
    .addColumn('id', idType, id)
    .addColumn('kind', integer, (c) => c.notNull())
    .addColumn('facts', text, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('consent_log_witnesses')
    .addColumn('verifier_key', text, (c) => c.primaryKey())
    .addColumn('size', integer, (c) => c.notNull())
    .addColumn('checkpoint', text)
    .addColumn('cosignature', text)
    .addColumn('cosigned_at', integer)
    .addColumn('error', text)
    .addColumn('error_at', integer)
    .addColumn('failures', integer, (c) => c.notNull())
    .addColumn('contradicts', integer, (c) => c.notNull())
    .execute();
  await logBannerVersions(db);
  await logBannerPictures(db);
  // On SQLite the log has a file of its own.
  if (isPostgres) await createLogTables(db);
}

/** The versions that there are, as later ones are logged when they are created. */
async function logBannerVersions(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ version: number; hash: string; created_at: number }>`
    select version, hash, created_at from consent_configs order by version`.execute(db);
  for (const { version, hash, created_at } of rows) {
    const facts = JSON.stringify({
      config_hash: hash,
      created_at: new Date(Number(created_at)).toISOString(),
      version: Number(version),
    });
    await sql`insert into consent_log_records (kind, facts, created_at)
      values (2, ${facts}, ${created_at})`.execute(db);
  }
}

async function logBannerPictures(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Record<'version' | 'taken_at', number> & Record<string, unknown>>`
    select version, taken_at, language, layer, viewport, scheme, build_hash, sha256
    from banner_pictures order by version, id`.execute(db);
  for (const [version, taken] of Map.groupBy(rows, (row) => Number(row.version))) {
    const at = Math.max(...taken.map(({ taken_at }) => Number(taken_at)));
    const pictures = taken.map(({ build_hash, language, layer, scheme, sha256, viewport }) => ({
      build_hash,
      language,
      layer,
      scheme,
      sha256,
      viewport,
    }));
    const facts = JSON.stringify({ created_at: new Date(at).toISOString(), pictures, version });
    await sql`insert into consent_log_records (kind, facts, created_at)
      values (8, ${facts}, ${at})`.execute(db);
  }
}

async function createLogTables(db: Kysely<unknown>): Promise<void> {
  const { integer, text, bytes } = columnsFor(db);
  await db.schema
    .createTable('consent_log_bundles')
    .addColumn('number', integer, (c) => c.primaryKey())
    .addColumn('entries', bytes, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('consent_log_tiles')
    .addColumn('level', integer, (c) => c.notNull())
    .addColumn('number', integer, (c) => c.notNull())
    .addColumn('hashes', bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint('consent_log_tiles_key', ['level', 'number'])
    .execute();
  await db.schema
    .createTable('consent_log_ranges')
    .addColumn('first_index', integer, (c) => c.primaryKey())
    .addColumn('source', integer, (c) => c.notNull())
    .addColumn('kind', integer, (c) => c.notNull())
    .addColumn('first_id', integer, (c) => c.notNull())
    .addColumn('count', integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('consent_log_ranges_of_rows')
    .unique()
    .on('consent_log_ranges')
    .columns(['source', 'first_id'])
    .execute();
  await db.schema
    .createTable('consent_log_head')
    .addColumn('id', integer, (c) => c.primaryKey())
    .addColumn('origin', text, (c) => c.notNull())
    .addColumn('size', integer, (c) => c.notNull())
    .addColumn('root', bytes, (c) => c.notNull())
    .addColumn('checkpoint', text, (c) => c.notNull())
    .addColumn('signed_at', integer, (c) => c.notNull())
    .execute();
}

export const consentLog = { up };
