import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

interface Limits {
  /** How many entries at the most. */
  max: number;
  /** How long an entry is good, in milliseconds. */
  ttl: number;
}

/**
 * Keeps what a slow read found, so that the next one needs no read.
 *
 * What is kept is never older than the last `drop`: a read that began before a drop hands its result
 * to those who already waited for it, and to nobody else. Of several callers that miss at once, one reads.
 * Keys without a value are kept apart and for a shorter time, so that a flood of made-up keys can neither
 * push out real ones nor reach the source.
 */
export class SnapshotCache<Value extends object> {
  readonly #found: LRUCache<string, Value>;
  readonly #missing: LRUCache<string, true>;
  readonly #reading = new Map<string, Promise<Value | undefined>>();
  readonly #read: (key: string) => Promise<Value | undefined>;

  constructor(
    read: (key: string) => Promise<Value | undefined>,
    { found, missing, clock }: { found: Limits; missing: Limits; clock: Clock },
  ) {
    this.#read = read;
    // lru-cache takes a start of 0 for "no start": a clock must never answer it.
    const perf = { now: () => clock.monotonic() };
    this.#found = new LRUCache({ ...found, perf, ttlResolution: 0 });
    this.#missing = new LRUCache({ ...missing, perf, ttlResolution: 0 });
  }

  /** The value, if it can be told without a read: undefined if not, null if the key is known to have none. */
  peek(key: string): Value | null | undefined {
    return this.#found.get(key) ?? (this.#missing.has(key) ? null : undefined);
  }

  /** The value, from the cache or from the source; undefined if the key has none. */
  async get(key: string): Promise<Value | undefined> {
    const known = this.peek(key);
    if (known !== undefined) return known ?? undefined;
    return this.#reading.get(key) ?? this.#fill(key);
  }

  /** Forgets one key, after what is behind it has changed. */
  drop(key: string): void {
    this.#reading.delete(key);
    this.#found.delete(key);
    this.#missing.delete(key);
  }

  /** Forgets everything, when changes may have been missed. */
  clear(): void {
    this.#reading.clear();
    this.#found.clear();
    this.#missing.clear();
  }

  #fill(key: string): Promise<Value | undefined> {
    const read = this.#read(key)
      .then((value) => {
        const isLatest = this.#reading.get(key) === read;
        if (isLatest && value) this.#found.set(key, value);
        if (isLatest && !value) this.#missing.set(key, true);
        return value;
      })
      .finally(() => {
        if (this.#reading.get(key) === read) this.#reading.delete(key);
      });
    this.#reading.set(key, read);
    return read;
  }
}
