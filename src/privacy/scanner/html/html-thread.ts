import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Observation } from '../observation.ts';
import { listLinks } from './links.ts';
import { type HtmlPage, observeHtml } from './observe-html.ts';

/** Shorter documents are parsed in the main thread, because a message would take as long. */
const SHORT_MAX = 32_000;
const READING_MS = 5_000;
const IDLE_MS = 10_000;
/** Enough for two million elements. */
const MEMORY_MB = 1_024;
/** `.ts` in development, `.js` in the package. */
const WORKER = new URL(`./html-thread-worker${extname(import.meta.url)}`, import.meta.url);

export type Reading =
  | { read: 'observations'; html: string; page: HtmlPage }
  | { read: 'links'; html: string; pageUrl: string };

interface Waiting {
  reading: Reading;
  resolve(result: Observation[] | string[] | undefined): void;
}

/**
 * Parses long documents in a worker thread, one at a time, so that the server is not blocked. The thread ends when
 * idle.
 */
export class HtmlThread {
  readonly #readingMs: number;
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(readingMs = READING_MS) {
    this.#readingMs = readingMs;
  }

  /** As {@link observeHtml}; undefined if the document exceeds the limits. */
  async observe(html: string, page: HtmlPage): Promise<Observation[] | undefined> {
    if (html.length <= SHORT_MAX) return observeHtml(html, page);
    return this.#read({ read: 'observations', html, page }) as Promise<Observation[] | undefined>;
  }

  /** As {@link listLinks}; empty if the document exceeds the limits. */
  async links(html: string, pageUrl: string): Promise<string[]> {
    if (html.length <= SHORT_MAX) return listLinks(html, pageUrl);
    return ((await this.#read({ read: 'links', html, pageUrl })) ?? []) as string[];
  }

  #read(reading: Reading): Promise<Observation[] | string[] | undefined> {
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
      this.#timer = setTimeout(() => this.#end(), this.#readingMs);
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
    worker.on('message', (result: Observation[] | string[] | undefined) => {
      if (this.#worker === worker) this.#done(result);
    });
    // Out of memory; `exit` follows.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#worker === worker) this.#end();
    });
    return worker;
  }

  /** Gives up the current document only. */
  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#done(undefined);
  }

  #done(result: Observation[] | string[] | undefined): void {
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(result);
    this.#next();
  }
}

/** Shared by this process. */
export const htmlThread = new HtmlThread();
