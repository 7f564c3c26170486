import type { IncomingHttpHeaders } from 'node:http';
import type { Scope } from './scopes.ts';

export interface User {
  id: number;
  login: string;
  email: string;
  role: string;
  capabilities: readonly string[];
  /** What the application password of the request is limited to; undefined: all rights of the user. */
  scopes?: readonly Scope[];
  /** When the application password of the request expires, in epoch milliseconds; undefined: never. */
  expiresAt?: number;
  /** A user of a connected WordPress: they have no account here, and `id` is 0. */
  wordPress?: WordPressPerson;
}

export interface WordPressPerson {
  id: number;
  login: string;
  /** Display name. */
  name: string;
  email: string;
  roles: readonly string[];
  /** Epoch milliseconds. */
  registeredAt: number;
}

export interface Caller {
  user: User | null;
  /** A valid session came with an invalid nonce: the caller counts as not signed in, and routes that are not public answer 403. */
  badNonce: boolean;
  /** The next nonce, for callers with a cookie and a valid nonce. */
  nonce?: string;
  /**
   * Signed in with the password, but must set up a second factor first. `user` is null, so that only routes with
   * `forSecondFactorSetup` know them.
   */
  lacksSecondFactor?: User;
  /** The session of callers with a cookie and a valid nonce. */
  sessionId?: number;
  /** The credentials were not checked, after too many wrong ones. */
  hasTooManyFailures?: true;
  /** The application password was right, but expired at this time, in epoch milliseconds. */
  expiredAt?: number;
}

/** A caller without credentials. */
export const NOBODY: Caller = { user: null, badNonce: false };

interface Credentials {
  headers: IncomingHttpHeaders;
  /** `_wpnonce` of the query or form, which takes precedence over the `X-WP-Nonce` header. */
  nonce: string | undefined;
  /** Only then is a connected WordPress asked about the caller. */
  needsUser?: boolean;
}

export type Authenticate = (credentials: Credentials) => Promise<Caller>;
