import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../../platform/deps.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { DomainError } from '../../platform/errors.ts';
import { getClientAddress } from '../../platform/http/client-address.ts';
import { createLimiter } from '../../platform/http/rate-limit.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';
import { type ApiToken, getTokenStatus, parseAuthorization, type TokenScope } from './rules.ts';
import { findToken, recordUse } from './service.ts';

/** Refused tokens of one address. Valid tokens still work beyond it, so that nobody can lock others out. */
const FAILURES_MAX = 20;
const FAILURES_WINDOW_MS = 15 * MINUTE_MS;
const REALM = 'Bearer realm="Pavis Administration API"';

/** The token that a request has sent. */
export interface SentToken extends ApiToken {
  /** Derived from the token in clear, so it cannot be computed from the database and the secret. */
  seed: string;
}

const tokens = new WeakMap<FastifyRequest, SentToken>();

/** The token of a request whose route has `requireScope` as its `onRequest` hook. */
export function getToken(request: FastifyRequest): SentToken {
  const token = tokens.get(request);
  if (!token) throw new Error('the route has no authentication hook');
  return token;
}

/**
 * Returns `requireScope`, which makes an `onRequest` hook that lets requests pass whose API token has a scope. The
 * hook runs before the body is read.
 * @param perMinute requests of one token; undefined: no limit
 * @throws DomainError 401 `unauthorised` and 403 `scope_missing`, with `WWW-Authenticate` (RFC 6750, section 3);
 * 429 `rate_limited`, with `Retry-After` in seconds
 */
export function createTokenAuthenticator(platform: Platform, perMinute: number | undefined) {
  const limiter = createLimiter('admin', perMinute, platform);
  const failures = new SharedWindow(
    'api token failures',
    FAILURES_MAX,
    FAILURES_WINDOW_MS,
    platform,
  );

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<SentToken> {
    const { authorization } = request.headers;
    if (authorization === undefined) {
      reply.header('www-authenticate', REALM);
      throw unauthorised('Send an API token in the Authorization header, as Bearer pv_api_…');
    }
    const text = parseAuthorization(authorization);
    const token = text === undefined ? undefined : await findToken(platform, text);
    const status = token && getTokenStatus(token, platform.clock.now());
    if (text !== undefined && token && status === 'active')
      return { ...token, seed: platform.secret.hash('api-token-seed', text) };
    refuseFailures(request, reply);
    platform.securityLog.record({ event: 'credential_refused', details: { method: 'api_token' } });
    reply.header('www-authenticate', `${REALM}, error="invalid_token"`);
    const reason = status ? `This API token is ${status}.` : 'There is no such API token.';
    throw unauthorised(`${reason} Create one in the console under Licences.`);
  }

  function refuseFailures({ raw }: FastifyRequest, reply: FastifyReply): void {
    const { allowed, resetIn } = failures.hit(getClientAddress(raw, platform.trustedProxies));
    if (allowed) return;
    const seconds = Math.max(1, Math.ceil(resetIn / 1_000));
    reply.header('retry-after', seconds);
    const message = `Too many requests with invalid API tokens. Try again in ${seconds} s.`;
    throw new DomainError('rate_limited', 'rate_limited', message);
  }

  return (scope: TokenScope) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const token = await authenticate(request, reply);
      limiter?.count(String(token.id), reply);
      if (!token.scopes.includes(scope)) {
        reply.header('www-authenticate', `${REALM}, error="insufficient_scope", scope="${scope}"`);
        const message = `This API token lacks the scope ${scope}. Create one that has it.`;
        throw new DomainError('forbidden', 'scope_missing', message);
      }
      await recordUse(platform, token);
      tokens.set(request, token);
    };
}

const unauthorised = (message: string) =>
  new DomainError('unauthenticated', 'unauthorised', message);
