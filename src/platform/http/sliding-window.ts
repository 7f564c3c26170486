/** Of the latest clients at least so many are remembered, and at most twice as many. */
const CLIENTS_REMEMBERED = 25_000;

export interface Quota {
  allowed: boolean;
  /** How many more may come now. */
  remaining: number;
  /** Milliseconds until the oldest counted hit leaves the window and makes room for one more. */
  resetIn: number;
}

/** When a client came; one moment alone stands for itself, as most clients come once. */
type Hits = number | number[];

/**
 * At most `limit` hits of one client in any stretch of time as long as the window: each hit is
 * remembered, so there is no edge at which twice as many get through. A refused hit does not count,
 * so `resetIn` is the truth about when the next one passes.
 */
export class SlidingWindow {
  readonly limit: number;
  readonly #windowMs: number;
  /** Two maps, the older of which goes as a whole: a cache that sets aside room would hold it while nobody comes. */
  #latest = new Map<string, Hits>();
  #before = new Map<string, Hits>();

  constructor(limit: number, windowMs: number) {
    this.limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts a hit at a moment (milliseconds, never going back). */
  hit(client: string, now: number): Quota {
    const known = this.#latest.get(client) ?? this.#before.get(client);
    if (known === undefined) {
      this.#remember(client, now);
      return { allowed: true, remaining: this.limit - 1, resetIn: this.#windowMs };
    }
    const hits = typeof known === 'number' ? [known] : known;
    let expired = 0;
    while (expired < hits.length && (hits[expired] as number) <= now - this.#windowMs) expired++;
    if (expired > 0) hits.splice(0, expired);
    const allowed = hits.length < this.limit;
    if (allowed) hits.push(now);
    this.#remember(client, hits);
    // With those let in elsewhere there may be more than the limit, of which several must leave.
    const over = Math.max(0, hits.length - this.limit);
    return {
      allowed,
      remaining: Math.max(0, this.limit - hits.length),
      resetIn: (hits[over] as number) + this.#windowMs - now,
    };
  }

  /** Counts a hit that was let in elsewhere. */
  add(client: string, now: number): void {
    const known = this.#latest.get(client) ?? this.#before.get(client) ?? [];
    this.#remember(client, typeof known === 'number' ? [known, now] : [...known, now]);
  }

  /** Forgets the last hit of a client, for what turns out not to count. */
  takeBack(client: string): void {
    const known = this.#latest.get(client) ?? this.#before.get(client);
    if (known !== undefined)
      this.#remember(client, typeof known === 'number' ? [] : known.slice(0, -1));
  }

  #remember(client: string, hits: Hits): void {
    this.#latest.set(client, hits);
    if (this.#latest.size < CLIENTS_REMEMBERED) return;
    this.#before = this.#latest;
    this.#latest = new Map();
  }
}
