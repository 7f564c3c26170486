import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_SECONDS } from './session.ts';

const NAME = 'pavis_session';

/** The session token of a request's cookies. */
export function sessionToken({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  for (const pair of cookie.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === NAME) return value;
  }
  return undefined;
}

/** The `Set-Cookie` that gives a browser its session, out of reach of scripts and of other sites' forms. */
export const sessionCookie = (token: string, secure: boolean): string =>
  cookieWith(token, SESSION_SECONDS, secure);

/** The `Set-Cookie` that takes it back. */
export const endedCookie = (secure: boolean): string => cookieWith('', 0, secure);

const cookieWith = (value: string, maxAge: number, secure: boolean): string =>
  `${NAME}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
