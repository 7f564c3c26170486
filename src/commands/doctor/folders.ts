import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, storageFolders } from '../../config/index.ts';
import { createFolder } from '../../platform/durable-file.ts';
import { CliError } from '../../platform/errors.ts';
import { describePermissions, findExisting } from '../permissions.ts';
import { findMountFault, isContainer, type Mount, readMounts } from './mounts.ts';

/** In the data folder. A command of root can have created one of them. */
const SUBFOLDERS = ['backups', 'browser', 'log', 'mail', 'packages'];

/**
 * Whether Pavis can write its folders, and in production also whether their files are kept.
 * @throws CliError that says what to do
 */
export function checkFolders(config: Config): string {
  const mounts = readMounts();
  const { dataDir } = config;
  const inside = SUBFOLDERS.map((name) => join(dataDir, name)).filter((path) => existsSync(path));
  for (const folder of [...storageFolders(config), ...inside]) {
    // Outside production, data may be in memory or leave with its container.
    const fault = config.production ? findMountFault(mounts, findRealPath(folder)) : undefined;
    try {
      // A read-only file system can be a misleading error of mkdir.
      accessSync(findExisting(folder), constants.W_OK | constants.X_OK);
      createFolder(folder);
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new CliError(
        fault ?? describeFault(folder, error as NodeJS.ErrnoException, mounts, dataDir),
      );
    }
    if (fault !== undefined) throw new CliError(fault);
  }
  return `${dataDir} is writable`;
}

function describeFault(
  folder: string,
  error: NodeJS.ErrnoException,
  mounts: Mount[],
  dataDir: string,
): string {
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
    return describePermissions(folder, dataDir);
  }
  return `${folder} cannot be used: ${error.message}`;
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
