import { statSync } from 'node:fs';
import { sep } from 'node:path';

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

/** What `describePermissions` says about the file of an error; undefined for other errors. */
export function describeDenial(error: unknown, dataDir: string): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' || path === undefined || process.getuid === undefined) return undefined;
  try {
    return describePermissions(path, dataDir);
  } catch {
    return undefined; // The folder cannot be searched.
  }
}
