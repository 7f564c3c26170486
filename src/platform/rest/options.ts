import type { IncomingHttpHeaders } from 'node:http';
import type { ApiError } from '../errors.ts';
import type { Authenticate, Caller, User } from './caller.ts';
import type { OriginPolicy } from './origins.ts';
import type { Scope } from './scopes.ts';

export interface RestApiOptions {
  /** For example `svc/v1`. */
  namespace: string;
  name: string;
  description: string;
  /** Of the interface, for the index documents. */
  version?: string;
  restRoot: () => string;
  /** Of the site, by its IANA name. */
  timeZone: string;
  /** Epoch milliseconds. */
  now: () => number;
  /** The page where users create application passwords for programs. */
  authorizationUrl?: () => string | Promise<string>;
  /** The path of the console, with a trailing slash. */
  consolePath: string;
  /** Without index documents. */
  isUnlisted?: true;
  authenticate: Authenticate;
  origins: OriginPolicy;
  /** Called when a request is refused for its credentials; must not wait. */
  reportRefused: (headers: IncomingHttpHeaders, caller: Caller) => void;
  /** Called when an application password lacks a scope; undefined: no scope would allow it. Must not wait. */
  reportMissingScope: (user: User, scope: Scope | undefined) => void;
  toApiError: (error: unknown) => ApiError;
}
