import type { IncomingHttpHeaders } from 'node:http';

/** Who a request speaks for, and what they may do. */
export interface User {
  id: number;
  login: string;
  email: string;
  role: string;
  capabilities: readonly string[];
  /** Of whom a WordPress knows: they have no account here, and `id` is 0. */
  wordPress?: WordPressPerson;
}

/** A user of a WordPress, as it describes them. */
export interface WordPressPerson {
  id: number;
  login: string;
  /** As it is shown to others. */
  name: string;
  email: string;
  roles: readonly string[];
  /** Epoch milliseconds. */
  registeredAt: number;
}

/**
 * The caller of a request. `badNonce` is set when a good session came with a nonce that is not: the
 * caller then counts as nobody, and Admin routes say 403 `rest_cookie_invalid_nonce`.
 */
export interface Caller {
  user: User | null;
  badNonce: boolean;
  /** The next nonce, for callers with a cookie and a valid nonce. */
  nonce?: string;
  /** Nobody was asked about the credentials, after too many wrong ones. */
  hasTooManyFailures?: true;
}

interface Credentials {
  headers: IncomingHttpHeaders;
  /** The `_wpnonce` of the query or form, which wins over the `X-WP-Nonce` header. */
  nonce: string | undefined;
  /** Whether it matters who calls: only then is anybody else asked about the caller. */
  needsUser?: boolean;
}

/** Tells who sends a request. */
export type Authenticate = (credentials: Credentials) => Promise<Caller>;
