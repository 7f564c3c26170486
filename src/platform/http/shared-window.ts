import type { Platform } from '../deps.ts';
import { type Quota, SlidingWindow } from './sliding-window.ts';

/**
 * A sliding window that all nodes share: a hit on one node is counted by the others some milliseconds later. Requests do
 * not wait for that, and while the database is away each node counts for itself.
 */
export class SharedWindow {
  readonly limit: number;
  readonly #window: SlidingWindow;
  readonly #topic: string;
  readonly #datastore: Platform['datastore'];
  readonly #clock: Platform['clock'];

  /** @param name unique, and the same on all nodes */
  constructor(
    name: string,
    limit: number,
    windowMs: number,
    { datastore, clock }: Pick<Platform, 'datastore' | 'clock'>,
  ) {
    this.limit = limit;
    this.#window = new SlidingWindow(limit, windowMs);
    this.#topic = `limit ${name}`;
    this.#datastore = datastore;
    this.#clock = clock;
    datastore.onChange(this.#topic, (client) => {
      if (client !== undefined) this.#window.add(client, clock.monotonic());
    });
    datastore.onChange(`${this.#topic} back`, (client) => {
      if (client !== undefined) this.#window.takeBack(client);
    });
  }

  /** Counts a hit by the monotonic clock, so that setting the system's clock does not change a limit. */
  hit(client: string): Quota {
    const quota = this.#window.hit(client, this.#clock.monotonic());
    if (quota.allowed) this.#datastore.tell(this.#topic, client);
    return quota;
  }

  /** Removes the last hit of a client. */
  takeBack(client: string): void {
    this.#window.takeBack(client);
    this.#datastore.tell(`${this.#topic} back`, client);
  }
}
