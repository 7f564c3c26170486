import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';

/**
 * Opens an SQLite database for exclusive access. Leaving WAL mode fails while any process has it open.
 * @param evenIfBroken continues with a damaged database, of which it is unknown whether a process uses it
 * @returns undefined without a file, or with a damaged one
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
      `${database} is damaged (${(error as Error).message}), so Pavis cannot check whether it is in use: stop the server and add --force`,
    );
  }
}

export const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** What SQLite appends to the name of a database for the files beside it. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'];

/** Whether SQLite reports a lock of another connection. */
export const isBusy = (error: unknown): boolean =>
  [5, 6].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);
