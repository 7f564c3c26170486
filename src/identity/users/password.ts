import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const deriveArgon2 = promisify(argon2);

/** OWASP's Password Storage Cheat Sheet, the least it recommends for argon2id. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const ENCODED =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

const COST: Cost = { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM };

/** A login password as it is stored: argon2id with its parameters and a salt of its own (PHC string). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encode(salt, await derive(password, salt, TAG_BYTES, COST));
}

/**
 * Whether a password is the one that was stored.
 * @param stored undefined for a user who does not exist: the work is done all the same, so that the
 * time an answer takes names nobody
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = ENCODED.exec(stored ?? NOBODY) ?? [];
  if (!memory) return false;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), expected.length, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected) && stored !== undefined;
}

// One letter can be typed as one character or as two; both are the same password.
const derive = (password: string, nonce: Buffer, tagLength: number, cost: Cost): Promise<Buffer> =>
  deriveArgon2('argon2id', { message: password.normalize('NFC'), nonce, tagLength, ...cost });

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const encode = (salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${base64(salt)}$${base64(tag)}`;

/** Costs what any other hash costs. */
const NOBODY = encode(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));
