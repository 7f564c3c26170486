import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadSecret, maskUrl } from '../config/index.ts';
import { END_ALL_SESSIONS } from '../identity/users/index.ts';
import { REVOKE_ALL_TOKENS } from '../licensing/customers/index.ts';
import { migrations } from '../migrations/index.ts';
import { openPlatform } from '../modules/platform.ts';
import { recordBackup } from '../operations/status/index.ts';
import { Secret } from '../platform/crypto/secret.ts';
import {
  backupSqlite,
  type DatabaseFile,
  restoreSqlite,
  secretFingerprint,
} from '../platform/db/index.ts';
import { CliError } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { ERASURES, type Reapplied } from '../privacy/dsar/index.ts';
import { assertFree, assertReadable, assertSameInstallation } from './backup-file.ts';
import { assertLogCopyFree, copyLog, describeLog, findLog, toLogCopy } from './backup-log.ts';
import { actor, command, currentConfig, print } from './cli.ts';
import { formatReapplied, reapplyListedErasures } from './dsar-erasures.ts';
import {
  assertNotMoved,
  assertServerUser,
  isOtherFile,
  OTHER_FILE_ADVICE,
} from './installation.ts';

/** `pavis backup` and `pavis restore` */
export function backupCommands(program: Command): void {
  command(program, 'backup <file>', 'back up the embedded database; the server may run')
    .option('--force', 'replace an existing backup file')
    .action(async (name: string, { json, force }) => {
      const config = currentConfig();
      const database = embeddedDatabase(config);
      const file = resolve(name);
      assertFree(file, database, force);
      const log = findLog(config);
      if (log !== undefined) assertLogCopyFree(file, log, force);
      const found = backupSqlite(database, file, (made) => assertSameInstallation(file, made));
      const { bytes, migrations: applied } = found;
      // After the database: a log with fewer entries than the database knows of would be a lost one.
      const copied = log === undefined ? undefined : copyLog(log, toLogCopy(file));
      await logBackup(config);
      const keep = listFilesToKeep(config, found, copied?.file ?? log);
      const lines = [
        `Database backed up to ${file} and verified (${bytes} bytes, schema ${applied.at(-1)}).`,
        ...(copied?.file === undefined
          ? []
          : [`Consent log copied to ${copied.file} (${copied.bytes} bytes).`]),
        'Also keep these, in another place:',
        ...keep.map(({ path, why }) => `  ${path}  ${why}`),
      ];
      const consent_log = copied?.file === undefined ? null : copied;
      const printed = { file, bytes, schema: applied.at(-1), consent_log, keep };
      print(json, printed, lines.join('\n'));
      if (copied?.error === undefined) return;
      throw new CliError(
        `the database was backed up, but not the consent log: ${copied.error}. Run the command again with --force, or stop the server and copy ${log} together with ${log}-wal, if there is one`,
      );
    });

  command(
    program,
    'restore <file>',
    'restore a backup of the embedded database; stop the server first',
  )
    .option('--force', 'restore even if the current database is damaged')
    .action(async (name: string, { json, force = false }) => {
      const config = currentConfig();
      assertServerUser(config);
      const database = embeddedDatabase(config);
      if (isOtherFile(config))
        throw new CliError(`${database} is not an SQLite database${OTHER_FILE_ADVICE}`);
      const file = resolve(name);
      assertReadable(file, config);
      const assertFits = (found: DatabaseFile) => {
        assertKnownSchema(file, found);
        assertOwnSecret(config, file, found);
      };
      // Sessions that were ended since the backup would be valid again.
      const changes = [END_ALL_SESSIONS, REVOKE_ALL_TOKENS];
      const restoring = { file, database, assertFits, changes, evenIfBroken: force };
      const { restored, aside } = restoreSqlite(restoring);
      const pending = Object.keys(migrations).filter((each) => !restored.migrations.includes(each));
      // Opening the database migrates it, which can wait if there is nothing to erase.
      const isListed = existsSync(join(config.dataDir, ERASURES));
      const { reapplied, error } = isListed
        ? await tryReapplyErasures()
        : { reapplied: null, error: null };
      const lines = [
        `Database ${database} restored from ${file}.`,
        ...(aside
          ? [`The previous database is kept as ${aside}. Delete it when you no longer need it.`]
          : []),
        ...(pending.length > 0 && !reapplied
          ? [`The next start migrates it to ${pending.at(-1)}.`]
          : []),
        'It does not contain licences and consent records from after the backup.',
        'Access that was revoked, suspended or changed since the backup is valid again: passwords, application passwords, API tokens, users and licences. Revoke it again.',
        'All users and customers have been signed out.',
        ...(config.services.includes('plugin') ? [describeLog(config, file)] : []),
        ...(reapplied ? [formatReapplied(reapplied)] : []),
        ...(isListed
          ? []
          : [
              `There is no list of erasures (${ERASURES}) in ${config.dataDir}. If you have erased people since the backup, erase them again.`,
            ]),
      ];
      const printed = { database, file, aside: aside ?? null, pending, reapplied };
      print(json, { ...printed, reapply_error: error }, lines.join('\n'));
      if (error === null) return;
      throw new CliError(
        `the database was restored, but listed erasures were not repeated: ${error}. Then start the server, which repeats them first, or run "pavis dsar reapply-erasures"`,
      );
    });
}

