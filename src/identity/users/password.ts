import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const deriveArgon2 = promisify(argon2);

/** OWASP's Password Storage Cheat Sheet, the minimum for argon2id; memory in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const ENCODED =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Argon2id with its parameters and a random salt, as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encode(salt, await derive(password, salt, TAG_BYTES, COST));
}

/**
 * @param stored undefined for an unknown user: hashing takes place all the same, so that response times do not
 * reveal which users exist
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const found = ENCODED.exec(stored ?? UNKNOWN_USER);
  const [, memory, passes, parallelism, salt = '', tag = ''] = found ?? [];
  if (!memory) return false;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), expected.length, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected) && stored !== undefined;
}

// Accented letters have a composed and a decomposed form, depending on the keyboard.
const derive = (
  password: string,
  nonce: Buffer,
  tagLength: number,
  cost: typeof COST,
): Promise<Buffer> =>
  deriveArgon2('argon2id', { message: password.normalize('NFC'), nonce, tagLength, ...cost });

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const encode = (salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(salt)}$${base64(tag)}`;

const UNKNOWN_USER = encode(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));
