import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { CliError } from '../errors.ts';
import type { AnyDb } from './database.ts';
import { databaseFault } from './database-fault.ts';
import type { Datastore } from './datastore.ts';
import { lockName } from './dialect.ts';
import { computeChecksum, isCurrent } from './migration-checksum.ts';

export type { Migration } from 'kysely/migration';

export const MIGRATIONS_TABLE = 'pavis_migrations';
/** Starts with the name of Kysely's table, so that `moveToPostgres` leaves it out as well. */
const CHECKSUMS_TABLE = `${MIGRATIONS_TABLE}_checksums`;
const WAIT_FOR_OTHERS_MS = 30 * 60_000;

export interface MigrationStatus {
  applied: string[];
  pending: string[];
}

/** @throws CliError if the database has a migration that this version does not know, or one that was edited after it was applied */
export async function migrationStatus(
  { db, engine }: Datastore,
  migrations: Record<string, Migration>,
): Promise<MigrationStatus> {
  const rows = await listApplied(db);
  for (const { name, checksum } of rows) {
    const migration = migrations[name];
    if (!migration) {
      throw new CliError(
        `the database was written by a newer version of Pavis (it has the migration ${name}): install that version, or restore a backup made before it`,
      );
    }
    if (checksum) assertSame(name, checksum, await computeChecksum(migration, engine));
  }
  const applied = rows.map(({ name }) => name);
  const pending = Object.keys(migrations).filter((name) => !applied.includes(name));
  return { applied, pending: pending.toSorted() };
}

/**
 * Applies pending migrations, after other processes that do the same, and saves checksums of all.
 * @throws CliError as `migrationStatus`
 */
export async function migrate(
  datastore: Datastore,
  migrations: Record<string, Migration>,
): Promise<MigrationStatus> {
  const status = await applyPending(datastore, migrations);
  await saveChecksums(datastore, migrations);
  return status;
}

async function applyPending(
  datastore: Datastore,
  migrations: Record<string, Migration>,
): Promise<MigrationStatus> {
  const before = await migrationStatus(datastore, migrations);
  if (before.pending.length === 0) return before;
  return datastore.withMigrationDb(async (db) => {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      migrationTableName: MIGRATIONS_TABLE,
      migrationLockTableName: `${MIGRATIONS_TABLE}_lock`,
    });
    const deadline = performance.now() + WAIT_FOR_OTHERS_MS;
    for (;;) {
      const { error, results } = await migrator.migrateToLatest();
      if (!error) {
        const done = (results ?? []).map((result) => result.migrationName);
        return { applied: [...before.applied, ...done], pending: [] };
      }
      if (databaseFault(error) !== 'contention' || performance.now() > deadline) throw error;
    }
  });
}

function assertSame(name: string, applied: string, known: string): void {
  if (applied === known || !isCurrent(applied)) return;
  throw new CliError(
    `the migration ${name} was edited after it was applied to this database (its checksum is ${shorten(known)}, the applied one ${shorten(applied)}): restore its released text, and make changes to the schema in a new migration`,
  );
}

const shorten = (checksum: string): string => checksum.slice(2, 10);

/** If the process is killed before this, the next start does it. */
async function saveChecksums(
  datastore: Datastore,
  migrations: Record<string, Migration>,
): Promise<void> {
  const { db, engine } = datastore;
  const missing = (await listApplied(db)).filter(({ checksum }) => !isCurrent(checksum));
  if (missing.length === 0) return;
  const checksums = new Map<string, string>();
  for (const { name } of missing) {
    const migration = migrations[name];
    if (migration) checksums.set(name, await computeChecksum(migration, engine));
  }
  await datastore.transaction(async (trx) => {
    await lockName(trx, CHECKSUMS_TABLE);
    await trx.schema
      .createTable(CHECKSUMS_TABLE)
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('checksum', 'text', (c) => c.notNull())
      .execute();
    for (const [name, checksum] of checksums) {
      await sql`insert into ${sql.table(CHECKSUMS_TABLE)} (name, checksum)
        values (${name}, ${checksum})
        on conflict (name) do update set checksum = excluded.checksum`.execute(trx);
    }
  });
}

/** Without a checksum: applied before there were checksums. */
async function listApplied(db: AnyDb): Promise<{ name: string; checksum: string | undefined }[]> {
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name));
  if (!tables.has(MIGRATIONS_TABLE)) return [];
  const { rows: applied } = await sql<{ name: string }>`
    select name from ${sql.table(MIGRATIONS_TABLE)} order by name`.execute(db);
  const { rows: checksums } = tables.has(CHECKSUMS_TABLE)
    ? await sql<{ name: string; checksum: string }>`
        select name, checksum from ${sql.table(CHECKSUMS_TABLE)}`.execute(db)
    : { rows: [] };
  const byName = new Map(checksums.map(({ name, checksum }) => [name, checksum]));
  return applied.map(({ name }) => ({ name, checksum: byName.get(name) }));
}
