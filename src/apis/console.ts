import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  closeSession,
  createAuthenticate,
  createFirstAdministrator,
  createNonce,
  createSignIn,
  DEVICE_COOKIE,
  describeLockout,
  hasAdministrator,
  isNonce,
  PASSWORD_MAX_LENGTH,
  recordRejectedCredential,
  resumeSession,
  SESSION_COOKIE,
  type Session,
  type SignInLimits,
} from '../identity/users/index.ts';
import type { Module } from '../modules/module.ts';
import { type OperationsScope, readOperations } from '../operations/status/index.ts';
import type { Platform } from '../platform/deps.ts';
import { ApiError } from '../platform/errors.ts';
import { clientAddress } from '../platform/http/client-address.ts';
import { formatCookie, formatDeletedCookie, readCookie } from '../platform/http/cookies.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { toApiError } from '../platform/http/errors.ts';
import type { FastPaths } from '../platform/http/fast-path.ts';
import { Text } from '../platform/http/schemas.ts';
import { mountRestApi } from '../platform/rest/mount.ts';
import { OWN_ORIGIN_ONLY } from '../platform/rest/origins.ts';
import { RestApi } from '../platform/rest/rest-api.ts';
import { createPluginErrorFormat } from './plugin.ts';

/** Sign-in, and the address at which WordPress renews nonces. Errors have the format of the plugin API. */
export const consoleErrorFormats = [
  createPluginErrorFormat('/console'),
  createPluginErrorFormat('/wp-admin'),
] as const;

const SESSION = '/console/session';
const SETUP = '/console/setup';
const OPERATIONS = '/console/operations';
const LOGIN_MAX_LENGTH = 254;

const Credentials = Type.Object({
  login: Text(LOGIN_MAX_LENGTH),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH }),
});

const FirstAdministrator = Type.Object({
  token: Text(200),
  login: Text(LOGIN_MAX_LENGTH),
  email: Text(LOGIN_MAX_LENGTH),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX_LENGTH }),
});

export interface ConsoleApiSettings {
  publicUrl: () => string;
  /** Whether browsers reach the server over HTTPS. */
  isSecure: () => boolean;
  signInLimits: SignInLimits;
  /** The slices of `/console/licences`; undefined where this process does not issue licences. */
  modules: readonly Module<RestApi>[] | undefined;
  fastPaths: FastPaths;
  operations: OperationsScope;
}

/** Sign-in and sign-out of the console, and licence administration, which only the console uses. */
export function consoleApi(
  server: Routes,
  platform: Platform,
  { modules, ...settings }: ConsoleApiSettings,
): void {
  if (modules) licenceAdministration(server, platform, { ...settings, modules });
  const { isSecure, signInLimits, operations } = settings;
  const signIn = createSignIn(platform, signInLimits);
  const sessionOf = ({ headers }: FastifyRequest) =>
    resumeSession(platform, readCookie(headers, SESSION_COOKIE, isSecure()));
  const describe = (session: Session) => ({
    user: session.user,
    nonce: createNonce(platform, session),
  });

  // Within a context of its own: the hook is not for the addresses beside these.
  server.register(async (routes: Routes) => {
    routes.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store, private');
      done();
    });

    routes.post(
      SESSION,
      { schema: { hide: true, body: Credentials } },
      async ({ body, raw, headers }, reply) => {
        const forwarded = headers['x-forwarded-for'] as string | undefined;
        const address = clientAddress(raw.socket.remoteAddress, forwarded, platform.trustedProxies);
        const deviceToken = readCookie(headers, DEVICE_COOKIE, isSecure());
        const result = await signIn({ ...body, address, deviceToken });
        if (result.outcome === 'too many failures') {
          reply.header('retry-after', result.retryAfterSeconds);
          throw new ApiError(429, 'rate_limited', describeLockout(result));
        }
        if (result.outcome === 'wrong') {
          throw new ApiError(401, 'invalid_login', 'The login or the password is wrong.');
        }
        reply.header('set-cookie', [
          formatCookie(SESSION_COOKIE, result.token, isSecure()),
          formatCookie(DEVICE_COOKIE, result.deviceToken, isSecure()),
        ]);
        return describe(result.session);
      },
    );

    routes.get(SESSION, { schema: { hide: true } }, async (request) => {
      const session = await sessionOf(request);
      if (session) return describe(session);
      throw new ApiError(401, 'rest_not_logged_in', 'You are not signed in.');
    });

    routes.delete(SESSION, { schema: { hide: true } }, async (request, reply) => {
      const session = await sessionOf(request);
      const nonce = request.headers['x-wp-nonce']?.toString() ?? '';
      if (!session || !isNonce(platform, session, nonce)) {
        throw new ApiError(403, 'rest_cookie_invalid_nonce', 'Cookie check failed');
      }
      await closeSession(platform, session);
      const { user } = session;
      platform.securityLog.record({ event: 'sign_out', user, actor: user.login });
      reply.header('set-cookie', formatDeletedCookie(SESSION_COOKIE, isSecure()));
      return { signed_out: true };
    });

    routes.get(OPERATIONS, { schema: { hide: true } }, async (request) => {
      const session = await sessionOf(request);
      if (!session) throw new ApiError(401, 'rest_not_logged_in', 'You are not signed in.');
      if (!isNonce(platform, session, request.headers['x-wp-nonce']?.toString() ?? ''))
        throw new ApiError(403, 'rest_cookie_invalid_nonce', 'Cookie check failed');
      if (!session.user.capabilities.includes('manage_options'))
        throw new ApiError(403, 'rest_forbidden', 'Only administrators can read this.');
      return readOperations(platform, operations);
    });

    // The last administrator cannot be removed, so there is no need to ask again.
    let isSetUp = false;
    routes.get(SETUP, { schema: { hide: true } }, async () => {
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

    // `@wordpress/api-fetch` asks here when its nonce has run out, and takes the whole body as the new one.
    routes.get('/wp-admin/admin-ajax.php', { schema: { hide: true } }, async (request, reply) => {
      const { action } = request.query as { action?: unknown };
      const session = action === 'rest-nonce' ? await sessionOf(request) : undefined;
      reply.type('text/html; charset=utf-8').code(session ? 200 : 400);
      return reply.send(session ? createNonce(platform, session) : '0');
    });
  });
}

/** `/console/licences`: by the conventions of the plugin interface, for our own administrators only. */
function licenceAdministration(
  server: Routes,
  platform: Platform,
  {
    publicUrl,
    isSecure,
    fastPaths,
    modules,
  }: ConsoleApiSettings & { modules: readonly Module<RestApi>[] },
): void {
  const [format] = consoleErrorFormats;
  const api = new RestApi({
    namespace: 'licences',
    name: 'Pavis licence administration',
    description: 'Licences, for the staff of the vendor.',
    isUnlisted: true,
    restRoot: () => `${new URL(publicUrl()).origin}${format.prefix}`,
    authenticate: createAuthenticate(platform, isSecure),
    reportRefused: (headers, caller) =>
      recordRejectedCredential(platform, { headers, caller, isSecure }),
    origins: OWN_ORIGIN_ONLY,
    toApiError: (error) => toApiError(error, format),
  });
  const { trustedProxies, log } = platform;
  server.register(
    async (routes: Routes) => {
      for (const module of modules) await module.routes?.(api);
      mountRestApi(routes, api, { fastPaths, trustedProxies, log });
    },
    { prefix: format.prefix },
  );
}
