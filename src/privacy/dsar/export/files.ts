import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../../platform/durable-file.ts';
import { writeHashedFile } from '../../../platform/hashed-file.ts';
import type { Dsar, DsarSite } from '../context.ts';
import { findUsedFileNames } from './store.ts';

const NAME = /^DSR-\d{8}-[A-Z0-9]{6}-[0-9a-f]{16}\.zip(?:\.part)?$/;
/** Younger files may belong to a package that is being created. */
const WRITTEN_WITHIN_MS = 3_600_000;
const NAMES_AT_ONCE = 500;

type Folder = Pick<DsarSite, 'dataDir'>;

const getFolder = ({ dataDir }: Folder): string => join(dataDir, 'packages');

/** Unique and not guessable. */
export const createFileName = (reference: string): string =>
  `${reference}-${randomBytes(8).toString('hex')}.zip`;

/** Writes a file that only its owner can read. It appears under its name once it is complete. */
export async function writePackage(
  site: Folder,
  name: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ sha256: string; bytes: number }> {
  const folder = getFolder(site);
  createFolder(folder);
  const draft = join(folder, `${name}.part`);
  const written = await writeHashedFile(draft, chunks, { flush: true });
  await rename(draft, join(folder, name));
  return written;
}

export async function readPackage(
  { site }: Pick<Dsar, 'site'>,
  { fileName }: { fileName: string },
): Promise<Buffer | undefined> {
  return ignoreMissing(readFile(join(getFolder(site), fileName)));
}

export async function removePackageFile(
  { site }: Pick<Dsar, 'site'>,
  fileName: string,
): Promise<void> {
  await rm(join(getFolder(site), fileName), { force: true });
}

/**
 * Deletes the files of packages that were deleted, anonymised or replaced, and files whose writing was interrupted.
 * Files with other names are left alone.
 */
export async function removeLeftFiles(dsar: Pick<Dsar, 'platform' | 'site'>): Promise<void> {
  const old = await listOldFiles(dsar.site);
  for (let at = 0; at < old.length; at += NAMES_AT_ONCE) {
    await removePackageFiles(dsar, old.slice(at, at + NAMES_AT_ONCE));
  }
}

/** Deletes the files in this list that no package uses. */
export async function removePackageFiles(
  dsar: Pick<Dsar, 'platform' | 'site'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const inUse = await findUsedFileNames(dsar.platform.datastore.db, names);
  for (const name of names) if (!inUse.has(name)) await removePackageFile(dsar, name);
}

async function listOldFiles(site: Folder): Promise<string[]> {
  const folder = getFolder(site);
  const names = (await ignoreMissing(readdir(folder))) ?? [];
  // Modification times follow the clock of the machine.
  const before = Date.now() - WRITTEN_WITHIN_MS;
  const old: string[] = [];
  for (const name of names.filter((each) => NAME.test(each))) {
    const file = await ignoreMissing(stat(join(folder, name)));
    if (file && file.mtimeMs < before) old.push(name);
  }
  return old;
}

async function ignoreMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
