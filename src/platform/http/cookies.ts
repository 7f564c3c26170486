import type { IncomingHttpHeaders } from 'node:http';

/** A cookie of ours that scripts cannot read and that browsers do not send along with another site's form. */
export interface PrivateCookie {
  name: string;
  /** Seconds. */
  maxAge: number;
  /** Over http, browsers send it only to the folder of the page that set it. Over https the prefix asks for `/`. */
  isOfFolder?: true;
}

/**
 * The name on the wire. Over https it has the prefix `__Host-` (RFC 6265bis §4.1.3.2): browsers take such a
 * cookie only from this host, over https and for all paths, so no other subdomain can plant one.
 */
const toWireName = (name: string, isSecure: boolean): string =>
  isSecure ? `__Host-${name}` : name;

/** The value of a cookie in a request; undefined if it is missing, or is not the kind that counts here. */
export function readCookie(
  { cookie = '' }: IncomingHttpHeaders,
  { name }: Pick<PrivateCookie, 'name'>,
  isSecure: boolean,
): string | undefined {
  const wireName = toWireName(name, isSecure);
  for (const pair of cookie.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === wireName) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The value of a `Set-Cookie` header. */
export const formatCookie = (
  { name, maxAge, isOfFolder }: PrivateCookie,
  value: string,
  isSecure: boolean,
): string => {
  const path = isOfFolder && !isSecure ? '' : '; Path=/';
  const secure = isSecure ? '; Secure' : '';
  return `${toWireName(name, isSecure)}=${value}${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
};

/** The value of a `Set-Cookie` header that deletes the cookie. */
export const formatDeletedCookie = (cookie: PrivateCookie, isSecure: boolean): string =>
  formatCookie({ ...cookie, maxAge: 0 }, '', isSecure);
