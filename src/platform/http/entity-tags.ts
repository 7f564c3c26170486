/** Whether `If-None-Match` allows a 304, by weak comparison (RFC 9110 §13.1.2): proxies that compress add `W/`. */
export const matchesIfNoneMatch = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch?.split(',') ?? [])
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);

/** Whether `If-Match` allows a change, by strong comparison (RFC 9110 §13.1.1). */
export const fitsIfMatch = (ifMatch: string | undefined, etag: string): boolean =>
  ifMatch === undefined ||
  ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
