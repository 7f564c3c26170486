import { hash } from 'node:crypto';

export const SALT_BYTES = 16;
const HASH_BYTES = 32;
const VERSION = 1;

const PERSONAL = Buffer.from('pavis-consent-p/v1\n');
const FACTS = 'pavis-consent-f/v1\n';
const ENTRY = Buffer.from('pavis-consent/v1\n');

/** By way of a text with a byte in each character, which takes half the time of a buffer as the result. */
const sha256 = (input: string | Uint8Array): Buffer =>
  Buffer.from(hash('sha256', input, 'binary'), 'latin1');

/** For the input of a hash. Entries are made one after the other. */
let scratch = Buffer.alloc(4_096);
scratch.set(PERSONAL);
const joined = Buffer.alloc(ENTRY.length + 2 * HASH_BYTES);
joined.set(ENTRY);

/** SHA-256 of personal data with its salt, 32 bytes. A record without personal data has neither. */
export function hashPersonal(salt?: Uint8Array, text = ''): Buffer {
  const start = PERSONAL.length + (salt?.length ?? 0);
  // A code unit takes at most three bytes.
  const needed = start + 3 * text.length;
  if (needed > scratch.length) {
    scratch = Buffer.alloc(2 * needed);
    scratch.set(PERSONAL);
  }
  if (salt) scratch.set(salt, PERSONAL.length);
  const length = start + scratch.write(text, start, 'utf8');
  return sha256(scratch.subarray(0, length));
}

/** SHA-256 of facts, 32 bytes. */
export const hashFacts = (text: string): Buffer => sha256(FACTS + text);

/** The entry of the log that commits to two hashes: version, kind, and SHA-256 of both; 34 bytes. */
export function formatEntry(kind: number, personalHash: Uint8Array, factsHash: Uint8Array): Buffer {
  joined.set(personalHash, ENTRY.length);
  joined.set(factsHash, ENTRY.length + HASH_BYTES);
  const entry = Buffer.allocUnsafe(2 + HASH_BYTES);
  entry[0] = VERSION;
  entry[1] = kind;
  entry.set(sha256(joined), 2);
  return entry;
}
