import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { type Config, loadSecret, maskUrl, readEnvironment, toConfig } from '../config/index.ts';
import { migrations } from '../migrations/index.ts';
import { seedDatabase } from '../modules/personal-data.ts';
import { openPlatform } from '../modules/platform.ts';
import { assertSameSecret, databaseFault, migrate } from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { CliError, DomainError } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { RestError } from '../platform/rest/errors.ts';
import { assertDatabaseKept, noteDatabase } from './installation.ts';

/** A command of the command line; `--json` is understood by each. */
export function command(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print one JSON document and nothing else on standard output');
}

/** The settings in force. */
export const currentConfig = (): Config => toConfig(readEnvironment());

/** Prints what a command found: as JSON for a program, as text for a person. */
export function print(json: unknown, value: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/** Who is at the command line, as the audit log names them. */
export function actor(): string {
  try {
    return `command line (${userInfo().username})`;
  } catch {
    return 'command line';
  }
}

/**
 * Opens the platform on an up-to-date database for the time of one piece of work.
 * @throws CliError if the database cannot be reached
 */
export async function withPlatform<T>(
  config: Config,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  // What goes wrong is told by the refusal; the log of a single command would only repeat it.
  const log = await createLogger(config.logLevel === 'info' ? 'silent' : config.logLevel);
  const platform = await orRefuse(config, () =>
    openPlatform(config, { secret: loadSecret(config), log }),
  );
  try {
    return await orRefuse(config, async () => {
      await prepareDatabase(platform, config);
      return work(platform);
    });
  } finally {
    await platform.securityLog.flush();
    await platform.datastore.close();
  }
}

/**
 * Brings the database up to date and makes sure that it is this installation's. Whatever a process that is
 * killed in between leaves, the next one goes on from.
 */
export async function prepareDatabase(platform: Platform, config: Config): Promise<void> {
  await assertDatabaseKept(platform, config);
  await migrate(platform.datastore, migrations);
  await assertSameSecret(platform.datastore, platform.secret);
  noteDatabase(platform, config);
  await seedDatabase(platform);
}

/** Says in one line what was refused, or that the database is away, instead of the driver's error. */
export async function orRefuse<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError || error instanceof RestError)
      throw new CliError(inWords(error));
    const fault = databaseFault(error);
    if (!fault || fault === 'fault') throw error;
    const cause = error instanceof AggregateError ? error.errors[0] : error;
    const reason = cause.errstr ?? cause.message;
    throw new CliError(`cannot use the database ${maskUrl(config.databaseUrl)}: ${reason}`);
  }
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

/** What happened to a thing, a line each. */
export const historyTable = (
  events: readonly { at: string; action: string; actor: string; details: unknown }[],
): string =>
  table(
    ['when', 'what', 'by', 'details'],
    events.map(({ at, action, actor: by, details }) => [at, action, by, JSON.stringify(details)]),
  );

/** The reason for each parameter says more than that there is something wrong with it. */
function inWords({ message, details }: DomainError | RestError): string {
  const { params } = details as { params?: Record<string, string> };
  return params ? Object.values(params).join(' ') : message;
}
