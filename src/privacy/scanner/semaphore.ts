import { ApiError } from '../../platform/errors.ts';

/** Lets so many past at once; the others wait in order, and not too many of them. */
export class Semaphore {
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Does the work when it is its turn.
   * @throws ApiError 503 `service_unavailable` when too many wait already
   */
  async run<T>(atOnce: number, work: () => Promise<T>): Promise<T> {
    if (this.#inside >= atOnce) {
      if (this.#waiting.length >= this.#mostWaiting) {
        throw new ApiError(
          503,
          'service_unavailable',
          'The scanner is busy. Try again in a moment.',
        );
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    } else {
      this.#inside++;
    }
    try {
      return await work();
    } finally {
      // Who waited takes the place over, so that nobody slips in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside--;
    }
  }
}
