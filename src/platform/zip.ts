import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A file of an archive. Its content is read when the files before it are written. */
export interface ZipFile {
  path: string;
  chunks: () => Chunks;
  /** Already compressed, for example pictures. */
  isCompressed?: boolean;
}

/**
 * An archive as a stream: one file at a time is in memory, as far as its own chunks are. The same files and time give the
 * same bytes.
 * @param files asked for one after the other, when those before are written
 * @param time of all files, in epoch milliseconds
 */
export async function* zipFiles(
  files: Iterable<ZipFile> | AsyncIterable<ZipFile>,
  time: number,
): AsyncGenerator<Buffer> {
  const { ZipFile: Archive } = (await import('yazl')).default;
  const archive = new Archive();
  const output = archive.outputStream as Readable;
  // A client that goes away closes the output while a file is written into it.
  output.on('error', () => {});
  archive.on('error', (error: Error) => output.destroy(error));
  let current: Readable | undefined;
  let goOn = () => {};
  output.on('close', () => {
    current?.destroy();
    goOn();
  });

  function write({ path, chunks, isCompressed = false }: ZipFile): Promise<void> {
    const options = { mtime: new Date(time), compress: !isCompressed };
    return new Promise((written) => {
      goOn = written;
      archive.addReadStreamLazy(path, options, (send) => {
        const content = Readable.from(chunks());
        content.on('error', (error) => archive.emit('error', error));
        content.on('close', written);
        current = content;
        // Between files, so that many small ones that need no compression do not hold up other work.
        setImmediate(send, null, content);
      });
    });
  }

  async function writeAll(): Promise<void> {
    for await (const file of files) {
      await write(file);
      // Also ends `files`, so that it can close what it reads from.
      if (output.destroyed) return;
    }
    archive.end();
  }

  writeAll().catch((error) => archive.emit('error', error));
  for await (const chunk of output) yield chunk;
}

/** A file of an archive that was written. */
export interface WrittenFile {
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** The file, and once it has been read, its size and hash in a list. */
export function noteWritten(file: ZipFile, written: WrittenFile[]): ZipFile {
  return {
    ...file,
    async *chunks() {
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of file.chunks()) {
        hash.update(chunk);
        bytes += Buffer.byteLength(chunk);
        yield chunk;
      }
      written.push({ path: file.path, bytes, sha256: hash.digest('hex') });
    },
  };
}

/** The hashes of all files that were written before, in the format of `sha256sum`. */
export const toChecksums = (written: readonly WrittenFile[]): ZipFile => ({
  path: 'SHA256SUMS',
  chunks: () => written.map(({ path, sha256 }) => `${sha256}  ${path}\n`),
});
