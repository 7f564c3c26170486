import type { IncomingHttpHeaders } from 'node:http';

/** An HttpOnly cookie with SameSite=Lax. */
export interface PrivateCookie {
  name: string;
  /** Seconds. */
  maxAge: number;
  /** Over http it has the path of the page that set it. Over https, `__Host-` requires `/`. */
  isOfFolder?: true;
}

/** Browsers accept `__Host-` cookies (RFC 6265bis §4.1.3.2) from this host only, so no subdomain can plant one. */
export const toWireName = (name: string, isSecure: boolean): string =>
  isSecure ? `__Host-${name}` : name;

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
