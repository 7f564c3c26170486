import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** As SQLite's own limit of 1,000 pages would be reached by about this many commits of requests. */
const EVERY_COMMITS = 100;
/** An idle worker takes memory. */
const IDLE_MS = 60_000;
/** Sources run as .ts, the package as .js. */
const WORKER = new URL(`./sqlite-checkpoint-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Copies the log of an SQLite database into its file in a worker thread, since a checkpoint waits for the disk several
 * times. The thread ends when it is idle.
 */
export class SqliteCheckpointer {
  readonly #path: string;
  #commits = 0;
  #isRunning = false;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Counts a commit, and starts a checkpoint if it is time for one. */
  countCommit(): void {
    if (++this.#commits < EVERY_COMMITS || this.#isRunning) return;
    this.#commits = 0;
    this.#isRunning = true;
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { workerData: this.#path });
    worker.unref();
    worker.on('message', () => {
      this.#isRunning = false;
      this.#idle = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
    });
    worker.on('error', () => {}); // Such as no memory for a thread: the next commits try again.
    worker.on('exit', () => {
      this.#isRunning = false;
      this.#worker = undefined;
    });
    return worker;
  }
}
