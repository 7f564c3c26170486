import { statSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/**
 * Why the user who runs Pavis cannot use a file or folder, and what to do.
 * @param path one that exists and can be seen
 */
export function describePermissions(path: string, dataDir: string): string {
  const uid = process.getuid?.();
  const stat = statSync(path);
  const [use, mode] = stat.isDirectory() ? ['write', 'rwx'] : ['read and write', 'rw'];
  if (stat.uid === uid)
    return `${path} does not allow its owner to ${use}. Run: chmod u+${mode} ${path}`;
  const isInFolder = path.startsWith(dataDir + sep);
  return `${path} belongs to user ${stat.uid}, and user ${uid}, who runs Pavis, cannot ${use} it. Run as root: chown -R ${uid} ${isInFolder ? dataDir : path}`;
}

/** The file or folder, or the first folder above it that can be seen. */
export function findExisting(path: string): string {
  try {
    statSync(path);
    return path;
  } catch {
    return path === '/' ? path : findExisting(dirname(path));
  }
}

/** Whose permissions refuse the file of an error, and what to do; undefined for other errors. */
export function describeDenial(error: unknown, dataDir: string): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' || path === undefined || process.getuid === undefined) return undefined;
  const present = findExisting(path);
  // A folder above the data folder may belong to the system: it is not given away.
  if (present === path || `${present}${sep}`.startsWith(dataDir + sep))
    return describePermissions(present, dataDir);
  return `user ${process.getuid()}, who runs Pavis, cannot create or reach ${path}, because of the permissions of ${present}. Let that user use ${present}, or use another folder`;
}
