import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  isNonce,
  PASSWORD_MAX_LENGTH,
  resumeSession,
  SESSION_COOKIE,
  type Session,
} from '../identity/users/index.ts';
import { ApiError } from '../platform/errors.ts';
import { readCookie } from '../platform/http/cookies.ts';
import { Text } from '../platform/http/schemas.ts';
import { secondFactorSetupRequired } from '../platform/rest/errors.ts';
import type { Site } from './site.ts';

/** For routes that OpenAPI documents leave out. */
export const HIDDEN = { schema: { hide: true } };

export const Credentials = Type.Object({
  login: Text(254),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH }),
});

/** The session of the cookie, or undefined. */
export const readSession = (
  { headers }: FastifyRequest,
  { modules, isSecure }: Site,
): Promise<Session | undefined> =>
  resumeSession(modules.signIn, readCookie(headers, SESSION_COOKIE, isSecure()));

/** @throws ApiError 401 */
export async function requireSession(request: FastifyRequest, site: Site): Promise<Session> {
  const session = await readSession(request, site);
  if (!session) throw new ApiError(401, 'rest_not_logged_in', 'You are not signed in.');
  return session;
}

/** @throws ApiError 403 */
export function assertNonce(
  { headers }: FastifyRequest,
  { platform }: Site,
  session: Session | undefined,
): asserts session is Session {
  if (!session || !isNonce(platform, session, headers['x-wp-nonce']?.toString() ?? ''))
    throw new ApiError(403, 'rest_cookie_invalid_nonce', 'Cookie check failed');
}

/** @throws ApiError 403 */
export function assertSecondFactor({ lacksSecondFactor }: Session): void {
  if (lacksSecondFactor) throw secondFactorSetupRequired();
}
