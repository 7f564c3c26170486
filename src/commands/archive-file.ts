import { CliError } from '../platform/errors.ts';
import { writeHashedFile } from '../platform/hashed-file.ts';

/**
 * Writes an archive to the file that a command names.
 * @returns the size, and the SHA-256 in hexadecimal
 * @throws CliError if the folder does not exist or is not writable
 */
export async function writeArchive(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ sha256: string; bytes: number }> {
  try {
    return await writeHashedFile(file, chunks);
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new CliError(`cannot write ${file}: ${message}; name another file with --out`);
  }
}
