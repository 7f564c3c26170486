import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { Refusal } from '../errors.ts';
import type { Datastore } from './datastore.ts';
import { databaseFault } from './dialect.ts';

export type { Migration } from 'kysely/migration';

export const MIGRATIONS_TABLE = 'pavis_migrations';
const WAIT_FOR_OTHERS_MS = 60_000;

export interface MigrationStatus {
  applied: string[];
  pending: string[];
}

/**
 * What the database has and lacks of the known migrations.
 * @throws Refusal if it has one that this version does not know: it was written by a newer Pavis
 */
export async function migrationStatus(
  { db }: Datastore,
  migrations: Record<string, Migration>,
): Promise<MigrationStatus> {
  const applied = await appliedMigrations(db);
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown) {
    throw new Refusal(
      `the database was written by a newer version of Pavis (it has the migration ${unknown}): install that version, or restore a backup made before it`,
    );
  }
  return { applied, pending: Object.keys(migrations).filter((name) => !applied.includes(name)) };
}

/** Brings the database to the current schema; waits while another process is doing the same. */
export async function migrate(
  datastore: Datastore,
  migrations: Record<string, Migration>,
): Promise<MigrationStatus> {
  const before = await migrationStatus(datastore, migrations);
  if (before.pending.length === 0) return before;
  const migrator = new Migrator({
    db: datastore.db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATIONS_TABLE,
    migrationLockTableName: `${MIGRATIONS_TABLE}_lock`,
  });
  const deadline = Date.now() + WAIT_FOR_OTHERS_MS;
  for (;;) {
    const { error, results } = await migrator.migrateToLatest();
    if (!error) {
      const done = (results ?? []).map((result) => result.migrationName);
      return { applied: [...before.applied, ...done], pending: [] };
    }
    if (databaseFault(error) !== 'contention' || Date.now() > deadline) throw error;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: Kysely's own table
async function appliedMigrations(db: Kysely<any>): Promise<string[]> {
  const tables = await db.introspection.getTables();
  if (!tables.some(({ name }) => name === MIGRATIONS_TABLE)) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATIONS_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
