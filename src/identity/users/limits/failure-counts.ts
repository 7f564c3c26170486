/**
 * Counts failures by key in a sliding window. A key lasts as long as its latest failure is in the window. With a
 * capacity, the keys that have not failed for the longest time make room.
 */
export class FailureCounts {
  readonly #windowMs: number;
  readonly #capacity: number;
  /** Moments of the failures by key. A failure moves its key to the end, so the oldest keys are in front. */
  readonly #moments = new Map<string, number[]>();

  constructor(windowMs: number, capacity = Number.POSITIVE_INFINITY) {
    this.#windowMs = windowMs;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#moments.size;
  }

  keys(): Iterable<string> {
    return this.#moments.keys();
  }

  /** Milliseconds until the key has fewer failures than the limit; 0 if it has now. */
  getWait(key: string, limit: number, now: number): number {
    const moments = this.#inWindow(key, now);
    const leaving = moments[moments.length - limit];
    return leaving === undefined ? 0 : leaving + this.#windowMs - now;
  }

  /** @returns how many failures of the key are in the window with this one */
  add(key: string, now: number): number {
    this.#dropExpired(now);
    const moments = [...this.#inWindow(key, now), now];
    this.#moments.delete(key);
    this.#moments.set(key, moments);
    if (this.#moments.size > this.#capacity) {
      const [oldest] = this.#moments.keys();
      this.#moments.delete(oldest as string);
    }
    return moments.length;
  }

  /** Removes the latest failure of a key. */
  takeBack(key: string): void {
    const moments = this.#moments.get(key)?.slice(0, -1) ?? [];
    if (moments.length > 0) this.#moments.set(key, moments);
    else this.#moments.delete(key);
  }

  #inWindow(key: string, now: number): number[] {
    return (this.#moments.get(key) ?? []).filter((moment) => moment > now - this.#windowMs);
  }

  #dropExpired(now: number): void {
    for (const [key, moments] of this.#moments) {
      if ((moments.at(-1) ?? 0) > now - this.#windowMs) return;
      this.#moments.delete(key);
    }
  }
}
