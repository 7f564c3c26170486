import type { Logger } from '../log.ts';

/** How long a worker with nothing to do waits before it looks again, if nobody wakes it. */
const IDLE_MS = 5_000;
/** After a failure: the database is away, most likely. */
const FAILED_MS = 2_000;
/** How long the current piece of work may still take when it is stopped, and when it is cut off. */
const GRACE_MS = 5_000;

interface WorkerOptions {
  /** As the log names it. */
  name: string;
  /** Does a piece of what there is to do, and gives it up when the signal says so; true: there may be more. */
  work: (signal: AbortSignal) => Promise<boolean>;
  log: Logger;
}

/** Does pieces of work one after another in the background, as long as there are any, until it is stopped. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #cutOff = new AbortController();
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

  /** Says that there may be something to do. */
  wake(): void {
    this.#wake();
  }

  /** Lets the current piece of work end, or cuts it off. What was cut off is found again by its lease. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#wake();
    await this.#ended();
    this.#cutOff.abort();
    await this.#ended();
  }

  async #ended(): Promise<void> {
    const tooLong = Promise.withResolvers<void>();
    const timer = setTimeout(tooLong.resolve, GRACE_MS);
    await Promise.race([this.#running, tooLong.promise]);
    clearTimeout(timer);
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
        if (await work(this.#cutOff.signal)) continue;
      } catch (err) {
        log.warn({ err, worker: name }, 'work in the background failed, and is tried again');
        pause = FAILED_MS;
      }
      if (woken || !this.#isWanted) continue;
      const timer = setTimeout(rest.resolve, pause * (0.8 + 0.4 * Math.random())).unref();
      await rest.promise;
      clearTimeout(timer);
    }
  }
}
