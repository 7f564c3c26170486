import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Larger bytes would favour the first letters. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

export function randomAlphanumeric(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < FAIR_BYTES) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}
