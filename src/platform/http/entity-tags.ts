/** The tags that `If-None-Match` lists, for weak comparison (RFC 9110 §13.1.2): what compresses on the way may have put `W/` before one. */
export const readKnownTags = (ifNoneMatch: string | undefined): string[] =>
  (ifNoneMatch?.split(',') ?? []).map((tag) => tag.trim().replace(/^W\//, ''));

/** Whether `If-Match` lets a change go ahead, by strong comparison (RFC 9110 §13.1.1). Without the header it does. */
export const fitsIfMatch = (ifMatch: string | undefined, etag: string): boolean =>
  ifMatch === undefined ||
  ifMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
