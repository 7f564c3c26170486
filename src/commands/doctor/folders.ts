import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, storageFolders } from '../../config/index.ts';
import { createFolder } from '../../platform/durable-file.ts';
import { CliError } from '../../platform/errors.ts';
import { findMountFault, isContainer, type Mount, readMounts } from './mounts.ts';

/**
 * Whether Pavis can write its folders, and in production also whether their files are kept.
 * @throws CliError that says what to do
 */
export function checkFolders(config: Config): string {
  const mounts = readMounts();
  for (const folder of storageFolders(config)) {
    // Outside production, data may be in memory or leave with its container.
    const fault = config.production ? findMountFault(mounts, findRealPath(folder)) : undefined;
    try {
      // A read-only file system can be a misleading error of mkdir.
      accessSync(findExisting(folder), constants.W_OK | constants.X_OK);
      createFolder(folder);
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new CliError(fault ?? describeDenial(folder, error as NodeJS.ErrnoException, mounts));
    }
    if (fault !== undefined) throw new CliError(fault);
  }
  return `${config.dataDir} is writable`;
}

function describeDenial(folder: string, error: NodeJS.ErrnoException, mounts: Mount[]): string {
  const present = findExisting(folder);
  if (!statSync(present).isDirectory())
    return `${present} is a file, not a folder: remove it or use another folder`;
  if (error.code === 'EROFS') {
    return isContainer(mounts)
      ? `${folder} is read-only: mount a volume there that can be written, for example pavis-data:${folder}`
      : `${folder} is on a read-only file system: if ProtectSystem= of systemd makes it so, use the folder of StateDirectory= or name it in ReadWritePaths=`;
  }
  if (error.code === 'EACCES' || error.code === 'EPERM') {
    const uid = process.getuid?.();
    if (present !== folder) {
      return `user ${uid}, who runs Pavis, cannot create or reach ${folder}, because of the permissions of ${present}. Run as root: install -d -o ${uid} -m 0700 ${folder}, or use another folder`;
    }
    const owner = statSync(folder).uid;
    return owner === uid
      ? `${folder} does not allow its owner to write. Run: chmod u+rwx ${folder}`
      : `${folder} belongs to user ${owner}, and user ${uid}, who runs Pavis, cannot write it. Run as root: chown -R ${uid} ${folder}`;
  }
  return `${folder} cannot be used: ${error.message}`;
}

/** The folder, or the first above it that can be seen. */
function findExisting(folder: string): string {
  try {
    statSync(folder);
    return folder;
  } catch {
    return folder === '/' ? folder : findExisting(dirname(folder));
  }
}

/** Without symbolic links, as far as the folder exists. */
function findRealPath(folder: string): string {
  const existing = findExisting(folder);
  try {
    return realpathSync(existing) + folder.slice(existing.length);
  } catch {
    return folder;
  }
}
