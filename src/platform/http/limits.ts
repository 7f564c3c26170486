/** What a request may cost us, whichever interface it comes to. */
export const BODY_LIMIT_BYTES = 256 * 1024;
export const URL_MAX_LENGTH = 2_048;
export const REQUEST_TIMEOUT_MS = 30_000;
export const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the idle time of common load balancers, so that they close first. */
export const KEEP_ALIVE_MS = 72_000;
