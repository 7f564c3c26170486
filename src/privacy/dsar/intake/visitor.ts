import type { IncomingHttpHeaders } from 'node:http';
import { isRandomId } from '../../../platform/crypto/random-id.ts';
import type { Dsar } from '../context.ts';

const COOKIE = 'pavis_consent';
const ID_MAX_LENGTH = 128;

/** The visitor id of a requestor: shown to be theirs, or only stated, which a person has to check. */
export interface Visitor {
  visitorId: string | null;
  visitorClaim: string | null;
}

/**
 * Whose consents a request is about. Only the holder of an id may see or erase what was recorded under it: it counts
 * if it comes with a token of ours, or in the visitor's own cookie on this origin, where it must be one that nobody
 * guesses, since anybody can write a cookie. Any other is a claim.
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

/** Whether a request was made by a page of this origin. */
function isSameOrigin(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
}

/** The visitor id in the cookie in which the banner keeps a choice; undefined if there is none. */
export function findCookieVisitor({ cookie = '' }: IncomingHttpHeaders): string | undefined {
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
