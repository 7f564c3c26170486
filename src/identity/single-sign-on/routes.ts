import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import type { Platform } from '../../platform/deps.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import {
  formatAttemptCookies,
  formatDeletedAttempt,
  readAttemptCookie,
} from '../../platform/http/attempt-cookies.ts';
import { getClientAddress } from '../../platform/http/client-address.ts';
import { formatCookie, readCookie } from '../../platform/http/cookies.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import {
  DEVICE_COOKIE,
  openExternalSession,
  SESSION_COOKIE,
  UserDeletedError,
} from '../users/index.ts';
import { type Reason, SingleSignOnError } from './errors.ts';
import { formatProviderError, type Provider, type SignInChecks } from './provider.ts';
import { resolveAccount } from './service.ts';

const PATH = '/console/single-sign-on';
const CALLBACK = `${PATH}/callback`;
const HIDDEN = { schema: { hide: true } };
const PURPOSE = 'single sign-on';
const LIFETIME_SECONDS = 10 * 60;
/** Holds the checks of a sign-in, encrypted, so that any node can finish it. There is one for each state. */
const COOKIE = { name: 'pavis_single_sign_on', maxAge: LIFETIME_SECONDS };
/** Characters. It is in a cookie for each attempt, and all cookies have to fit into the headers of a request. */
const NEXT_MAX_LENGTH = 300;
const ATTEMPTS_MAX = 60;
const WINDOW_MS = 15 * MINUTE_MS;

export interface SingleSignOnSettings {
  provider: Provider;
  roles: readonly (readonly [value: string, role: Role])[] | undefined;
  /** The origin of the console. */
  origin: () => string;
  /** Whether browsers reach the server over HTTPS. */
  isSecure: () => boolean;
}

interface Attempt extends SignInChecks {
  /** Where the user wants to go. */
  next: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Whether it leads into the console, and nowhere else. Other characters cannot stand in a Location header. */
const isOwnPath = (path: unknown): path is string =>
  typeof path === 'string' &&
  path.length <= NEXT_MAX_LENGTH &&
  /^\/admin(?:\/(?![/\\])|$|\?)[\x21-\x7e]*$/.test(path);

/** Sign-in with an OpenID Connect provider: the redirect to it, and its way back. */
export function singleSignOnRoutes(
  routes: Routes,
  platform: Platform,
  { provider, roles, origin, isSecure }: SingleSignOnSettings,
): void {
  const { secret, clock, log, securityLog, trustedProxies } = platform;
  const attempts = new SharedWindow('single sign-on', ATTEMPTS_MAX, WINDOW_MS, platform);
  const assertWithinRateLimit = ({ raw }: FastifyRequest) => {
    if (!attempts.hit(getClientAddress(raw, trustedProxies)).allowed)
      throw new SingleSignOnError('too_many_attempts');
  };

  /** Back to the sign-in page, which says why. */
  function sendRefusal(reply: FastifyReply, error: unknown, state?: unknown): FastifyReply {
    const { reason, user } = toSingleSignOnError(error);
    const { code } = error as { code?: string };
    // Other causes may have claims, which are personal data.
    const message = formatProviderError(error);
    log.warn({ reason, code, message }, 'single sign-on failed');
    if (reason !== 'provider_unavailable' && reason !== 'too_many_attempts') {
      const details = { reason, method: 'single_sign_on' };
      securityLog.record({ event: 'sign_in_failed', user: user ?? null, details });
    }
    reply.header('set-cookie', formatDeletedAttempt(COOKIE, state, isSecure()));
    return reply.redirect(`/admin/sign-in?error=${reason}`, 303);
  }

  routes.get(PATH, HIDDEN, async (request, reply) => {
    try {
      assertWithinRateLimit(request);
      const { url, checks } = await provider.start(origin() + CALLBACK);
      const { next } = request.query as { next?: unknown };
      const expiresAt = clock.now() + LIFETIME_SECONDS * 1000;
      const attempt: Attempt = { ...checks, next: isOwnPath(next) ? next : '/admin/', expiresAt };
      const begun = { id: checks.state, value: secret.seal(PURPOSE, JSON.stringify(attempt)) };
      const cookies = formatAttemptCookies(request.headers, COOKIE, begun, isSecure());
      reply.header('set-cookie', cookies);
      return reply.redirect(url.href, 303);
    } catch (error) {
      return sendRefusal(reply, error);
    }
  });

  function readAttempt({ headers }: FastifyRequest, state: unknown): Attempt {
    try {
      const sealed = readAttemptCookie(headers, COOKIE, state, isSecure()) ?? '';
      const attempt: Attempt = JSON.parse(secret.unseal(PURPOSE, sealed));
      if (attempt.expiresAt > clock.now()) return attempt;
    } catch {
      // Another browser, or a cookie that was changed.
    }
    throw new SingleSignOnError('sign_in_expired');
  }

  routes.get(CALLBACK, HIDDEN, async (request, reply) => {
    const { state } = request.query as { state?: unknown };
    try {
      assertWithinRateLimit(request);
      const { next, ...checks } = readAttempt(request, state);
      const person = await provider.finish(new URL(request.url, origin()), checks);
      const account = await resolveAccount(platform, person, roles);
      const deviceToken = readCookie(request.headers, DEVICE_COOKIE, isSecure());
      const opened = await openExternalSession(platform, account, deviceToken);
      reply.header('set-cookie', [
        formatCookie(SESSION_COOKIE, opened.token, isSecure()),
        formatCookie(DEVICE_COOKIE, opened.deviceToken, isSecure()),
        ...formatDeletedAttempt(COOKIE, state, isSecure()),
      ]);
      return reply.redirect(next, 303);
    } catch (error) {
      return sendRefusal(reply, error, state);
    }
  });
}

/** A check that failed, or a provider that does not respond, as a reason for people. */
function toSingleSignOnError(error: unknown): SingleSignOnError {
  if (error instanceof SingleSignOnError) return error;
  return new SingleSignOnError(findReason(error), { cause: error });
}

function findReason(error: unknown): Reason {
  if (error instanceof UserDeletedError) return 'no_account';
  if (error instanceof AuthorizationResponseError) return 'provider_refused';
  if (error instanceof ResponseBodyError) return 'sign_in_failed';
  // Errors of the connection have no code.
  const code = error instanceof ClientError ? error.code : undefined;
  return code && code !== 'OAUTH_TIMEOUT' ? 'sign_in_failed' : 'provider_unavailable';
}
