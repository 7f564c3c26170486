import { DomainError } from '../../platform/errors.ts';

/** Limits concurrent work. Further work waits in order, up to a maximum. */
export class Semaphore {
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Does the work when it is its turn.
   * @throws DomainError `unavailable` `service_unavailable` when too many wait already
   */
  async run<T>(atOnce: number, work: () => Promise<T>): Promise<T> {
    if (this.#inside >= atOnce) {
      if (this.#waiting.length >= this.#mostWaiting) {
        throw new DomainError(
          'unavailable',
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
      // The slot goes directly to the next in line, so that no newcomer takes it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside--;
    }
  }
}
