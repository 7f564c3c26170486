import { randomBytes } from 'node:crypto';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import type { Platform } from '../../platform/deps.ts';

const LIFETIME_SECONDS = 180 * 86_400;
const DEVICE_BYTES = 16;
const TOKEN = /^(\d{1,15})\.([\w-]{22})\.(\d{1,15})\.([\w-]{43})$/;

/** Marks a browser in which the user has signed in before. It grants no access. */
export const DEVICE_COOKIE = { name: 'pavis_device', maxAge: LIFETIME_SECONDS };

const sign = ({ secret }: Platform, userId: number, device: string, expiresAt: number): string =>
  secret.hash('known-device', `${userId}.${device}.${expiresAt}`);

/** @param device the known device, if the browser is one already */
export function issueDeviceToken(
  platform: Platform,
  userId: number,
  device = randomBytes(DEVICE_BYTES).toString('base64url'),
): string {
  const expiresAt = platform.clock.now() + LIFETIME_SECONDS * 1000;
  return `${userId}.${device}.${expiresAt}.${sign(platform, userId, device, expiresAt)}`;
}

/** The known device of a user; undefined if the token is invalid or has expired. */
export function readDeviceToken(
  platform: Platform,
  userId: number,
  token: string | undefined,
): string | undefined {
  const [, user, device = '', expiresAt, signature = ''] = TOKEN.exec(token ?? '') ?? [];
  if (Number(user) !== userId || Number(expiresAt) <= platform.clock.now()) return undefined;
  const expected = sign(platform, userId, device, Number(expiresAt));
  return equalInConstantTime(signature, expected) ? device : undefined;
}
