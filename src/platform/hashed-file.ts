import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file that only its owner may read, and computes its SHA-256 meanwhile.
 * @param flush whether it is on disk before this returns
 * @returns the size, and the SHA-256 in hexadecimal
 */
export async function writeHashedFile(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  { flush = false } = {},
): Promise<{ sha256: string; bytes: number }> {
  // A stream would open it by itself, and might do so after a failure, when the caller has removed the file.
  const handle = await open(file, 'w', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashed() {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await pipeline(hashed, handle.createWriteStream({ flush }));
  return { sha256: hash.digest('hex'), bytes };
}
