/** What a request may cost us, whichever interface it comes to. */
export const BODY_LIMIT_BYTES = 256 * 1024;
/** Request line and headers together, in characters. */
export const HEADERS_MAX_LENGTH = 16 * 1024;
/** Where the parser gives up by itself. */
export const PARSER_HEADERS_MAX_BYTES = 64 * 1024;
export const URL_MAX_LENGTH = 2_048;
export const REQUEST_TIMEOUT_MS = 30_000;
export const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the idle time of common load balancers, so that they close first. */
export const KEEP_ALIVE_MS = 72_000;
