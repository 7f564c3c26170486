import { realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { removeAbandonedDrafts, toDraftPath } from '../platform/durable-file.ts';
import { CliError } from '../platform/errors.ts';
import { writeHashedFile } from '../platform/hashed-file.ts';

interface Written {
  /** In hexadecimal. */
  sha256: string;
  bytes: number;
}

/**
 * Writes an archive to the file that a command names. It appears there once it is complete; until then, and after a
 * failure, an earlier file stays as it is.
 * @param option of the command that names the file
 * @throws CliError if the folder does not exist or is not writable, or if its disk is full
 */
export async function writeArchive(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  option = '--out',
): Promise<Written> {
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    // A device or a pipe cannot be replaced.
    if (there && !there.isFile()) return await writeHashedFile(file, chunks);
    return await replaceFile(there ? realpathSync(file) : file, chunks);
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new CliError(`cannot write ${file}: ${message}; name another file with ${option}`);
  }
}

async function replaceFile(file: string, chunks: AsyncIterable<Uint8Array>): Promise<Written> {
  removeAbandonedDrafts(dirname(file));
  const draft = toDraftPath(file);
  try {
    const written = await writeHashedFile(draft, chunks, { flush: true });
    renameSync(draft, file);
    return written;
  } finally {
    rmSync(draft, { force: true });
  }
}
