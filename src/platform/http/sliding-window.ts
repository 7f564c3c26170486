/** At least so many of the latest clients are remembered, and at most twice as many. */
const CLIENTS_REMEMBERED = 25_000;

export interface Quota {
  allowed: boolean;
  remaining: number;
  /** Milliseconds until one more is allowed. */
  resetIn: number;
}

/** Times of a client's hits; most clients have one, which needs no array. */
type Hits = number | number[];

/**
 * At most `limit` hits per client in any period of the window's length. Each hit is remembered, so there is no edge at
 * which twice as many pass. A refused hit does not count, so `resetIn` is exact.
 */
export class SlidingWindow {
  readonly limit: number;
  readonly #windowMs: number;
  /** Two generations, the older of which is dropped as a whole; an LRU cache would reserve its memory. */
  #latest = new Map<string, Hits>();
  #before = new Map<string, Hits>();

  constructor(limit: number, windowMs: number) {
    this.limit = limit;
    this.#windowMs = windowMs;
  }

  /** @param now milliseconds, monotonic */
  hit(client: string, now: number): Quota {
    const known = this.#latest.get(client) ?? this.#before.get(client);
    if (known === undefined) {
      this.#remember(client, now);
      return { allowed: true, remaining: this.limit - 1, resetIn: this.#windowMs };
    }
    const hits = this.#listCurrent(known, now);
    const allowed = hits.length < this.limit;
    if (allowed) hits.push(now);
    this.#remember(client, hits);
    // Hits of other nodes may exceed the limit; several must expire then.
    const over = Math.max(0, hits.length - this.limit);
    return {
      allowed,
      remaining: Math.max(0, this.limit - hits.length),
      resetIn: (hits[over] as number) + this.#windowMs - now,
    };
  }

  /** Counts a hit on another node. */
  add(client: string, now: number): void {
    const hits = this.#listCurrent(this.#latest.get(client) ?? this.#before.get(client) ?? [], now);
    hits.push(now);
    this.#remember(client, hits);
  }

  /** Removes the last hit of a client. */
  takeBack(client: string): void {
    const known = this.#latest.get(client) ?? this.#before.get(client);
    if (known !== undefined)
      this.#remember(client, typeof known === 'number' ? [] : known.slice(0, -1));
  }

  /** The hits that are still in the window. A client may never call this node, so each hit removes those that are not. */
  #listCurrent(known: Hits, now: number): number[] {
    const hits = typeof known === 'number' ? [known] : known;
    let expired = 0;
    while (expired < hits.length && (hits[expired] as number) <= now - this.#windowMs) expired++;
    if (expired > 0) hits.splice(0, expired);
    return hits;
  }

  #remember(client: string, hits: Hits): void {
    this.#latest.set(client, hits);
    if (this.#latest.size < CLIENTS_REMEMBERED) return;
    this.#before = this.#latest;
    this.#latest = new Map();
  }
}
