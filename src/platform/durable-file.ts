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
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const DRAFT_END = '.part';

/** A name for a file that is written beside its place first, see `removeDrafts`. */
export const toDraftPath = (file: string): string => `${file}.${randomUUID()}${DRAFT_END}`;

/**
 * Writes a file that only its owner can read, in place of the one that is there. After a crash at any moment
 * the file holds the old text or the new one, whole.
 */
export function writeDurably(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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

/** Removes the drafts of a file that processes have left which were killed. */
export function removeDrafts(file: string): void {
  const folder = dirname(file);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const isDraft = name.startsWith(`${basename(file)}.`) && name.endsWith(DRAFT_END);
    if (isDraft) rmSync(join(folder, name), { force: true });
  }
}

/** Makes new and renamed files of a folder survive a power failure. */
export function syncFolder(folder: string): void {
  // Windows opens no folders, and needs none of this.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
