import type { IncomingHttpHeaders } from 'node:http';

/** Who a request speaks for, and what they may do. */
export interface User {
  id: number;
  login: string;
  email: string;
  role: string;
  capabilities: readonly string[];
}

/**
 * The caller of a request. `badNonce` is set when a good session came with a nonce that is not: the
 * caller then counts as nobody, and Admin routes say 403 `rest_cookie_invalid_nonce`.
 */
export interface Caller {
  user: User | null;
  badNonce: boolean;
  /** For whoever came with a cookie and a good nonce: the nonce to go on with. */
  nonce?: string;
}

interface Credentials {
  headers: IncomingHttpHeaders;
  /** The `_wpnonce` of the query, which wins over the `X-WP-Nonce` header. */
  nonce: string | undefined;
  /** Whether the route needs a capability: only then is anybody else asked about the caller. */
  isAdminRoute?: boolean;
}

/** Tells who sends a request. */
export type Authenticate = (credentials: Credentials) => Promise<Caller>;
