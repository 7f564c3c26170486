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
 * @param time of all files, in epoch milliseconds
 */
export async function* zipFiles(files: readonly ZipFile[], time: number): AsyncGenerator<Buffer> {
  const { ZipFile: Archive } = (await import('yazl')).default;
  const archive = new Archive();
  const output = archive.outputStream as Readable;
  // A client that goes away closes the output while a file is written into it.
  output.on('error', () => {});
  archive.on('error', (error: Error) => output.destroy(error));
  let current: Readable | undefined;
  output.on('close', () => current?.destroy());
  for (const { path, chunks, isCompressed = false } of files) {
    const options = { mtime: new Date(time), compress: !isCompressed };
    archive.addReadStreamLazy(path, options, (send) => {
      const content = Readable.from(chunks());
      content.on('error', (error) => archive.emit('error', error));
      current = content;
      // Between files, so that many small ones that need no compression do not hold up other work.
      setImmediate(send, null, content);
    });
  }
  archive.end();
  for await (const chunk of output) yield chunk;
}
