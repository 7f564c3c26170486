import type { IncomingHttpHeaders } from 'node:http';
import { formatCookie, type PrivateCookie, readCookie, toWireName } from './cookies.ts';

/** Of one browser, so that its requests stay small. */
const ATTEMPTS_KEPT = 5;
/** 32 random bytes in base64url. */
const ID = /^[\w-]{43}$/;

/** Each attempt to sign in has a cookie of its own, so that attempts in several tabs do not disturb each other. */
const toAttemptCookie = (cookie: PrivateCookie, id: string): PrivateCookie => ({
  ...cookie,
  name: `${cookie.name}_${id}`,
});

const isId = (id: unknown): id is string => typeof id === 'string' && ID.test(id);

/** The value of the cookie of an attempt. @param id anything that a client has sent */
export const readAttemptCookie = (
  headers: IncomingHttpHeaders,
  cookie: PrivateCookie,
  id: unknown,
  isSecure: boolean,
): string | undefined =>
  isId(id) ? readCookie(headers, toAttemptCookie(cookie, id), isSecure) : undefined;

/**
 * The `Set-Cookie` headers that begin an attempt, and end the oldest ones of the browser if there are more than five.
 * @param attempt `id`: 32 random bytes in base64url
 */
export function formatAttemptCookies(
  headers: IncomingHttpHeaders,
  cookie: PrivateCookie,
  { id, value }: { id: string; value: string },
  isSecure: boolean,
): string[] {
  const prefix = `${toWireName(cookie.name, isSecure)}_`;
  // Browsers send the oldest first (RFC 6265, section 5.4).
  const earlier = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.split('=', 1)[0]?.trim() ?? '')
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  const ended = earlier.slice(0, 1 - ATTEMPTS_KEPT);
  return [
    ...ended.flatMap((old) => formatDeletedAttempt(cookie, old, isSecure)),
    formatCookie(toAttemptCookie(cookie, id), value, isSecure),
  ];
}

/** The `Set-Cookie` header that ends an attempt. @param id anything that a client has sent */
export const formatDeletedAttempt = (
  cookie: PrivateCookie,
  id: unknown,
  isSecure: boolean,
): string[] =>
  isId(id) ? [formatCookie({ ...toAttemptCookie(cookie, id), maxAge: 0 }, '', isSecure)] : [];
