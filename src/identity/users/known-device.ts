import { randomBytes } from 'node:crypto';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import type { Platform } from '../../platform/deps.ts';

const LIFETIME_SECONDS = 180 * 86_400;
const DEVICE_BYTES = 16;
/** The last ones of a browser; a token has about 90 characters. */
const USERS_KEPT = 10;
const SEPARATOR = '~';
const TOKEN = /^(\d{1,15})\.([\w-]{22})\.(\d{1,15})\.([\w-]{43})$/;

/** Marks a browser in which users have signed in before, with a token for each. It grants no access. */
export const DEVICE_COOKIE = { name: 'pavis_device', maxAge: LIFETIME_SECONDS };

const sign = ({ secret }: Platform, userId: number, device: string, expiresAt: number): string =>
  secret.hash('known-device', `${userId}.${device}.${expiresAt}`);

/**
 * The value of the cookie after a sign-in.
 * @param cookie its value before: this browser stays known for its other users
 */
export function issueDeviceTokens(
  platform: Platform,
  userId: number,
  cookie: string | undefined,
): string {
  const device =
    readDevice(platform, userId, cookie) ?? randomBytes(DEVICE_BYTES).toString('base64url');
  const expiresAt = platform.clock.now() + LIFETIME_SECONDS * 1000;
  const own = `${userId}.${device}.${expiresAt}.${sign(platform, userId, device, expiresAt)}`;
  const others = split(cookie).filter(
    (token) => TOKEN.test(token) && !token.startsWith(`${userId}.`),
  );
  return [own, ...others].slice(0, USERS_KEPT).join(SEPARATOR);
}

/** The known device of a user; undefined if the cookie has no token of the user, or that is invalid or has expired. */
export function readDevice(
  platform: Platform,
  userId: number,
  cookie: string | undefined,
): string | undefined {
  for (const token of split(cookie)) {
    const [, user, device = '', expiresAt, signature = ''] = TOKEN.exec(token) ?? [];
    if (Number(user) !== userId || Number(expiresAt) <= platform.clock.now()) continue;
    const expected = sign(platform, userId, device, Number(expiresAt));
    if (equalInConstantTime(signature, expected)) return device;
  }
  return undefined;
}

const split = (cookie = ''): string[] => cookie.split(SEPARATOR, USERS_KEPT);
