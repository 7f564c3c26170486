import { readCookie } from '../../platform/http/cookies.ts';
import { type Authenticate, NOBODY } from '../../platform/rest/caller.ts';
import { findUserByApplicationPassword } from './application-passwords/application-password.ts';
import type { SessionScope } from './second-factor/scope.ts';
import { createNonce, isNonce, resumeSession, SESSION_COOKIE } from './session.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * Authenticates by Basic with an application password, else by session cookie and nonce. An invalid Basic header is
 * ignored, as in WordPress: browsers add one where a staging site has a password of its own.
 * @param isSecure whether browsers reach the server over HTTPS
 */
export function createAuthenticate(scope: SessionScope, isSecure: () => boolean): Authenticate {
  const { platform } = scope;
  return async ({ headers, nonce: nonceOfQuery }) => {
    const basic = readBasic(headers.authorization);
    const found =
      basic && (await findUserByApplicationPassword(platform, basic.login, basic.password));
    if (found?.user) return { user: found.user, badNonce: false };
    const nobody = found ? { ...NOBODY, ...found } : NOBODY;

    const nonce = nonceOfQuery ?? headers['x-wp-nonce']?.toString();
    if (nonce === undefined) return nobody;
    const session = await resumeSession(scope, readCookie(headers, SESSION_COOKIE, isSecure()));
    if (!session) return nobody;
    if (!isNonce(platform, session, nonce)) return { user: null, badNonce: true };
    const { user, lacksSecondFactor } = session;
    return {
      ...(lacksSecondFactor ? { user: null, lacksSecondFactor: user } : { user }),
      badNonce: false,
      nonce: createNonce(platform, session),
      sessionId: session.id,
    };
  };
}

/** Login (or email address) and password of a Basic header; undefined if it is invalid (RFC 7617 §2). */
export function readBasic(
  header: string | undefined,
): { login: string; password: string } | undefined {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (!encoded) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  const login = text.slice(0, Math.max(0, colon));
  if (login === '' || /\p{Cc}/u.test(login)) return undefined;
  return { login, password: text.slice(colon + 1) };
}
