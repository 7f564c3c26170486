import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Observation } from '../observation.ts';
import type { HtmlPage } from './observe-html.ts';

const READING_MS = 5_000;
const IDLE_MS = 10_000;
/** Enough for two million elements. */
const MEMORY_MB = 1_024;
/** `.ts` in development, `.js` in the package. */
const WORKER = new URL(`./html-thread-worker${extname(import.meta.url)}`, import.meta.url);

export type Reading =
  | { read: 'observations'; html: string; page: HtmlPage }
  | { read: 'links'; html: string; pageUrl: string };

type Result = Observation[] | string[] | undefined;

/** The first message of the thread: a busy machine may take seconds to start it, which is no document's fault. */
export const READY = 'ready';

interface Waiting {
  reading: Reading;
  resolve(result: Result): void;
}

/**
 * Parses documents in a worker thread, one at a time, so that the server is not blocked: the first one takes 30 ms
 * however short it is. The thread ends when idle.
 */
export class HtmlThread {
  readonly #readingMs: number;
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #isReady = false;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(readingMs = READING_MS) {
    this.#readingMs = readingMs;
  }

  /** Like `observeHtml`; undefined if the document exceeds the limits. */
  async observe(html: string, page: HtmlPage): Promise<Observation[] | undefined> {
    return this.#read({ read: 'observations', html, page }) as Promise<Observation[] | undefined>;
  }

  /** Like `listLinks`; empty if the document exceeds the limits. */
  async links(html: string, pageUrl: string): Promise<string[]> {
    return ((await this.#read({ read: 'links', html, pageUrl })) ?? []) as string[];
  }

  #read(reading: Reading): Promise<Result> {
    return new Promise((resolve) => {
      this.#queue.push({ reading, resolve });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current) return;
    clearTimeout(this.#timer);
    this.#current = this.#queue.shift();
    if (this.#current) {
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(this.#current.reading);
      if (this.#isReady) this.#limit();
    } else if (this.#worker) {
      // An idle thread does not keep the process alive.
      this.#worker.unref();
      this.#timer = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(WORKER, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.on('message', (message: Result | typeof READY) => {
      if (this.#worker !== worker) return;
      if (message !== READY) return this.#done(message);
      this.#isReady = true;
      this.#limit();
    });
    // Out of memory; `exit` follows.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#worker === worker) this.#end();
    });
    return worker;
  }

  #limit(): void {
    this.#timer = setTimeout(() => this.#end(), this.#readingMs);
  }

  /** Gives up the current document only. */
  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.#done(undefined);
  }

  #done(result: Result): void {
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(result);
    this.#next();
  }
}

/** Shared by this process. */
export const htmlThread = new HtmlThread();
