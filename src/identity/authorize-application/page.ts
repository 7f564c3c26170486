import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { getClientAddress } from '../../platform/http/client-address.ts';
import { formatCookie, formatDeletedCookie, readCookie } from '../../platform/http/cookies.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { policyWithFormTo, prepareViews, readField, sendView } from '../../platform/http/views.ts';
import {
  addApplicationPassword,
  createNonce,
  createSecondStep,
  createSignIn,
  DEVICE_COOKIE,
  describeLockout,
  findFreeName,
  isNonce,
  PASSWORD_MAX_LENGTH,
  PENDING_COOKIE,
  resumeSession,
  SESSION_COOKIE,
  type Session,
  SIGN_IN_EXPIRED,
  type SignedIn,
  type SignInLimits,
  type SignInScope,
  type TooManyFailures,
  toSuccessUrl,
  WRONG_CODE,
} from '../users/index.ts';
import { type Choices, readChoices, toDefaultChoices, toLimits, toOffer } from './choices.ts';
import { AUTHORIZE_PATH } from './path.ts';
import { formatAction, parseRequest } from './request.ts';
import {
  approvalForm,
  codeForm,
  faultPage,
  passwordPage,
  secondFactorPage,
  signInForm,
} from './views.ts';

const LOGIN_MAX_LENGTH = 254;
const CODE_MAX_LENGTH = 40;
const options = { schema: { hide: true } };

interface AuthorizePageSettings {
  restRoot: () => string;
  /** Whether browsers reach the server over HTTPS. */
  isSecure: () => boolean;
  signInLimits: SignInLimits;
  signInScope: SignInScope;
}

/**
 * WordPress' page on which a signed-in user gives an application password to an application: it is sent to
 * `success_url` as `site_url`, `user_login` and `password`, or shown. It is created only by the form of the page, which
 * carries the nonce of the session.
 */
export function authorizePage(
  server: Routes,
  platform: Platform,
  settings: AuthorizePageSettings,
): void {
  const page = new AuthorizePage(platform, settings);
  server.register(async (routes: Routes) => {
    prepareViews(routes, async (_request, status) => faultPage(status));

    routes.addHook('preHandler', async (request, reply) => {
      const from = request.headers['sec-fetch-site'];
      const isForeign = from !== undefined && from !== 'same-origin' && from !== 'none';
      if (request.method === 'POST' && isForeign) return sendFault(reply, 403);
      try {
        parseRequest(request);
      } catch (error) {
        if (error instanceof InvalidFieldError) return sendFault(reply, 400, error.reason);
        throw error;
      }
    });

    routes.get(AUTHORIZE_PATH, options, async (request, reply) => {
      const session = await page.findSession(request);
      if (session?.lacksSecondFactor) return sendView(reply.code(403), secondFactorPage());
      if (session) return page.sendApproval(request, reply, session);
      const { appName } = parseRequest(request);
      return sendView(reply, signInForm({ action: formatAction(request), appName }));
    });

    routes.post(AUTHORIZE_PATH, options, async (request, reply) => {
      if (readField(request, 'code') !== '') return page.confirmCode(request, reply);
      if (readField(request, 'approve') === '') return page.signIn(request, reply);
      const session = await page.findSession(request);
      if (!session || !isNonce(platform, session, readField(request, '_wpnonce')))
        return sendFault(reply, 403);
      if (session.lacksSecondFactor) return sendView(reply.code(403), secondFactorPage());
      return page.approve(request, reply, session);
    });
  });
}

const sendFault = (reply: FastifyReply, status: number, why?: string): FastifyReply =>
  sendView(reply.code(status), faultPage(status, why));

/** @returns the error to show */
function rejectAttempt(reply: FastifyReply, result: TooManyFailures): string {
  reply.header('retry-after', result.retryAfterSeconds);
  return describeLockout(result);
}

class AuthorizePage {
  readonly #platform: Platform;
  readonly #settings: AuthorizePageSettings;
  readonly #signIn: ReturnType<typeof createSignIn>;
  readonly #secondStep: ReturnType<typeof createSecondStep>;

  constructor(platform: Platform, settings: AuthorizePageSettings) {
    this.#platform = platform;
    this.#settings = settings;
    this.#signIn = createSignIn(settings.signInScope, settings.signInLimits);
    this.#secondStep = createSecondStep(settings.signInScope, settings.signInLimits);
  }

