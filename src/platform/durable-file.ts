import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HOUR_MS } from './durations.ts';

const DRAFT_SUFFIX = '.part';
/** Of any file; SQLite adds a journal to that of a database. */
const DRAFT = /\.[0-9a-f]{8}-[0-9a-f-]{27}\.part(?:-journal)?$/;
/** Another process may be writing a younger one. */
const ABANDONED_MS = HOUR_MS;

/** A name for a file that is written first and renamed when it is complete, see `removeDrafts`. */
export const toDraftPath = (file: string): string => `${file}.${randomUUID()}${DRAFT_SUFFIX}`;

/**
 * Creates a folder and its parents, for their owner only, unless it exists. Node's `recursive` option does not return
 * where the system says of an existing parent that it does not exist, as below `/proc`.
 */
export function createFolder(path: string): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Replaces a file that only its owner can read. After a crash it holds the old text or the new one, complete. */
export function writeDurably(file: string, text: string): void {
  const folder = dirname(file);
  createFolder(folder);
  const draft = toDraftPath(file);
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  try {
    renameSync(draft, file);
  } catch (error) {
    // Another process that started at the same time has removed it as a draft.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    writeDurably(file, text);
    return;
  }
  syncFolder(folder);
}

/** Removes drafts of a file that killed processes have left. */
export function removeDrafts(file: string): void {
  const folder = dirname(file);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const isDraft = name.startsWith(`${basename(file)}.`) && name.endsWith(DRAFT_SUFFIX);
    if (isDraft) rmSync(join(folder, name), { force: true });
  }
}

/** Removes all drafts in a folder to which nothing was written for an hour. */
export function removeAbandonedDrafts(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!DRAFT.test(name)) continue;
    const path = join(folder, name);
    // Modification times follow the clock of the machine.
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > ABANDONED_MS) rmSync(path, { force: true });
  }
}

/** Makes new and renamed files of a folder survive a power failure. Windows cannot open folders and does not need it. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') syncToDisk(folder);
}

export function syncToDisk(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
