import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

const WITHIN_MS = 60_000;
/** Rewriting a file of this size takes a second or two, in which nobody else can write. */
const REWRITE_UP_TO_BYTES = 64 * 1024 * 1024;
/** This very kind of file: sources run as they are, and the package has them compiled. */
const WORKER = new URL(`./sqlite-purge-worker${extname(import.meta.url)}`, import.meta.url);

export interface PurgeOrder {
  path: string;
  /** A larger file is not written anew. */
  rewriteUpToBytes: number;
  /** Whether the copy that is made to write it anew is kept in memory. */
  keepsCopyInMemory: boolean;
  withinMs: number;
}

/**
 * Takes what was deleted out of the files of the embedded database, in a thread of its own. SQLite
 * overwrites deleted rows by itself (`secure_delete`), but earlier versions of pages stay in the log,
 * and copies of rows in the unused part of pages that were split. So a small file is written anew, of a
 * large one free pages are given back; then the log is emptied, once nobody reads from it.
 * @throws if others have kept the file busy for a minute; what was done by then stays done
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
