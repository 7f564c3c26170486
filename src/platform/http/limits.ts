export const BODY_LIMIT_BYTES = 256 * 1024;
/** Request line and headers together, in characters. */
export const HEADERS_MAX_LENGTH = 16 * 1024;
/** Limit of Node's parser. */
export const PARSER_HEADERS_MAX_BYTES = 64 * 1024;
export const URL_MAX_LENGTH = 2_048;
export const REQUEST_TIMEOUT_MS = 30_000;
export const HEADERS_TIMEOUT_MS = 15_000;
/** Waiting pipelined requests of a connection, and about how many bytes of them. */
export const WAITING_REQUESTS_MAX = 32;
export const WAITING_BYTES_MAX = 256 * 1024;
/** The limit of all connections together. */
export const ALL_WAITING_REQUESTS_MAX = 10_000;
/** How long a client may read nothing of a response. Node counts the part in the kernel's buffer as progress, so it may take twice as long. */
export const STALL_TIMEOUT_MS = 30_000;
export const STALL_CHECK_MS = 10_000;
/** Longer than the idle time of common load balancers, so that they close first. */
export const KEEP_ALIVE_MS = 72_000;
