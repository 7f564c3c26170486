import { createHash, hash } from 'node:crypto';
import { toCanonicalJson } from './canonical-json.ts';

type Row = Readonly<Record<string, string | number | null | Uint8Array>>;

/** SHA-256 of rows: each as canonical JSON on a line of its own, with bytes as their SHA-256 in hexadecimal. */
export class RowDigest {
  readonly #hash = createHash('sha256');
  #count = 0;

  /** Number of rows. */
  get count(): number {
    return this.#count;
  }

  add(row: Row): void {
    const members = Object.entries(row).map(([name, value]) => [name, encode(value)]);
    this.#hash.update(`${toCanonicalJson(Object.fromEntries(members))}\n`);
    this.#count++;
  }

  /** In hexadecimal. Nothing can be added afterwards. */
  finish(): string {
    return this.#hash.digest('hex');
  }
}

function encode(value: Row[string]): string | number | null {
  if (value instanceof Uint8Array) return hash('sha256', value);
  // SQLite has infinite numbers, which JSON would write as null.
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
