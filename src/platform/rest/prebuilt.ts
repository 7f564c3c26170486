import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { readKnownTags } from '../http/entity-tags.ts';
import type { PrebuiltBody, RestResponse } from './route.ts';

/** Makes a body ready to be kept by browsers, which ask about it each time. */
export function prebuildBody(body: unknown): PrebuiltBody {
  const json = asciiJson(body);
  const digest = createHash('sha256').update(json).digest('base64url');
  return { body, json, headers: { etag: `"${digest}"`, 'cache-control': 'no-cache' } };
}

/** JSON with all other characters than ASCII escaped, so that it is sent without encoding. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The answer to a browser: 304 and nothing else while what it keeps is still the same. */
export function respondPrebuilt(
  { body, json, headers }: PrebuiltBody,
  { 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
): RestResponse {
  return isKnown(headers.etag, ifNoneMatch)
    ? { status: 304, body: undefined, headers }
    : { body, json, headers };
}

const isKnown = (etag: string | undefined, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.trim() === '*' || readKnownTags(ifNoneMatch).some((tag) => tag === etag);
