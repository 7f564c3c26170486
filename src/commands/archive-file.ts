import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../platform/errors.ts';

/**
 * Writes an archive to a file that only its owner may read.
 * @returns the size, and the SHA-256 in hexadecimal
 * @throws CliError if the folder does not exist or is not writable
 */
export async function writeArchive(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await pipeline(hashed, createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new CliError(`cannot write ${file}: ${message}; name another file with --out`);
  }
  return { sha256: hash.digest('hex'), bytes };
}