  findSession({ headers }: FastifyRequest): Promise<Session | undefined> {
    const token = readCookie(headers, SESSION_COOKIE, this.#settings.isSecure());
    return resumeSession(this.#settings.signInScope, token);
  }

  async sendApproval(
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    { wrong, choices }: { wrong?: InvalidFieldError; choices?: Choices } = {},
  ): Promise<FastifyReply> {
    const { appName, scopes: asked, success, reject } = parseRequest(request);
    const { user } = session;
    const offer = toOffer(asked, user);
    if (offer.offered.length === 0) {
      const why = `The application asks for ${offer.beyondRole.join(', ')}. Your role (${user.role}) allows none of it, so you cannot authorise it.`;
      return sendFault(reply, 403, why);
    }
    // Browsers apply the form policy to redirects of a form as well.
    if (success) reply.header('content-security-policy', policyWithFormTo(success));
    const form = approvalForm({
      action: formatAction(request),
      appName,
      login: user.login,
      role: user.role,
      nonce: createNonce(this.#platform, session),
      choices:
        choices ??
        toDefaultChoices(
          await findFreeName(this.#platform, user.id, appName),
          asked && offer.offered,
        ),
      offer,
      successHost: success?.host,
      rejectUrl: reject?.href ?? '../admin/',
      wrong,
    });
    return sendView(reply.code(wrong === undefined ? 200 : 400), form);
  }

  async signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { body, raw, headers } = request;
    const isSecure = this.#settings.isSecure();
    const login = readField(request, 'login').slice(0, LOGIN_MAX_LENGTH);
    // Not trimmed: a password may begin or end with a blank.
    const password = (body instanceof URLSearchParams && body.get('password')) || '';
    const result = await this.#signIn({
      login,
      // By characters, as the limit counts them.
      password: [...password].slice(0, PASSWORD_MAX_LENGTH + 1).join(''),
      address: getClientAddress(raw, this.#platform.trustedProxies),
      deviceToken: readCookie(headers, DEVICE_COOKIE, isSecure),
    });
    const action = formatAction(request);
    const { appName } = parseRequest(request);
    const sendForm = (status: number, wrong: string) =>
      sendView(reply.code(status), signInForm({ action, appName, login, wrong }));
    if (result.outcome === 'too many failures') return sendForm(429, rejectAttempt(reply, result));
    if (result.outcome === 'wrong') return sendForm(401, 'The login or the password is wrong.');
    if (result.outcome === 'weak password') return sendForm(403, result.message);
    if (result.outcome === 'second factor required') {
      reply.header('set-cookie', formatCookie(PENDING_COOKIE, result.pendingToken, isSecure));
      return sendView(reply, codeForm({ action, appName, login: result.login }));
    }
    return this.#finish(request, reply, result);
  }

  async confirmCode(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { raw, headers } = request;
    const isSecure = this.#settings.isSecure();
    const login = readField(request, 'login');
    const result = await this.#secondStep({
      login,
      code: readField(request, 'code').slice(0, CODE_MAX_LENGTH),
      pendingToken: readCookie(headers, PENDING_COOKIE, isSecure),
      address: getClientAddress(raw, this.#platform.trustedProxies),
      deviceToken: readCookie(headers, DEVICE_COOKIE, isSecure),
    });
    const action = formatAction(request);
    const { appName } = parseRequest(request);
    const sendForm = (status: number, wrong: string) =>
      sendView(reply.code(status), codeForm({ action, appName, login, wrong }));
    if (result.outcome === 'too many failures') return sendForm(429, rejectAttempt(reply, result));
    if (result.outcome === 'wrong') return sendForm(401, WRONG_CODE);
    if (result.outcome === 'signed in') return this.#finish(request, reply, result);
    return sendView(reply.code(401), signInForm({ action, appName, wrong: SIGN_IN_EXPIRED }));
  }

  #finish(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, deviceToken }: SignedIn,
  ): FastifyReply {
    const isSecure = this.#settings.isSecure();
    reply.header('set-cookie', [
      formatCookie(SESSION_COOKIE, token, isSecure),
      formatCookie(DEVICE_COOKIE, deviceToken, isSecure),
      formatDeletedCookie(PENDING_COOKIE, isSecure),
    ]);
    return reply.redirect(formatAction(request), 303);
  }

  async approve(
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
  ): Promise<FastifyReply> {
    const { appId, appName, scopes: asked, success } = parseRequest(request);
    const { id, login } = session.user;
    const choices = readChoices(request);
    try {
      const offer = toOffer(asked, session.user);
      const limits = toLimits(choices, offer, this.#platform.clock.now());
      const options = { appId, ...limits };
      const added = await addApplicationPassword(this.#platform, id, choices.name, login, options);
      if (!success) return sendView(reply, passwordPage(appName, added.password));
      const password = added.password.replaceAll(' ', '');
      const siteUrl = new URL(this.#settings.restRoot()).origin;
      reply.header('content-security-policy', policyWithFormTo(success));
      return reply.redirect(toSuccessUrl(success, { siteUrl, login, password }).href, 303);
    } catch (error) {
      if (!(error instanceof InvalidFieldError)) throw error;
      return this.sendApproval(request, reply, session, { wrong: error, choices });
    }
  }
}
