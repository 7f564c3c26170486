import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from '../errors.ts';

/** What to do about the primary codes of SQLite (https://www.sqlite.org/rescode.html) and about those of the system. */
const ADVICE: Record<string | number, string> = {
  11: 'The file is damaged: restore an earlier backup', // CORRUPT
  13: 'Free some space there', // FULL
  26: 'Check the name. If the file is a backup, it is damaged: restore an earlier one', // NOTADB
  EACCES: 'Let this user write there, or use another folder',
  ENOSPC: 'Free some space there',
  EROFS: 'Use another folder',
};

/** @throws CliError that names the file, for errors of SQLite and of the file system */
export function naming<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (isUnreadable(file)) {
      const user = `user ${process.getuid?.()}`;
      throw new CliError(
        `${user} cannot read ${file}. Run the command as the user who runs the server`,
      );
    }
    throw new CliError(`cannot use ${file}: ${describeFileError(error)}`);
  }
}

/** The reason, and what to do. */
export function describeFileError(error: unknown): string {
  const { message, code, errcode } = error as Error & { code?: string; errcode?: number };
  const advice = ADVICE[errcode === undefined ? String(code) : errcode & 0xff];
  return advice === undefined ? message : `${message}. ${advice}`;
}

/** Whether permissions keep this user from reading a file that exists. */
export function isUnreadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

/**
 * Creates an empty file that only its owner can read, since SQLite would let others.
 * @throws CliError that names the folder, since the file has an internal name
 */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [reason = ''] = message.split(',', 1);
    const problem = Object.assign(new Error(reason), { code });
    throw new CliError(`cannot write to ${dirname(file)}: ${describeFileError(problem)}`);
  }
}
