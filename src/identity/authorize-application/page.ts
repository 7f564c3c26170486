import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../../platform/deps.ts';
import { CliError } from '../../platform/errors.ts';
import { clientAddress } from '../../platform/http/client-address.ts';
import { formatCookie, readCookie } from '../../platform/http/cookies.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import {
  policyWithFormTo,
  prepareViews,
  readField,
  readQueryParam,
  sendView,
} from '../../platform/http/views.ts';
import {
  addApplicationPassword,
  createNonce,
  createSignIn,
  DEVICE_COOKIE,
  describeLockout,
  freeApplicationPasswordName,
  isNonce,
  PASSWORD_MAX_LENGTH,
  parseAuthorizationRequest,
  resumeSession,
  SESSION_COOKIE,
  type Session,
  type SignInLimits,
  toSuccessUrl,
} from '../users/index.ts';
import { AUTHORIZE_PATH } from './path.ts';
import { approvalForm, faultPage, passwordPage, signInForm } from './views.ts';

const PARAMS = ['app_name', 'app_id', 'success_url', 'reject_url'] as const;
const LOGIN_MAX_LENGTH = 254;
const options = { schema: { hide: true } };

export interface AuthorizePageSettings {
  restRoot: () => string;
  /** Whether browsers find us over https. */
  isSecure: () => boolean;
  signInLimits: SignInLimits;
}

/**
 * WordPress' page on which a person who is signed in gives a program an application password: it is sent
 * to `success_url` as `site_url`, `user_login` and `password`, or shown. Nothing is made without the
 * person's own form, which carries the nonce of their session.
 */
export function authorizePage(
  server: Routes,
  platform: Platform,
  { restRoot, isSecure, signInLimits }: AuthorizePageSettings,
): void {
  const signIn = createSignIn(platform, signInLimits);
  const sessionOf = ({ headers }: FastifyRequest) =>
    resumeSession(platform, readCookie(headers, SESSION_COOKIE, isSecure()));
  const asked = (request: FastifyRequest) =>
    parseAuthorizationRequest((name) => readQueryParam(request, name));

  /** This page with what was asked for, and nothing else that stood in its address. */
  function actionOf(request: FastifyRequest): string {
    const given = PARAMS.flatMap((name) => {
      const value = readQueryParam(request, name);
      return value === '' ? [] : [[name, value]];
    });
    return `authorize-application.php?${new URLSearchParams(given)}`;
  }

  async function showApproval(
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    { wrong, name }: { wrong?: string; name?: string } = {},
  ): Promise<FastifyReply> {
    const { appName, success, reject } = asked(request);
    const { user } = session;
    // Browsers hold a form's redirects against the policy as well.
    if (success) reply.header('content-security-policy', policyWithFormTo(success));
    const page = approvalForm({
      action: actionOf(request),
      appName,
      login: user.login,
      role: user.role,
      nonce: createNonce(platform, session),
      name: name ?? (await freeApplicationPasswordName(platform, user.id, appName)),
      successHost: success?.host,
      rejectUrl: reject?.href ?? '../admin/',
      wrong,
    });
    return sendView(reply.code(wrong === undefined ? 200 : 400), page);
  }

  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { raw, headers } = request;
    const forwarded = headers['x-forwarded-for'] as string | undefined;
    const login = readField(request, 'login').slice(0, LOGIN_MAX_LENGTH);
    // As it was typed: a password may begin or end with a blank.
    const { body } = request;
    const password = (body instanceof URLSearchParams && body.get('password')) || '';
    const result = await signIn({
      login,
      password: password.slice(0, PASSWORD_MAX_LENGTH + 1),
      address: clientAddress(raw.socket.remoteAddress, forwarded, platform.trustedProxies),
      deviceToken: readCookie(headers, DEVICE_COOKIE, isSecure()),
    });
    const again = (status: number, wrong: string) => {
      const { appName } = asked(request);
      const page = signInForm({ action: actionOf(request), appName, login, wrong });
      return sendView(reply.code(status), page);
    };
    if (result.outcome === 'too many failures') {
      reply.header('retry-after', result.retryAfterSeconds);
      return again(429, describeLockout(result));
    }
    if (result.outcome === 'wrong') return again(401, 'The login or the password is wrong.');
    reply.header('set-cookie', [
      formatCookie(SESSION_COOKIE, result.token, isSecure()),
      formatCookie(DEVICE_COOKIE, result.deviceToken, isSecure()),
    ]);
    return reply.redirect(actionOf(request), 303);
  }

  async function approve(
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
  ): Promise<FastifyReply> {
    const { appId, appName, success } = asked(request);
    const { user } = session;
    const name = readField(request, 'name');
    try {
      const added = await addApplicationPassword(platform, user.id, name, user.login, appId);
      if (!success) return sendView(reply, passwordPage(appName, added.password));
      const password = added.password.replaceAll(' ', '');
      const siteUrl = new URL(restRoot()).origin;
      const url = toSuccessUrl(success, { siteUrl, login: user.login, password });
      reply.header('content-security-policy', policyWithFormTo(success));
      return reply.redirect(url.href, 303);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      return showApproval(request, reply, session, { wrong: error.message, name });
    }
  }

  server.register(async (routes: Routes) => {
    prepareViews(routes, async (_request, status) => faultPage(status));
    const fault = (reply: FastifyReply, status: number, why?: string) =>
      sendView(reply.code(status), faultPage(status, why));

    routes.addHook('preHandler', async (request, reply) => {
      const from = request.headers['sec-fetch-site'];
      const isForeign = from !== undefined && from !== 'same-origin' && from !== 'none';
      if (request.method === 'POST' && isForeign) return fault(reply, 403);
      try {
        asked(request);
      } catch (error) {
        if (error instanceof CliError) return fault(reply, 400, error.message);
        throw error;
      }
    });

    routes.get(AUTHORIZE_PATH, options, async (request, reply) => {
      const session = await sessionOf(request);
      if (session) return showApproval(request, reply, session);
      const { appName } = asked(request);
      return sendView(reply, signInForm({ action: actionOf(request), appName }));
    });

    routes.post(AUTHORIZE_PATH, options, async (request, reply) => {
      if (readField(request, 'approve') === '') return enter(request, reply);
      const session = await sessionOf(request);
      if (!session || !isNonce(platform, session, readField(request, '_wpnonce')))
        return fault(reply, 403);
      return approve(request, reply, session);
    });
  });
}
