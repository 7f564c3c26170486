import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** The worker thread of `SqliteCheckpointer`. */
parentPort?.on('message', () => {
  try {
    // A file that is gone must not come back empty.
    const file = pathToFileURL(workerData as string);
    file.searchParams.set('mode', 'rw');
    const db = new DatabaseSync(file, { timeout: 0 });
    try {
      db.exec('pragma wal_checkpoint(passive)');
    } finally {
      db.close();
    }
  } catch {
    // The connection that writes reports what is wrong with the file, and checkpoints a long log itself.
  }
  parentPort?.postMessage('done');
});
