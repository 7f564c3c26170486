/**
 * Counts failures by key in a sliding window. Over capacity, the keys that have not failed for the longest time are
 * evicted.
 */
export class FailureCounts {
  readonly #windowMs: number;
  readonly #capacity: number;
  /** Times of the failures. A failure moves its key to the end, so the oldest keys come first. */
  readonly #times = new Map<string, number[]>();

  constructor(windowMs: number, capacity = Number.POSITIVE_INFINITY) {
    this.#windowMs = windowMs;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#times.size;
  }

  keys(): Iterable<string> {
    return this.#times.keys();
  }

  /** Milliseconds until the key is below the limit; 0 if it is now. */
  getWait(key: string, limit: number, now: number): number {
    const times = this.#inWindow(key, now);
    const leaving = times[times.length - limit];
    return leaving === undefined ? 0 : leaving + this.#windowMs - now;
  }

  /** @returns the failures of the key in the window, this one included */
  add(key: string, now: number): number {
    this.#dropExpired(now);
    const times = [...this.#inWindow(key, now), now];
    this.#times.delete(key);
    this.#times.set(key, times);
    if (this.#times.size > this.#capacity) {
      const [oldest] = this.#times.keys();
      this.#times.delete(oldest as string);
    }
    return times.length;
  }

  /** Removes the latest failure of a key. */
  takeBack(key: string): void {
    const times = this.#times.get(key)?.slice(0, -1) ?? [];
    if (times.length > 0) this.#times.set(key, times);
    else this.#times.delete(key);
  }

  #inWindow(key: string, now: number): number[] {
    return (this.#times.get(key) ?? []).filter((time) => time > now - this.#windowMs);
  }

  #dropExpired(now: number): void {
    for (const [key, times] of this.#times) {
      if ((times.at(-1) ?? 0) > now - this.#windowMs) return;
      this.#times.delete(key);
    }
  }
}
