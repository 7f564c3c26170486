import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { singleSignOnRoutes } from '../identity/single-sign-on/index.ts';
import {
  Assertion,
  beginPasskeySignIn,
  CHALLENGE_COOKIE,
  closeSession,
  createNonce,
  createSecondStep,
  createSignIn,
  DEVICE_COOKIE,
  describeLockout,
  PENDING_COOKIE,
  passwordResetRoutes,
  readChallenge,
  SESSION_COOKIE,
  type Session,
  SIGN_IN_EXPIRED,
  type SignedIn,
  signInWithPasskey,
  type TooManyFailures,
  WRONG_CODE,
} from '../identity/users/index.ts';
import { ApiError } from '../platform/errors.ts';
import {
  formatAttemptCookies,
  formatDeletedAttempt,
  readAttemptCookie,
} from '../platform/http/attempt-cookies.ts';
import { getClientAddress } from '../platform/http/client-address.ts';
import { formatCookie, formatDeletedCookie, readCookie } from '../platform/http/cookies.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { Text } from '../platform/http/schemas.ts';
import { operationsRoutes } from './console-operations.ts';
import {
  assertNonce,
  Credentials,
  HIDDEN,
  readSession,
  requireSession,
} from './console-session.ts';
import { setupRoutes } from './console-setup.ts';
import { licenceAdminApi } from './licence-admin.ts';
import { createPluginErrorFormat } from './plugin.ts';
import type { Site } from './site.ts';

export const consoleErrorFormats = [
  createPluginErrorFormat('/console'),
  createPluginErrorFormat('/wp-admin'),
] as const;

const SESSION = '/console/session';
const SECOND_FACTOR = `${SESSION}/second-factor`;
const PASSKEY = `${SESSION}/passkey`;
const CODE_MAX_LENGTH = 40;

const Code = Type.Object({
  code: Text(CODE_MAX_LENGTH),
  login: Type.Optional(Credentials.properties.login),
});

/** Sign-in, set-up, health, operations status and licence administration of the console. */
export function consoleApi(server: Routes, site: Site): void {
  licenceAdminApi(server, site, consoleErrorFormats[0]);
  // In a context of its own, for the hook.
  server.register(async (routes: Routes) => {
    routes.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store, private');
      done();
    });
    sessionRoutes(routes, site);
    signInRoutes(routes, site);
    setupRoutes(routes, site);
    operationsRoutes(routes, site);
  });
}

/** @throws ApiError 429 */
function assertNotTooMany<Result extends { outcome: string }>(
  reply: FastifyReply,
  result: Result | TooManyFailures,
): asserts result is Exclude<Result, TooManyFailures> {
  if (!isTooMany(result)) return;
  reply.header('retry-after', result.retryAfterSeconds);
  throw new ApiError(429, 'rate_limited', describeLockout(result));
}

const isTooMany = (result: { outcome: string }): result is TooManyFailures =>
  result.outcome === 'too many failures';

