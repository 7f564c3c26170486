import type { Logger } from '../log.ts';
import { settleWithin } from '../settle-within.ts';

/** How long an idle worker waits before it checks again, unless it is woken. */
const IDLE_MS = 5_000;
/** After a failure; most likely the database is away. */
const RETRY_MS = 2_000;
/** How long the current work may take when the server stops. A query that the database does not answer never ends. */
export const GRACE_MS = 2_000;
/** How long the current piece may take after it is aborted. */
const ABORT_MS = 500;

interface WorkerOptions {
  name: string;
  /** Does one piece, or rejects when the signal aborts. Returns whether there may be more. */
  work: (signal: AbortSignal) => Promise<boolean>;
  log: Logger;
}

/** Does pieces of work in the background, one after the other. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #aborting = new AbortController();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #wake: () => void = () => {};

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#wake();
  }

  /** Lets the current piece end, or aborts it. Aborted pieces are found again by their lease. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#wake();
    if (!this.#running) return;
    await settleWithin(GRACE_MS, this.#running);
    this.#aborting.abort();
    await settleWithin(ABORT_MS, this.#running);
  }

  async #run(): Promise<void> {
    const { name, work, log } = this.#options;
    while (this.#isWanted) {
      let woken = false;
      const rest = Promise.withResolvers<void>();
      this.#wake = () => {
        woken = true;
        rest.resolve();
      };
      let pause = IDLE_MS;
      try {
        if (await work(this.#aborting.signal)) continue;
      } catch (err) {
        log.warn({ err, worker: name }, 'background work failed and will be retried');
        pause = RETRY_MS;
      }
      if (woken || !this.#isWanted) continue;
      const timer = setTimeout(rest.resolve, pause * (0.8 + 0.4 * Math.random())).unref();
      await rest.promise;
      clearTimeout(timer);
    }
  }
}
