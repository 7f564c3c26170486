import type { IncomingHttpHeaders } from 'node:http';
import { isRandomId } from '../../../platform/crypto/random-id.ts';
import type { Dsar } from '../context.ts';

const COOKIE = 'pavis_consent';
const ID_MAX_LENGTH = 128;

/** The visitor id of a requester: proven to be theirs, or only claimed, which an administrator has to check. */
export interface Visitor {
  visitorId: string | null;
  visitorClaim: string | null;
}

/**
 * Only the holder of a visitor id may see or erase its consent records. An id is proven by our token, or by the
 * visitor's own cookie on this origin if it is a random id, since anybody can write a cookie. Any other is a claim.
 */
export async function findVisitor(
  { site }: Dsar,
  given: { token?: string | undefined; id?: string | undefined },
  headers: IncomingHttpHeaders,
): Promise<Visitor> {
  const stated = given.id?.trim() || undefined;
  const byToken = given.token ? await site.readVisitorToken(given.token) : undefined;
  const inCookie = isSameOrigin(headers, site.publicUrl()) ? findCookieVisitor(headers) : undefined;
  const byCookie = inCookie && isRandomId(inCookie) ? inCookie : undefined;
  const shown = byToken ?? byCookie ?? null;
  const claim = stated ?? (shown === null ? inCookie : undefined) ?? null;
  return { visitorId: shown, visitorClaim: claim === shown ? null : claim };
}

function isSameOrigin(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
}

/** The visitor id in the cookie of the banner. */
function findCookieVisitor({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  const text = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]*)`).exec(cookie)?.[1];
  if (text === undefined) return undefined;
  try {
    const { visitor_id: id } = JSON.parse(decodeURIComponent(text)) as { visitor_id?: unknown };
    return typeof id === 'string' && /^[^\p{C}]+$/u.test(id) && id.length <= ID_MAX_LENGTH
      ? id
      : undefined;
  } catch {
    return undefined;
  }
}
