import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';

/**
 * Opens an embedded database for exclusive access. A process that has it open, idle or not, holds a lock on it until
 * it ends; leaving WAL fails while there is one.
 * @param evenIfBroken whether to go on where nobody can tell if it is in use, as it is broken
 * @returns the only access there is then; undefined where there is no file, or a broken one
 * @throws CliError if a process has it open
 */
export function openExclusively(database: string, evenIfBroken: boolean): DatabaseSync | undefined {
  if (!isFile(database)) return undefined;
  const handle = new DatabaseSync(database, { timeout: 1_000 });
  try {
    handle.exec('pragma journal_mode = delete');
    handle.exec('begin exclusive');
    return handle;
  } catch (error) {
    handle.close();
    if (isBusy(error)) {
      throw new CliError(
        `${database} is in use: stop the server, and whatever else has it open, and try again`,
      );
    }
    if (evenIfBroken) return undefined;
    throw new CliError(
      `${database} is broken (${(error as Error).message}), so nobody can tell whether it is in use: stop the server and say --force`,
    );
  }
}

export const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Whether somebody else has locked the file, or a table in it. */
export const isBusy = (error: unknown): boolean =>
  [5, 6].includes((error as { errcode?: number }).errcode ?? 0);
