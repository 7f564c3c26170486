import type { RestApiOptions } from './options.ts';
import type { RawResponse } from './raw-request.ts';

/** The headers that WordPress core sends to signed-in users. */
const NEVER_CACHED = {
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
};
const COMMON = {
  'x-robots-tag': 'noindex',
  'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
  // Core's, and the one that makes a repeated POST count once.
  'access-control-allow-headers':
    'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, Idempotency-Key',
};

export type ResponseHeaders = Record<string, string | string[]>;
type Head = Omit<RawResponse, 'text'>;

/** Returns a function that completes the headers of a response, without those that the server adds. */
export const createHeaderFormatter =
  ({ restRoot, isUnlisted }: RestApiOptions) =>
  ({
    status,
    contentType,
    nonce,
    allowedOrigin,
    headers: { link, ...headers },
  }: Head): ResponseHeaders => {
    // Two header lines, as in core: the REST root, and neighbouring pages.
    const links = isUnlisted ? [] : [`<${restRoot()}/>; rel="https://api.w.org/"`];
    if (link !== undefined) links.push(link);
    const isCached = 'cache-control' in headers;
    return {
      // A 304 has no content (RFC 9110 §15.4.5).
      ...(status !== 304 && { 'content-type': contentType }),
      ...COMMON,
      ...(!isCached && NEVER_CACHED),
      ...formatCors(allowedOrigin),
      ...(links.length > 0 && { link: links }),
      // A cached response must not contain a user's nonce.
      ...(nonce !== undefined && !isCached && { 'x-wp-nonce': nonce }),
      ...headers,
    };
  };

function formatCors(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  };
}
