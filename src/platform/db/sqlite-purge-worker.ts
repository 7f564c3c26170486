import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { isBusy } from './exclusive-access.ts';
import type { PurgeOrder } from './sqlite-purge.ts';

const RETRY_AFTER_MS = 20;
/** Pages freed in one transaction, for which other writers wait. */
const PAGES_AT_ONCE = 64;

/** The other side of `purgeSqlite`. */
const { path, rewriteUpToBytes, keepsCopyInMemory, withinMs } = workerData as PurgeOrder;
const deadline = performance.now() + withinMs;

// A file that is gone must not come back empty.
const file = pathToFileURL(path);
file.searchParams.set('mode', 'rw');
const db = new DatabaseSync(file, { timeout: 0 });
try {
  db.exec('pragma secure_delete = on');
  if (keepsCopyInMemory) db.exec('pragma temp_store = memory');
  if (statSync(path).size <= rewriteUpToBytes) {
    await untilFree(() => {
      db.exec('pragma auto_vacuum = incremental; vacuum');
      return true;
    });
  } else {
    await untilFree(giveBackPages);
  }
  // Copies most of the log while others write, the rest while they wait.
  await untilFree(() => {
    checkpoint('passive');
    return true;
  });
  await untilFree(() => checkpoint('truncate'));
} finally {
  db.close();
}
parentPort?.postMessage('done');

/** @returns whether no pages are left that could be freed */
function giveBackPages(): boolean {
  const before = countFreePages();
  db.exec(`pragma incremental_vacuum(${PAGES_AT_ONCE})`);
  const left = countFreePages();
  return left === 0 || left === before;
}

function countFreePages(): number {
  return Number(db.prepare('pragma freelist_count').get()?.freelist_count);
}

/** @returns whether no other connection blocked it */
function checkpoint(mode: 'passive' | 'truncate'): boolean {
  return db.prepare(`pragma wal_checkpoint(${mode})`).get()?.busy === 0;
}

/** Repeats a step until it is done, after other users of the file. */
async function untilFree(isDone: () => boolean): Promise<void> {
  for (;;) {
    try {
      if (isDone()) return;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    if (performance.now() >= deadline)
      throw new Error('others have kept the database busy all the time');
    await wait(RETRY_AFTER_MS);
  }
}
