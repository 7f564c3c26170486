import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { storageFolders } from '../config/index.ts';
import { VERSION } from '../config/version.ts';
import { singleSignOnRoutes } from '../identity/single-sign-on/index.ts';
import {
  Assertion,
  beginPasskeySignIn,
  CHALLENGE_COOKIE,
  closeSession,
  createFirstAdministrator,
  createNonce,
  createSecondStep,
  createSignIn,
  DEVICE_COOKIE,
  describeLockout,
  hasAdministrator,
  isNonce,
  PASSWORD_MAX_LENGTH,
  PENDING_COOKIE,
  passwordResetRoutes,
  readChallenge,
  resumeSession,
  SESSION_COOKIE,
  type Session,
  SIGN_IN_EXPIRED,
  type SignedIn,
  signInWithPasskey,
  type TooManyFailures,
  WRONG_CODE,
} from '../identity/users/index.ts';
import { readOperations } from '../operations/status/index.ts';
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
import { secondFactorSetupRequired } from '../platform/rest/errors.ts';
import { readHealth } from './health.ts';
import { licenceAdminApi } from './licence-admin.ts';
import { createPluginErrorFormat } from './plugin.ts';
import type { Site } from './site.ts';

export const consoleErrorFormats = [
  createPluginErrorFormat('/console'),
  createPluginErrorFormat('/wp-admin'),
] as const;

const HIDDEN = { schema: { hide: true } };
const SESSION = '/console/session';
const SECOND_FACTOR = `${SESSION}/second-factor`;
const PASSKEY = `${SESSION}/passkey`;
const SETUP = '/console/setup';
const LOGIN_MAX_LENGTH = 254;
const CODE_MAX_LENGTH = 40;

const Credentials = Type.Object({
  login: Text(LOGIN_MAX_LENGTH),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH }),
});

const Code = Type.Object({
  code: Text(CODE_MAX_LENGTH),
  login: Type.Optional(Text(LOGIN_MAX_LENGTH)),
});

const FirstAdministrator = Type.Object({
  token: Text(200),
  login: Text(LOGIN_MAX_LENGTH),
  email: Text(LOGIN_MAX_LENGTH),
  password: Credentials.properties.password,
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

const readSession = (
  { headers }: FastifyRequest,
  { modules, isSecure }: Site,
): Promise<Session | undefined> =>
  resumeSession(modules.signIn, readCookie(headers, SESSION_COOKIE, isSecure()));

/** @throws ApiError 401 */
async function requireSession(request: FastifyRequest, site: Site): Promise<Session> {
  const session = await readSession(request, site);
  if (!session) throw new ApiError(401, 'rest_not_logged_in', 'You are not signed in.');
  return session;
}

/** @throws ApiError 403 */
function assertNonce(
  { headers }: FastifyRequest,
  { platform }: Site,
  session: Session | undefined,
): asserts session is Session {
  if (!session || !isNonce(platform, session, headers['x-wp-nonce']?.toString() ?? ''))
    throw new ApiError(403, 'rest_cookie_invalid_nonce', 'Cookie check failed');
}

/** @throws ApiError 403 */
function assertSecondFactor({ lacksSecondFactor }: Session): void {
  if (lacksSecondFactor) throw secondFactorSetupRequired();
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

function setupRoutes(routes: Routes, { platform }: Site): void {
  // Cached: the last administrator cannot be removed.
  let isSetUp = false;
  routes.get(SETUP, HIDDEN, async () => {
    isSetUp ||= await hasAdministrator(platform);
    return { administrator: isSetUp };
  });
  routes.post(
    SETUP,
    { schema: { hide: true, body: FirstAdministrator } },
    async ({ body: { token, ...user } }, reply) => {
      const { login, role } = await createFirstAdministrator(platform, token, user);
      return reply.code(201).send({ login, role });
    },
  );
}

function operationsRoutes(routes: Routes, site: Site): void {
  const { config, platform, modules } = site;
  // Proxies forward /console/, but often not the health of the Licence API and the probes.
  routes.get('/console/health', HIDDEN, async (request) => {
    assertSecondFactor(await requireSession(request, site));
    return readHealth(site);
  });
  routes.get('/console/operations', HIDDEN, async (request) => {
    const session = await requireSession(request, site);
    assertNonce(request, site, session);
    assertSecondFactor(session);
    if (!session.user.capabilities.includes('manage_options'))
      throw new ApiError(403, 'rest_forbidden', 'Only administrators can read this.');
    return readOperations(platform, {
      version: VERSION,
      folders: storageFolders(config),
      isMailSent: config.mail.smtpUrl !== undefined,
      alerts: () => modules.storage.alerts,
    });
  });
}
