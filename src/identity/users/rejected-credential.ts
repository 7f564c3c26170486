import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/deps.ts';
import { readCookie } from '../../platform/http/cookies.ts';
import type { Caller } from '../../platform/rest/caller.ts';
import { readBasic } from './authenticate.ts';
import { SESSION_COOKIE } from './session.ts';

/** Longer than any login or email address: not worth a look into the database. */
const KEY_MAX_LENGTH = 254;

/** Records which credentials a caller was refused with; nothing for one who came without any. */
export function recordRejectedCredential(
  { securityLog }: Platform,
  {
    headers,
    caller: { badNonce, hasTooManyFailures },
    isSecure,
  }: { headers: IncomingHttpHeaders; caller: Caller; isSecure: () => boolean },
): void {
  const method = badNonce ? 'nonce' : methodOf(headers, isSecure());
  if (!method) return;
  const key = method === 'application_password' && readBasic(headers.authorization)?.login;
  securityLog.record({
    event: 'credential_refused',
    ...(key && key.length <= KEY_MAX_LENGTH && { userKey: key }),
    details: { method, ...(hasTooManyFailures && { reason: 'too_many_failures' }) },
  });
}

function methodOf(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const [scheme] = (headers.authorization ?? '').toLowerCase().split(' ', 1);
  if (scheme === 'basic') return 'application_password';
  if (scheme === 'bearer') return 'bearer_token';
  // Without a nonce a cookie alone is no attempt: a browser sends it with everything.
  const session = readCookie(headers, SESSION_COOKIE, isSecure);
  const hasSession = session && headers['x-wp-nonce'] !== undefined;
  return hasSession ? 'session' : undefined;
}
