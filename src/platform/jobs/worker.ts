import type { Logger } from '../log.ts';

/** How long a worker with nothing to do waits before it looks again, if nobody wakes it. */
const IDLE_MS = 5_000;
/** After a failure: the database is away, most likely. */
const FAILED_MS = 2_000;
const STOP_WITHIN_MS = 10_000;

interface WorkerOptions {
  /** As the log names it. */
  name: string;
  /** Does a piece of what there is to do; true: there may be more. */
  work: () => Promise<boolean>;
  log: Logger;
}

/** Does pieces of work one after another in the background, as long as there are any, until it is stopped. */
export class Worker {
  readonly #options: WorkerOptions;
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

  /** Lets the current piece of work end, for ten seconds at most. What is cut off is found again by its lease. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#wake();
    const tooLong = Promise.withResolvers<void>();
    const timer = setTimeout(tooLong.resolve, STOP_WITHIN_MS);
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
        if (await work()) continue;
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