/** The database is already replaced: a failure must not hide what was restored. */
async function tryReapplyErasures(): Promise<
  { reapplied: Reapplied; error: null } | { reapplied: null; error: string }
> {
  try {
    // A backup before the migration would contain the persons who are erased after it, and FILE is one.
    return { reapplied: await reapplyListedErasures({ withBackup: false }), error: null };
  } catch (error) {
    return { reapplied: null, error: (error as Error).message };
  }
}

/** Records the backup, unless the database is read-only. */
async function logBackup(config: Config): Promise<void> {
  const log = await createLogger('silent');
  try {
    // Nothing of this depends on the secret, which may be known to the server alone.
    const secret = Buffer.alloc(32);
    const platform = await openPlatform(config, { secret, log });
    try {
      await platform.securityLog.recordExport({ actor: actor(), what: 'database_backup' });
      await recordBackup(platform);
    } finally {
      await platform.datastore.close();
    }
  } catch {
    process.stderr.write('pavis: the backup could not be recorded in the security log\n');
  }
}

function embeddedDatabase(config: Config): string {
  const { databaseUrl } = config;
  if (databaseUrl.startsWith('sqlite:')) {
    assertNotMoved(config);
    return databaseUrl.slice('sqlite:'.length);
  }
  const url = maskUrl(databaseUrl);
  throw new CliError(
    `the database is PostgreSQL: use its tools. Back up: "pg_dump --format=custom --file=FILE '${url}'". Restore: stop Pavis, replace the database by an empty one with dropdb and "createdb --owner=OWNER --encoding=UTF8 --template=template0", then "pg_restore --exit-on-error --single-transaction --no-owner --dbname='${url}' FILE"`,
  );
}

function listFilesToKeep(
  config: Config,
  found: DatabaseFile,
  log: string | undefined,
): { path: string; why: string }[] {
  const { dataDir } = config;
  const packages = join(dataDir, 'packages');
  const erasures = join(dataDir, ERASURES);
  return [
    describeSecret(config, found),
    ...(existsSync(packages)
      ? [{ path: packages, why: 'packages that data subjects can still download' }]
      : []),
    ...(existsSync(erasures)
      ? [{ path: erasures, why: 'erasures to repeat when this backup is restored' }]
      : []),
    ...(log !== undefined
      ? [{ path: log, why: 'the consent log, of which only the latest version is of use' }]
      : []),
  ];
}

function describeSecret(config: Config, found: DatabaseFile): { path: string; why: string } {
  if (!hasSecretOf(found, config)) {
    return {
      path: 'PAVIS_SECRET',
      why: 'of the server, which this command does not have: the backup cannot be used without it',
    };
  }
  const path = config.secret === undefined ? join(config.dataDir, 'secret') : 'PAVIS_SECRET';
  return { path, why: 'the backup cannot be used without it' };
}

const hasSecret = ({ secret, dataDir }: Config): boolean =>
  secret !== undefined || existsSync(join(dataDir, 'secret'));

/** A database that was never used fits every secret. */
const hasSecretOf = ({ secretFingerprint: known }: DatabaseFile, config: Config): boolean =>
  known === undefined ||
  (hasSecret(config) && known === secretFingerprint(new Secret(loadSecret(config))));

function assertKnownSchema(file: string, { migrations: applied }: DatabaseFile): void {
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  throw new CliError(
    `${file} was written by a newer version of Pavis (it has the migration ${unknown}): install that version`,
  );
}

function assertOwnSecret(config: Config, file: string, found: DatabaseFile): void {
  if (hasSecretOf(found, config)) return;
  throw new CliError(
    `${file} was made with ${hasSecret(config) ? 'another secret' : 'a secret that is not here'}: set its PAVIS_SECRET, or put the file "secret" that was kept with it into ${config.dataDir}, and try again`,
  );
}
