import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dsar, DsarSite } from '../context.ts';
import { findUsedFileNames } from './store.ts';

const NAME = /^DSR-\d{8}-[A-Z0-9]{6}-[0-9a-f]{16}\.zip(?:\.part)?$/;
/** How old a file is before it counts as left over: noted seconds after it was written, it is safe. */
const WRITTEN_WITHIN_MS = 3_600_000;
const NAMES_AT_ONCE = 500;

type Folder = Pick<DsarSite, 'dataDir'>;

const getFolder = ({ dataDir }: Folder): string => join(dataDir, 'packages');

/** One that nobody can guess, and that no package has had before. */
export const newFileName = (reference: string): string =>
  `${reference}-${randomBytes(8).toString('hex')}.zip`;

/** Writes a package for its owner only; under its name it is whole, or not there. */
export async function writePackage(site: Folder, name: string, content: Buffer): Promise<void> {
  const folder = getFolder(site);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${name}.part`);
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, join(folder, name));
}

/** The bytes of a package; undefined if the file is gone. */
export async function readPackage(
  { site }: Pick<Dsar, 'site'>,
  { fileName }: { fileName: string },
): Promise<Buffer | undefined> {
  return unlessGone(readFile(join(getFolder(site), fileName)));
}

export async function removePackageFile(
  { site }: Pick<Dsar, 'site'>,
  fileName: string,
): Promise<void> {
  await rm(join(getFolder(site), fileName), { force: true });
}

/**
 * Removes the files that no package has any more: it was deleted, anonymised or made anew, or its
 * node died while it wrote. Files of other names are not ours to remove.
 */
export async function removeLeftFiles(dsar: Pick<Dsar, 'platform' | 'site'>): Promise<void> {
  const old = await oldFiles(dsar.site);
  for (let at = 0; at < old.length; at += NAMES_AT_ONCE) {
    // Asked after the folder was read: what was noted meanwhile is known.
    await removePackageFiles(dsar, old.slice(at, at + NAMES_AT_ONCE));
  }
}

/** Removes those of some files that no package has any more. */
export async function removePackageFiles(
  dsar: Pick<Dsar, 'platform' | 'site'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const inUse = await findUsedFileNames(dsar.platform.datastore.db, names);
  for (const name of names) if (!inUse.has(name)) await removePackageFile(dsar, name);
}

/** By the clock of the machine, which files go by. */
async function oldFiles(site: Folder): Promise<string[]> {
  const folder = getFolder(site);
  const names = (await unlessGone(readdir(folder))) ?? [];
  const before = Date.now() - WRITTEN_WITHIN_MS;
  const old: string[] = [];
  for (const name of names.filter((each) => NAME.test(each))) {
    const file = await unlessGone(stat(join(folder, name)));
    if (file && file.mtimeMs < before) old.push(name);
  }
  return old;
}

async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