function sessionRoutes(routes: Routes, site: Site): void {
  const { config, platform, isSecure, provider, addresses } = site;
  const { signInLimits } = site.modules;
  const signIn = createSignIn(site.modules.signIn, signInLimits);
  const secondStep = createSecondStep(site.modules.signIn, signInLimits);
  const describe = (session: Session) => ({
    user: session.user,
    nonce: createNonce(platform, session),
    second_factor_setup_required: session.lacksSecondFactor,
    time_zone: config.timeZone,
    is_mail_sent: config.mail.smtpUrl !== undefined,
  });

  /** @param ended the headers that delete what this sign-in needs no more */
  const finish = (
    reply: FastifyReply,
    { token, deviceToken, session }: SignedIn,
    ended: string[] = [],
  ) => {
    reply.header('set-cookie', [
      formatCookie(SESSION_COOKIE, token, isSecure()),
      formatCookie(DEVICE_COOKIE, deviceToken, isSecure()),
      ...ended,
    ]);
    return describe(session);
  };

  routes.post(
    SESSION,
    { schema: { hide: true, body: Credentials } },
    async ({ body, raw, headers }, reply) => {
      const address = getClientAddress(raw, platform.trustedProxies);
      const deviceToken = readCookie(headers, DEVICE_COOKIE, isSecure());
      const result = await signIn({ ...body, address, deviceToken });
      assertNotTooMany(reply, result);
      if (result.outcome === 'wrong') {
        throw new ApiError(401, 'invalid_login', 'The login or the password is wrong.');
      }
      if (result.outcome === 'weak password')
        throw new ApiError(403, 'weak_password', result.message);
      if (result.outcome === 'second factor required') {
        reply.header('set-cookie', formatCookie(PENDING_COOKIE, result.pendingToken, isSecure()));
        const details = { methods: result.methods, login: result.login };
        const message = 'The password is right. Confirm that it is you with your second factor.';
        throw new ApiError(401, 'second_factor_required', message, { details });
      }
      return finish(reply, result);
    },
  );

  routes.post(
    SECOND_FACTOR,
    { schema: { hide: true, body: Code } },
    async ({ body, raw, headers }, reply) => {
      const result = await secondStep({
        ...body,
        pendingToken: readCookie(headers, PENDING_COOKIE, isSecure()),
        address: getClientAddress(raw, platform.trustedProxies),
        deviceToken: readCookie(headers, DEVICE_COOKIE, isSecure()),
      });
      assertNotTooMany(reply, result);
      if (result.outcome === 'expired') throw new ApiError(401, 'sign_in_expired', SIGN_IN_EXPIRED);
      if (result.outcome === 'wrong') throw new ApiError(401, 'invalid_code', WRONG_CODE);
      return finish(reply, result, [formatDeletedCookie(PENDING_COOKIE, isSecure())]);
    },
  );

  routes.post(`${PASSKEY}/options`, HIDDEN, async ({ headers }, reply) => {
    const pendingToken = readCookie(headers, PENDING_COOKIE, isSecure());
    const begun = await beginPasskeySignIn(site.modules.signIn, pendingToken);
    const { challenge: id, token: value, options } = begun;
    const cookies = formatAttemptCookies(headers, CHALLENGE_COOKIE, { id, value }, isSecure());
    reply.header('set-cookie', cookies);
    return options;
  });

  routes.post(
    PASSKEY,
    { schema: { hide: true, body: Assertion } },
    async ({ body, headers }, reply) => {
      const challenge = readChallenge(body);
      const result = await signInWithPasskey(site.modules.signIn, {
        token: readAttemptCookie(headers, CHALLENGE_COOKIE, challenge, isSecure()),
        answer: body,
        deviceToken: readCookie(headers, DEVICE_COOKIE, isSecure()),
      });
      if (result.outcome === 'expired') {
        const message = 'The sign-in with a passkey has expired. Try again.';
        throw new ApiError(401, 'challenge_expired', message);
      }
      if (result.outcome === 'wrong') {
        const message =
          'The passkey was not accepted. Sign in with your password, or use another passkey.';
        throw new ApiError(401, 'invalid_passkey', message);
      }
      return finish(reply, result, [
        formatDeletedCookie(PENDING_COOKIE, isSecure()),
        ...formatDeletedAttempt(CHALLENGE_COOKIE, challenge, isSecure()),
      ]);
    },
  );

  routes.get(SESSION, HIDDEN, async (request) => describe(await requireSession(request, site)));

  routes.delete(SESSION, HIDDEN, async (request, reply) => {
    const session = await readSession(request, site);
    assertNonce(request, site, session);
    const { user } = session;
    await closeSession(platform, session);
    platform.securityLog.record({ event: 'sign_out', user, actor: user.login });
    reply.header('set-cookie', formatDeletedCookie(SESSION_COOKIE, isSecure()));
    const signInPage = `${addresses().consoleUrl}/sign-in`;
    const signOutUrl =
      session.method === 'single_sign_on' ? await provider?.findSignOutUrl(signInPage) : undefined;
    return { signed_out: true, ...(signOutUrl && { sign_out_url: signOutUrl }) };
  });

  // `@wordpress/api-fetch` renews its nonce here and takes the whole body as the new one.
  routes.get('/wp-admin/admin-ajax.php', HIDDEN, async (request, reply) => {
    const { action } = request.query as { action?: unknown };
    const session = action === 'rest-nonce' ? await readSession(request, site) : undefined;
    reply.type('text/html; charset=utf-8').code(session ? 200 : 400);
    return reply.send(session ? createNonce(platform, session) : '0');
  });
}

/** What the sign-in page offers beside a password, and how users get a new one. */
function signInRoutes(
  routes: Routes,
  { config, platform, addresses, modules, isSecure, provider }: Site,
): void {
  const isMailSent = config.mail.smtpUrl !== undefined;
  const { singleSignOn } = config;
  routes.get('/console/sign-in', HIDDEN, async () => ({
    password_reset: isMailSent,
    single_sign_on: singleSignOn ? { name: singleSignOn.name } : null,
  }));
  if (singleSignOn && provider) {
    singleSignOnRoutes(routes, platform, {
      provider,
      roles: singleSignOn.roles,
      origin: () => new URL(addresses().consoleUrl).origin,
      isSecure,
    });
  }
  passwordResetRoutes(routes, platform, {
    isMailSent,
    sender: modules.signIn.sender,
    consoleUrl: () => addresses().consoleUrl,
  });
}
