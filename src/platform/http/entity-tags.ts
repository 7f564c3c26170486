import { createHash } from 'node:crypto';
import { DomainError } from '../errors.ts';

/** A strong entity tag of a content (RFC 9110 §8.8.3), the same on every node. */
export const toStrongTag = (content: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}"`;

/** What Caddy and Apache add to the tag of a response that they compress (RFC 9110 §8.8.3.3). They leave it in `If-Match`. */
const COMPRESSED = /-(?:br|deflate|gzip|zstd)"$/;

const isSameTag = (tag: string, etag: string): boolean =>
  tag === etag || tag.replace(COMPRESSED, '"') === etag;

/** Whether `If-None-Match` allows a 304, by weak comparison (RFC 9110 §13.1.2): proxies that compress add `W/`. */
export const matchesIfNoneMatch = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch?.split(',') ?? [])
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || isSameTag(tag.replace(/^W\//, ''), etag));

/** Whether `If-Match` allows a change, by strong comparison (RFC 9110 §13.1.1). */
export const fitsIfMatch = (ifMatch: string | undefined, etag: string): boolean =>
  ifMatch === undefined ||
  ifMatch.split(',').some((tag) => tag.trim() === '*' || isSameTag(tag.trim(), etag));

/**
 * @param what has the tag, for the message: a noun without an article
 * @throws DomainError `rest_precondition_failed` unless `If-Match` allows a change
 */
export function assertFitsIfMatch(ifMatch: string | undefined, etag: string, what: string): void {
  if (fitsIfMatch(ifMatch, etag)) return;
  const message = `The ${what} was changed after you read it. Read it again and send your changes with its new ETag.`;
  throw new DomainError('precondition_failed', 'rest_precondition_failed', message);
}
