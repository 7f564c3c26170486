import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { matchesIfNoneMatch } from '../http/entity-tags.ts';
import type { PrebuiltBody, RestResponse } from './route.ts';

/** Serialises a body with an ETag, for browsers that revalidate it each time. */
export function prebuildBody(body: unknown): PrebuiltBody {
  const json = asciiJson(body);
  const digest = createHash('sha256').update(json).digest('base64url');
  return { body, json, headers: { etag: `"${digest}"`, 'cache-control': 'no-cache' } };
}

/** Escapes all characters but ASCII, so that the text needs no encoding. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export function respondPrebuilt(
  { body, json, headers }: PrebuiltBody,
  { 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
): RestResponse {
  return matchesIfNoneMatch(ifNoneMatch, headers.etag ?? '')
    ? { status: 304, body: undefined, headers }
    : { body, json, headers };
}
