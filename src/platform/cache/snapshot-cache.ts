import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

interface Limits {
  max: number;
  /** Milliseconds. */
  ttl: number;
}

/**
 * Caches slow reads. An entry is never older than the last `drop`: a read that began before it serves only the callers
 * that already wait. Concurrent misses share one read. Unknown keys are cached apart and for a shorter time, so that a
 * flood of made-up keys can neither evict others nor reach the source.
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
    // lru-cache takes a start of 0 for "no start"; `monotonic` never returns it.
    const perf = { now: () => clock.monotonic() };
    this.#found = new LRUCache({ ...found, perf, ttlResolution: 0 });
    this.#missing = new LRUCache({ ...missing, perf, ttlResolution: 0 });
  }

  /** Without a read: undefined if it is not cached, null if the key has no value. */
  peek(key: string): Value | null | undefined {
    return this.#found.get(key) ?? (this.#missing.has(key) ? null : undefined);
  }

  async get(key: string): Promise<Value | undefined> {
    const known = this.peek(key);
    if (known !== undefined) return known ?? undefined;
    return this.#reading.get(key) ?? this.#fill(key);
  }

  drop(key: string): void {
    this.#reading.delete(key);
    this.#found.delete(key);
    this.#missing.delete(key);
  }

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
