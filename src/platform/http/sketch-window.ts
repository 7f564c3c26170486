import { hash, randomBytes } from 'node:crypto';

const SLOTS = 65_536;
const WINDOW_MS = 60_000;
const PART_MS = 10_000;
/** One more than a minute has: the oldest part counts until all of it is a minute old. */
const PARTS = WINDOW_MS / PART_MS + 1;

export interface SketchQuota {
  allowed: boolean;
  /** Milliseconds until a refused client is allowed again. */
  retryIn: number;
}

/**
 * At most `limit` hits a minute per client, in memory of a fixed size: a count-min sketch of two rows (Cormode and
 * Muthukrishnan) for each part of the minute, so that made-up clients cannot evict others' counters. A client is refused
 * too early only if it shares both slots, which depend on a secret seed, with clients near the limit.
 */
export class SketchWindow {
  readonly limit: number;
  readonly #seed = randomBytes(16).toString('base64url');
  /** The counts of part `n` are at `n % PARTS`; allocated with the first client. */
  #parts: Uint32Array[] | undefined;
  #newest = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts a hit unless it is refused. @param now milliseconds, monotonic */
  hit(client: string, now: number): SketchQuota {
    const part = Math.floor(now / PART_MS);
    const parts = this.#partsAt(part);
    const digest = hash('sha256', this.#seed + client, 'buffer');
    const one = digest.readUInt16LE(0);
    const two = SLOTS + digest.readUInt16LE(2);
    let first = 0;
    let second = 0;
    for (const counts of parts) {
      first += counts[one] as number;
      second += counts[two] as number;
    }
    const current = parts[part % PARTS] as Uint32Array;
    if (Math.min(first, second) < this.limit) {
      current[one] = (current[one] as number) + 1;
      current[two] = (current[two] as number) + 1;
      return { allowed: true, retryIn: 0 };
    }
    // When enough of the oldest parts have left the window.
    let oldest = part - PARTS;
    while (Math.min(first, second) >= this.limit) {
      const counts = parts[(++oldest + PARTS) % PARTS] as Uint32Array;
      first -= counts[one] as number;
      second -= counts[two] as number;
    }
    return { allowed: false, retryIn: (oldest + PARTS) * PART_MS - now };
  }

  /** All parts, after clearing those that have left the window. */
  #partsAt(part: number): readonly Uint32Array[] {
    this.#parts ??= Array.from({ length: PARTS }, () => new Uint32Array(2 * SLOTS));
    const from = Math.max(this.#newest + 1, part - PARTS + 1);
    for (let next = from; next <= part; next++) this.#parts[next % PARTS]?.fill(0);
    this.#newest = part;
    return this.#parts;
  }
}
