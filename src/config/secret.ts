import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder, removeDrafts, syncFolder, toDraftPath } from '../platform/durable-file.ts';
import { CliError } from '../platform/errors.ts';
import { type Environment, refuse, text } from './values.ts';

const SECRET_MIN_BYTES = 32;

/** In the data folder: says which database has been in use. */
export const INSTALLATION_FILE = 'installation.json';

export function readSecret(env: Environment): string | undefined {
  const value = text(env, 'PAVIS_SECRET');
  if (value !== undefined && Buffer.byteLength(value) < SECRET_MIN_BYTES) {
    refuse(
      'PAVIS_SECRET',
      `has ${Buffer.byteLength(value)} bytes`,
      `at least ${SECRET_MIN_BYTES} are needed`,
    );
  }
  return value;
}

/**
 * The setting, or the file in the data folder, which is created once (mode 0600), also by concurrent processes.
 * @throws CliError if the data folder has been in use with a secret that is not here
 */
export function loadSecret(config: { secret: string | undefined; dataDir: string }): Buffer {
  if (config.secret) return Buffer.from(config.secret);
  const { dataDir } = config;
  const file = join(dataDir, 'secret');
  const installation = join(dataDir, INSTALLATION_FILE);
  // Before the secret, which another process may be creating: it writes this file later.
  const isUsed = existsSync(installation);
  if (!existsSync(file)) {
    if (isUsed) {
      throw new CliError(
        `there is no secret, but ${installation} says that a database has been in use, which cannot be used without its secret. Set PAVIS_SECRET as for the server, or put the file "secret" back into ${dataDir}. To start with an empty database on purpose, remove ${installation}`,
      );
    }
    try {
      createSecret(dataDir, file);
    } catch (error) {
      refuseFolder(dataDir, error);
    }
  }
  removeDrafts(file);
  const secret = readSecretFile(file, dataDir);
  if (Buffer.byteLength(secret) < SECRET_MIN_BYTES) {
    throw new CliError(`${file} is too short to be the secret: restore it from a backup`, 2);
  }
  return Buffer.from(secret);
}

function readSecretFile(file: string, dataDir: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    // The caller says whose permissions refuse it.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    refuseFolder(dataDir, error, 'secret');
  }
}

/** @throws CliError (exit 2) */
export function refuseFolder(dataDir: string, error: unknown, file?: string): never {
  const what = file === undefined ? 'which' : `whose file "${file}"`;
  refuse(
    'PAVIS_DATA_DIR',
    `is "${dataDir}", ${what} cannot be used (${(error as Error).message})`,
    'the path of a folder that Pavis can write to is allowed',
  );
}

/** Written under another name first, so that the file is never incomplete. */
function createSecret(folder: string, file: string): void {
  createFolder(folder);
  const draft = toDraftPath(file);
  writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process was first, and may have removed our draft.
    if (!existsSync(file)) throw error;
  }
  syncFolder(folder);
}
