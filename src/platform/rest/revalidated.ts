import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RestAnswer } from './route.ts';

/**
 * An answer that browsers keep and ask about each time: 304 and nothing else while it is still the same.
 */
export function revalidated(body: unknown, headers: IncomingHttpHeaders): RestAnswer {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  const etag = `"${digest}"`;
  const said = { etag, 'cache-control': 'no-cache' };
  return isKnown(etag, headers['if-none-match'])
    ? { status: 304, body: undefined, headers: said }
    : { body, headers: said };
}

/** Weak comparison (RFC 9110, 13.1.2): what compresses on the way may have put `W/` before the tag. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch?.trim() === '*') return true;
  const known = ifNoneMatch?.split(',') ?? [];
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
