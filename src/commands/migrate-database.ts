import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/index.ts';
import { migrations } from '../migrations/index.ts';
import { BACKUPS, formatSize } from '../operations/storage/index.ts';
import {
  backupSqlite,
  type MigrationStatus,
  migrate,
  migrationStatus,
} from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { createFolder, removeAbandonedDrafts } from '../platform/durable-file.ts';
import { CliError } from '../platform/errors.ts';

/** Each has the size of the database, and personal data in it. */
const KEPT_BACKUPS = 3;
/** As `backUp` names it. The folder may have backups of the operator as well. */
const BACKUP = /^before-(\d{3}-[a-z\d-]+)-\d{8}T\d{9}Z\.db$/;

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;
type Deps = Pick<Platform, 'datastore' | 'clock' | 'log'>;

interface MigrationResult extends MigrationStatus {
  /** Path of the backup from before the migration; null if there was nothing to migrate or to back up. */
  backup: string | null;
}

/**
 * Migrates the database. An embedded database that is in use is first backed up to `DATA_DIR/backups`, which keeps the
 * last three such backups once the migration has succeeded.
 * @throws CliError if the backup fails; the database is unchanged then
 */
export async function migrateDatabase(
  deps: Deps,
  place: Place,
  { withBackup = true } = {},
): Promise<MigrationResult> {
  const { datastore } = deps;
  const { applied, pending } = await migrationStatus(datastore, migrations);
  const isNeeded = datastore.engine === 'sqlite' && applied.length > 0 && pending.length > 0;
  const backup = isNeeded && withBackup ? backUp(deps, place, pending) : null;
  const status = await migrate(datastore, migrations);
  // Until here, an earlier backup may be the one to go back to.
  if (backup !== null) removeOld(deps, dirname(backup));
  return { ...status, backup };
}

function backUp({ clock, log }: Deps, { dataDir, databaseUrl }: Place, pending: string[]): string {
  const database = databaseUrl.slice('sqlite:'.length);
  const folder = join(dataDir, BACKUPS);
  const moment = new Date(clock.now()).toISOString().replace(/[^\dTZ]/g, '');
  const file = join(folder, `before-${pending.at(-1)}-${moment}.db`);
  try {
    createFolder(folder);
    // Starts that were killed meanwhile must not fill the disk.
    removeAbandonedDrafts(folder);
    assertSpace(folder, database);
    const { bytes } = backupSqlite(database, file);
    log.info({ file, bytes, pending: pending.length }, 'database backed up before its migration');
  } catch (error) {
    throw new CliError(
      `the database was not migrated, because it could not be backed up to ${folder}: ${(error as Error).message}. Correct this and start again, or make a backup in another place and run "pavis migrate --no-backup". To go on with the database as it is, start the version that you used before`,
    );
  }
  // A migration that fails at every start must not fill the disk either.
  removeOld({ log }, folder, pending.at(-1));
  return file;
}

/** @throws CliError before anything is written, because a full disk would stop other programs as well */
function assertSpace(folder: string, database: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const needed = statSync(database).size;
  if (free >= needed) return;
  throw new CliError(
    `it needs up to ${formatSize(needed)} and ${formatSize(free)} are free. Free some space there`,
  );
}

/** Removes all but the newest backups: all that Pavis has made, or those from before one migration. */
function removeOld({ log }: Pick<Deps, 'log'>, folder: string, migration?: string): void {
  try {
    const backups = readdirSync(folder)
      .filter((name) => {
        const found = BACKUP.exec(name)?.[1];
        return found !== undefined && (migration ?? found) === found;
      })
      .map((name) => join(folder, name))
      .map((path) => ({ path, modifiedAt: statSync(path).mtimeMs }))
      .toSorted((a, b) => b.modifiedAt - a.modifiedAt);
    for (const { path } of backups.slice(KEPT_BACKUPS)) rmSync(path);
  } catch (err) {
    log.warn({ err }, 'cannot remove old backups');
  }
}
