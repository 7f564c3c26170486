import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

const WITHIN_MS = 60_000;
/** Rewriting a file of this size blocks writers for one or two seconds. */
const REWRITE_UP_TO_BYTES = 64 * 1024 * 1024;
/** Sources run as .ts, the package as .js. */
const WORKER = new URL(`./sqlite-purge-worker${extname(import.meta.url)}`, import.meta.url);

export interface PurgeOrder {
  path: string;
  /** A larger file is not rewritten. */
  rewriteUpToBytes: number;
  /** Whether the copy that replaces the file is in memory. */
  keepsCopyInMemory: boolean;
  withinMs: number;
}

/**
 * Removes deleted data from the files of an SQLite database, in a worker thread. SQLite overwrites deleted rows
 * (`secure_delete`), but older versions of pages stay in the log, and copies of rows in unused parts of split pages.
 * So a small file is rewritten, a large one gives free pages back, and the log is emptied.
 * @throws if others keep the file busy for a minute; what was done stays done
 */
export async function purgeSqlite(
  path: string,
  { rewriteUpToBytes, keepsCopyInMemory = true }: Partial<PurgeOrder> = {},
): Promise<void> {
  const order: PurgeOrder = {
    path,
    rewriteUpToBytes:
      rewriteUpToBytes ?? (keepsCopyInMemory ? REWRITE_UP_TO_BYTES : Number.POSITIVE_INFINITY),
    keepsCopyInMemory,
    withinMs: WITHIN_MS,
  };
  const worker = new Worker(WORKER, { workerData: order });
  try {
    await once(worker, 'message');
  } finally {
    await worker.terminate();
  }
}
