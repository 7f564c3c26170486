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

/**
 * Bytes as letters and digits: their number in base 62, of which the last digits are taken. With 64 bits more than the
 * text has, no character is noticeably more frequent.
 */
export function toAlphanumeric(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text += ALPHABET[Number(rest % 62n)];
    rest /= 62n;
  }
  return text;
}
