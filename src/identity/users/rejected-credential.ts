import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/deps.ts';
import { readCookie } from '../../platform/http/cookies.ts';
import type { Caller, User } from '../../platform/rest/caller.ts';
import type { Scope } from '../../platform/rest/scopes.ts';
import { readBasic } from './authenticate.ts';
import { identityKey } from './rules.ts';
import { SESSION_COOKIE } from './session.ts';

/** No login or email address is longer. */
const KEY_MAX_LENGTH = 254;

/** Records that credentials were refused, and their kind; nothing for a request without any. */
export function recordRejectedCredential(
  { securityLog }: Platform,
  {
    headers,
    caller: { badNonce, hasTooManyFailures, expiredAt },
    isSecure,
  }: { headers: IncomingHttpHeaders; caller: Caller; isSecure: () => boolean },
): void {
  const method = badNonce ? 'nonce' : findMethod(headers, isSecure());
  if (!method) return;
  const isExpired = method === 'application_password' && expiredAt !== undefined;
  const reason = isExpired ? 'expired' : hasTooManyFailures && 'too_many_failures';
  const key = method === 'application_password' && readBasic(headers.authorization)?.login;
  securityLog.record({
    event: 'credential_refused',
    ...(key && key.length <= KEY_MAX_LENGTH && { userKey: identityKey(key) }),
    details: { method, ...(reason && { reason }) },
  });
}

/**
 * Records that an application password lacks a scope, so that misuse of a limited one is seen.
 * @param scope undefined: no scope would allow the request
 */
export function recordMissingScope(
  { securityLog }: Platform,
  user: User,
  scope: Scope | undefined,
): void {
  securityLog.record({
    event: 'credential_refused',
    user,
    details: { method: 'application_password', reason: 'scope_missing', ...(scope && { scope }) },
  });
}

function findMethod(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const [scheme] = (headers.authorization ?? '').toLowerCase().split(' ', 1);
  if (scheme === 'basic') return 'application_password';
  if (scheme === 'bearer') return 'bearer_token';
  // A cookie without a nonce is no attempt: browsers send it with every request.
  const session = readCookie(headers, SESSION_COOKIE, isSecure);
  const hasSession = session && headers['x-wp-nonce'] !== undefined;
  return hasSession ? 'session' : undefined;
}
