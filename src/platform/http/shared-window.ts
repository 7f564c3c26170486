import type { Platform } from '../deps.ts';
import { type Quota, SlidingWindow } from './sliding-window.ts';

/**
 * A sliding window of all nodes: what one lets in the others count too, as soon as they hear of it,
 * some milliseconds later. No request waits for that, and while the database is away each node
 * counts for itself.
 */
export class SharedWindow {
  readonly limit: number;
  readonly #window: SlidingWindow;
  readonly #topic: string;
  readonly #datastore: Platform['datastore'];
  readonly #clock: Platform['clock'];

  /** @param name of what is limited; the same on all nodes, and nothing else's */
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

  /** Counts a hit. Time is measured by the monotonic clock, so setting the system's clock neither lifts nor prolongs a limit. */
  hit(client: string): Quota {
    const quota = this.#window.hit(client, this.#clock.monotonic());
    if (quota.allowed) this.#datastore.tell(this.#topic, client);
    return quota;
  }

  /** Forgets the last hit of a client, for what turns out not to count. */
  takeBack(client: string): void {
    this.#window.takeBack(client);
    this.#datastore.tell(`${this.#topic} back`, client);
  }
}
