import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config/index.ts';
import {
  type DatabaseFile,
  describeFileError,
  findSecretFingerprint,
  isPavisDatabase,
  isUnreadable,
  SIDE_FILES,
} from '../platform/db/index.ts';
import { CliError } from '../platform/errors.ts';

/** Only an earlier backup can be replaced, and only with `--force`. */
export function assertFree(file: string, database: string, force: boolean | undefined): void {
  const there = findStats(file);
  if (!there) {
    const folder = dirname(file);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new CliError(`there is no folder ${folder}: create it or choose another file`);
  }
  if (there.isDirectory())
    throw new CliError(`${file} is a folder: add the name of the file, for example pavis.db`);
  const own = ['', ...SIDE_FILES].map(
    (suffix) => statSync(database + suffix, { throwIfNoEntry: false })?.ino,
  );
  if (own.includes(there.ino))
    throw new CliError(`${file} is the database itself: choose another file`);
  if (!force) throw new CliError(`${file} already exists: choose another file or set --force`);
  if (!there.isFile() || !isPavisDatabase(file)) {
    throw new CliError(`${file} is not a backup: choose another file`);
  }
}

function findStats(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new CliError(`cannot use ${file}: ${describeFileError(error)}`);
  }
}

/** The secret of an installation never changes. A database that was never used has none yet. */
export function assertSameInstallation(
  file: string,
  { secretFingerprint: own }: DatabaseFile,
): void {
  const known = findSecretFingerprint(file);
  if (known === undefined || known === own) return;
  throw new CliError(
    `${file} is the backup of another installation, which has another secret: choose another file, or delete this one if you no longer need it`,
  );
}

/**
 * A backup that root has made can be read by root only, who may not restore it for the server of another user.
 * @throws CliError if the file cannot be a backup, or this user cannot read it
 */
export function assertReadable(file: string, { dataDir }: Config): void {
  if (isUnreadable(file)) {
    throw new CliError(
      `user ${process.getuid?.()}, who runs Pavis, cannot read ${file}. As root, copy it into ${dataDir}, give the copy the owner of that folder, and restore the copy`,
    );
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new CliError(`${file} is a folder: add the name of the backup, for example pavis.db`);
}
