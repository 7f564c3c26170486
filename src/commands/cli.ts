import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, sep } from 'node:path';
import type { Command } from 'commander';
import {
  type Config,
  loadSecret,
  maskUrl,
  readEnvironment,
  refuse,
  refuseFolder,
  toConfig,
} from '../config/index.ts';
import { seedDatabase } from '../modules/personal-data.ts';
import { openPlatform } from '../modules/platform.ts';
import {
  assertSameSecret,
  CANCELLED,
  databaseFault,
  describeWriteFault,
  isCancelled,
  isDiskFull,
  isUnconfirmed,
  toWriteFault,
  UNCONFIRMED,
} from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { ApiError, CliError, DomainError } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { recordRestore, toLogFile } from '../privacy/consent-log/index.ts';
import {
  assertOwnDatabase,
  assertServerUser,
  isOtherFile,
  noteDatabase,
  OTHER_FILE_ADVICE,
} from './installation.ts';
import { migrateDatabase } from './migrate-database.ts';
import { describeDenial } from './permissions.ts';
import { toCliError } from './usage-error.ts';

/** How PgBouncer refuses the timeouts that Pavis sets for its sessions. */
const POOLER_ERROR = /unsupported startup parameter/;
const POOLER_ADVICE =
  '. The URL leads to a pooler: set PAVIS_DATABASE_DIRECT_URL to the URL of the database without it';

/** Of TLS, or of a server that requires it. */
const TLS_ERROR = /\bSSL\b|certificate|no encryption/;
const TLS_ADVICE =
  '. Check sslmode in the URL, and sslrootcert, the path of the certificate of your own authority';

/** SQLSTATE of PostgreSQL, for example if another user has restored the tables. */
const INSUFFICIENT_PRIVILEGE = '42501';
const OWNER_ADVICE = '. Make the user of the URL the owner of the database and of its tables';

/** SQLSTATE of PostgreSQL. */
const INVALID_CATALOG_NAME = '3D000';
const DATABASE_ADVICE =
  '. Create it with "createdb --owner=OWNER --encoding=UTF8 --template=template0 NAME", or check PAVIS_DATABASE_URL';

/** SQLSTATE classes of a server that answers, but not now: resources, operator intervention. */
const TEMPORARY = /^(?:53|57)/;
const SERVER_ADVICE =
  '. Check PAVIS_DATABASE_URL, and whether this machine may connect to the server';

const LOG_ADVICE =
  'Stop the server, move the file and those whose names begin with it away, and put its newest copy there. Without a copy, start the server: it says how to start a new log';

/** Adds a command with the option `--json`. */
export function command(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print one JSON document and nothing else on standard output');
}

export const currentConfig = (): Config => toConfig(readEnvironment());

/** Prints a result as JSON or as text. */
export function print(json: unknown, value: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/** Prints an export as fast as it is read, and stops when it cannot be written, see `handleOutputFaults`. */
export async function printChunks(chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) {
    const error = await new Promise((resolve) => process.stdout.write(chunk, resolve));
    if (error) return;
  }
}

/** @throws CliError */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** The user of the command line in the audit log. */
export function actor(): string {
  try {
    return `command line (${userInfo().username})`;
  } catch {
    return 'command line';
  }
}

interface Preparation {
  /** Whether an embedded database is backed up before it is migrated; default: true. */
  withBackup?: boolean;
}

/**
 * Runs work with a platform on an up-to-date database.
 * @throws CliError if the database cannot be reached, or if root runs the command of another user's server
 */
export async function withPlatform<T>(
  config: Config,
  work: (platform: Platform) => Promise<T>,
  preparation?: Preparation,
): Promise<T> {
  assertServerUser(config);
  // Errors are printed by the command; its log would only repeat them.
  const log = await createLogger(config.logLevel === 'info' ? 'silent' : config.logLevel);
  const platform = await orRefuse(config, () =>
    openPlatform(config, { secret: loadSecret(config), log }),
  );
  try {
    return await orRefuse(config, async () => {
      await prepareDatabase(platform, config, preparation);
      return work(platform);
    });
  } finally {
    await platform.securityLog.flush();
    await platform.datastore.close();
  }
}

