import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { SqliteUnavailable } from './sqlite-driver.ts';

/** An idle worker takes memory. */
const IDLE_MS = 60_000;
/** Sources run as .ts, the package as .js. */
const WORKER = new URL(`./sqlite-reader-worker${extname(import.meta.url)}`, import.meta.url);

export interface ReadQuery {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}

export type ReadResult = { id: number } & (
  | { rows: unknown[] }
  | { error: { name: string; message: string; code?: unknown; errcode?: unknown } }
);

/** Reads an SQLite database in a worker thread, so that long queries block no requests. The thread ends when it is idle. */
export class SqliteReader implements DatabaseConnection {
  readonly #path: string;
  readonly #waiting = new Map<number, PromiseWithResolvers<QueryResult<unknown>>>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;

  constructor(path: string) {
    this.#path = path;
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const id = ++this.#asked;
    const answer = Promise.withResolvers<QueryResult<unknown>>();
    this.#waiting.set(id, answer);
    this.#worker ??= this.#start();
    clearTimeout(this.#idle);
    // Keeps the process alive for an answer, but not for an idle thread.
    this.#worker.ref();
    this.#worker.postMessage({ id, sql, parameters } satisfies ReadQuery);
    return answer.promise as Promise<QueryResult<R>>;
  }

  // biome-ignore lint/correctness/useYield: Kysely requires the method, and no query streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('read page by page instead');
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { workerData: this.#path });
    worker.on('message', (result: ReadResult) => this.#answer(result));
    worker.on('error', (error) => this.#fail(worker, error as Error));
    worker.on('exit', () => this.#fail(worker, new SqliteUnavailable('the reading thread ended')));
    return worker;
  }

  #answer(result: ReadResult): void {
    const answer = this.#waiting.get(result.id);
    this.#waiting.delete(result.id);
    if ('rows' in result) answer?.resolve({ rows: result.rows });
    else answer?.reject(restoreError(result.error));
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    else if (this.#worker) return;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function restoreError({ name, message, ...codes }: { name: string; message: string }): Error {
  if (name === 'SqliteUnavailable') return new SqliteUnavailable(message);
  return Object.assign(new Error(message), codes);
}
