import { createHmac, randomBytes } from 'node:crypto';

/** The token of a signed-in person, as docs/guides/several-devices.md makes it. @param now epoch milliseconds */
export function createSubjectToken(key: string, userId: string, now = Date.now()): string {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const nonce = randomBytes(12).toString('base64url');
  const signed = `v1.${sign(`subject:${userId}`)}.${Math.floor(now / 1_000)}.${nonce}`;
  return `${signed}.${sign(signed)}`;
}