/**
 * Migrates the database and checks that it belongs to this installation. After a crash, the next process
 * continues.
 */
export async function prepareDatabase(
  platform: Platform,
  config: Config,
  preparation?: Preparation,
): Promise<void> {
  const { isEmpty } = await assertOwnDatabase(platform, config);
  await migrateDatabase(platform, config, preparation);
  if (isEmpty) await assertSameSecret(platform.datastore, platform.secret);
  noteDatabase(platform, config);
  await recordRestore(platform, config);
  await seedDatabase(platform);
}

/** Turns refusals and database faults into a `CliError` with one line. */
export async function orRefuse<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError || error instanceof ApiError) throw toCliError(error);
    const denial = describeDenial(error, config.dataDir);
    if (denial !== undefined) throw new CliError(denial);
    refuseFolders(config, error);
    const fault = databaseFault(error);
    const isForbidden = (error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE;
    if (!fault || (fault === 'fault' && !isForbidden)) throw error;
    const cause = error instanceof AggregateError ? error.errors[0] : error;
    const reason = cause.errstr ?? cause.message;
    const log = toLogFile(config.dataDir);
    if (cause.file === log)
      throw new CliError(`cannot use the consent log ${log}: ${reason}. ${LOG_ADVICE}`);
    if (isUnconfirmed(error)) throw new CliError(UNCONFIRMED);
    if (isCancelled(error)) throw new CliError(CANCELLED);
    const url = maskUrl(config.databaseUrl);
    throw new CliError(
      `cannot use the database ${url}: ${reason}${await adviseOn(config, error, reason)}`,
    );
  }
}

/** @throws CliError (exit 2) if the folder of a setting cannot be created or reached */
function refuseFolders({ dataDir, databaseUrl }: Config, error: unknown): void {
  const { path } = error as NodeJS.ErrnoException;
  if (path === undefined) return;
  const contains = (folder: string) => `${folder}${sep}`.startsWith(path + sep);
  if (contains(dataDir)) refuseFolder(dataDir, error);
  if (!contains(dirname(databaseUrl.slice('sqlite:'.length)))) return;
  refuse(
    'PAVIS_DATABASE_URL',
    `is "${databaseUrl}", whose folder cannot be used (${(error as Error).message})`,
    'sqlite: with the path of a file in a folder that Pavis can write to is allowed',
  );
}

/** What to do about a database that cannot be used, after the reason. */
async function adviseOn(config: Config, error: unknown, reason: string): Promise<string> {
  const { databaseUrl } = config;
  const { code } = error as { code?: unknown };
  if (code === INSUFFICIENT_PRIVILEGE) return OWNER_ADVICE;
  if (code === INVALID_CATALOG_NAME) return DATABASE_ADVICE;
  const fault = toWriteFault(error);
  if (!fault && TLS_ERROR.test(reason)) return TLS_ADVICE;
  if (!fault && POOLER_ERROR.test(reason)) return POOLER_ADVICE;
  if (!fault) {
    const isServer = !databaseUrl.startsWith('sqlite:') && databaseFault(error) === 'unavailable';
    return isServer && !TEMPORARY.test(String(code)) ? SERVER_ADVICE : '';
  }
  if (fault === 'damaged file')
    return isOtherFile(config) ? OTHER_FILE_ADVICE : `. ${describeWriteFault(fault)}`;
  // Without any space, SQLite fails to make the files beside the database and reports an I/O error.
  const isFull =
    databaseUrl.startsWith('sqlite:') &&
    (await isDiskFull(dirname(databaseUrl.slice('sqlite:'.length))));
  return `. ${describeWriteFault(isFull ? 'disk full' : fault, 'The change was not saved.')}`;
}

/** Rows under headings, each column as wide as its widest cell. */
export function table(headings: string[], rows: (string | number)[][]): string {
  const cells = [headings, ...rows.map((row) => row.map(String))];
  const widths = headings.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const historyTable = (
  events: readonly { at: string; action: string; actor: string; details: unknown }[],
): string =>
  table(
    ['when', 'what', 'by', 'details'],
    events.map(({ at, action, actor: by, details }) => [at, action, by, JSON.stringify(details)]),
  );
