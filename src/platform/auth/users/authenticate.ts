import type { Platform } from '../../deps.ts';
import { readCookie } from '../../http/cookies.ts';
import type { Authenticate, Caller } from '../caller.ts';
import { checkApplicationPassword } from './application-passwords/application-password.ts';
import { isNonce, nonceOf, resumeSession, SESSION_COOKIE } from './session.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * Tells who sends a request: by Basic with an application password, else by session cookie and
 * nonce. A Basic header that is no good leaves the cookie to speak, as in WordPress: a browser sends
 * one by itself where a staging site is behind a password of its own.
 * @param isSecure whether browsers find us over https
 */
export function createAuthenticate(platform: Platform, isSecure: () => boolean): Authenticate {
  return async ({ headers, nonce: nonceOfQuery }) => {
    const given = readBasic(headers.authorization);
    const checked = given && (await checkApplicationPassword(platform, given));
    if (checked?.user) return { user: checked.user, badNonce: false, basic: checked };
    const nobody: Caller = { user: null, badNonce: false, ...(checked && { basic: checked }) };

    const nonce = nonceOfQuery ?? headers['x-wp-nonce']?.toString();
    if (nonce === undefined) return nobody;
    const session = await resumeSession(platform, readCookie(headers, SESSION_COOKIE, isSecure()));
    if (!session) return nobody;
    return isNonce(platform, session, nonce)
      ? { ...nobody, user: session.user, nonce: nonceOf(platform, session) }
      : { ...nobody, badNonce: true };
  };
}

/** Login (or email address) and password of a Basic header. */
export function readBasic(
  header: string | undefined,
): { login: string; password: string } | undefined {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (!encoded) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
