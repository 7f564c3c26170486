import { existsSync, statSync } from 'node:fs';
import type { Config } from '../config/index.ts';
import { copySqliteFile, hasTable } from '../platform/db/index.ts';
import { CliError } from '../platform/errors.ts';
import { toLogFile } from '../privacy/consent-log/index.ts';

const LOG_TABLE = 'consent_log_head';

/** The copy of the consent log that belongs to a backup. */
export const toLogCopy = (backup: string): string => `${backup}.consent-log.db`;

/** The file of the consent log, if there is one. */
export function findLog({ dataDir }: Config): string | undefined {
  const log = toLogFile(dataDir);
  return existsSync(log) ? log : undefined;
}

/**
 * Only an earlier copy of a consent log can be replaced, with `--force` and together with its backup, whose secret tells
 * the installation.
 * @throws CliError
 */
export function assertLogCopyFree(backup: string, log: string, force: boolean | undefined): void {
  const copy = toLogCopy(backup);
  const there = statSync(copy, { throwIfNoEntry: false });
  if (!there) return;
  const what = `${copy}, the copy of the consent log,`;
  if (!force) throw new CliError(`${what} already exists: choose another file or set --force`);
  if (there.ino === statSync(log).ino || !there.isFile() || !hasTable(copy, LOG_TABLE)) {
    throw new CliError(`${what} would replace another file: choose another file`);
  }
  if (!existsSync(backup)) {
    throw new CliError(`${what} is there without its backup: move it away or choose another file`);
  }
}

/** Copies the consent log as of one moment. The backup of the database stays if that fails. */
export function copyLog(
  log: string,
  copy: string,
): { file: string; bytes: number; error?: undefined } | { file?: undefined; error: string } {
  try {
    return { file: copy, ...copySqliteFile(log, copy) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** What a restore means for the consent log. */
export function describeLog(config: Config, backup: string): string {
  if (findLog(config) !== undefined) {
    return 'The consent log stays as it is. The next start logs which consent records are lost.';
  }
  const copy = toLogCopy(backup);
  const hint = existsSync(copy)
    ? ` ${copy} is the copy that was made with this backup: use it only if there is no later one.`
    : '';
  return `There is no consent log (${toLogFile(config.dataDir)}). If there was one, put its latest copy there before the next start.${hint}`;
}
