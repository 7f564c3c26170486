import type { FastifyReply, FastifyRequest } from 'fastify';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import type { Platform } from '../../platform/deps.ts';
import { formatCookie, formatDeletedCookie, readCookie } from '../../platform/http/cookies.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { readField, readQueryParam, sendView, serveViews } from '../../platform/http/views.ts';
import { choosePrice, type Price } from '../checkout/index.ts';
import {
  dashboard,
  faultPage,
  type LicenceShown,
  linkForm,
  mailedPage,
  NOTICES,
  notYoursPage,
  overPage,
  signInPage,
} from './account-views.ts';
import { buyPage, type Chosen, onwardsPage, renewalPage, type Sold } from './buy-views.ts';

const COOKIE = { name: 'pavis_account', maxAge: 3600, isOfFolder: true } as const;
/** How many licences one page shows with their sites. */
const LICENCES_SHOWN = 100;
const options = { schema: { hide: true } };

export interface AccountPagesSettings {
  /** Path prefix of the Licence API. */
  prefix: string;
  /** Whether browsers find us over https. */
  isSecure: () => boolean;
  /** What can be bought. */
  sold: readonly Price[];
  /** Who takes payments. */
  provider: Sold['provider'];
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the Licence API's own answers, by its schemas
  json: any;
  retryAfter: string | undefined;
}

/**
 * `/account/`: what customers see and do without a program of their own. It is a client of the Licence
 * API in the same process: limits, rules and texts of refusals are the API's. The bearer token lies in
 * a cookie that no script reads and no other site's form takes along; signing out ends it.
 */
export function portalPages(
  server: Routes,
  { secret }: Platform,
  { prefix, isSecure, sold, provider }: AccountPagesSettings,
): void {
  async function call(
    request: FastifyRequest,
    method: 'GET' | 'POST',
    path: string,
    { token, body }: { token?: string; body?: object } = {},
  ): Promise<Answer> {
    const forwarded = request.headers['x-forwarded-for'];
    const {
      statusCode,
      body: text,
      headers,
    } = await server.inject({
      method,
      url: prefix + path,
      remoteAddress: request.raw.socket.remoteAddress ?? '',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(forwarded && { 'x-forwarded-for': forwarded }),
      },
      ...(body && { payload: body }),
    });
    const retryAfter = headers['retry-after']?.toString();
    return { status: statusCode, json: JSON.parse(text), retryAfter };
  }

  const usual = choosePrice(sold, {});
  const canBuy = sold.length > 0;
  /** Says who sent a form: another site can make a browser send one, but not read this. */
  const formToken = (token: string) => secret.hash('account-form', token).slice(0, 22);

  const tokenOf = ({ headers }: FastifyRequest): string =>
    /^[\w.-]+$/.exec(readCookie(headers, COOKIE, isSecure()) ?? '')?.[0] ?? '';
  const forget = (reply: FastifyReply) =>
    reply.header('set-cookie', formatDeletedCookie(COOKIE, isSecure()));

  /** Whether the form was made for the signed-in customer. */
  const isOwnForm = (request: FastifyRequest): boolean =>
    equalInConstantTime(readField(request, 'form'), formToken(tokenOf(request)));

  const fault = (reply: FastifyReply, status: number) =>
    sendView(reply.code(status), faultPage(status));

  serveViews(
    server,
    { prefix: '/account', errorPage: async (_request, status) => faultPage(status) },
    (routes) => {
      // No other site's page may sign a visitor in, or out. Browsers that do not say are old.
      routes.addHook('preHandler', async ({ method, headers }, reply) => {
        const from = headers['sec-fetch-site'];
        if (method === 'POST' && from !== undefined && from !== 'same-origin' && from !== 'none') {
          return fault(reply, 403);
        }
      });

      routes.get('/', { ...options, prefixTrailingSlash: 'slash' }, async (request, reply) => {
        const token = tokenOf(request);
        const notice = NOTICES[readQueryParam(request, 'done')];
        const first = { canBuy, notice };
        if (!token) return sendView(reply, linkForm(first));
        const before = readQueryParam(request, 'before');
        const list = `/customer/licences${before && `?before=${encodeURIComponent(before)}`}`;
        const { status, json } = await call(request, 'GET', list, { token });
        if (status === 401) {
          forget(reply);
          return sendView(reply, linkForm({ ...first, notice: notice ?? NOTICES.ended }));
        }
        if (status !== 200) return fault(reply, status);
        const listed: { id: string }[] = json.licences;
        const answers = await Promise.all(
          listed
            .slice(0, LICENCES_SHOWN)
            .map(({ id }) => call(request, 'GET', `/customer/licences/${id}`, { token })),
        );
        const wrong = answers.find((answer) => answer.status !== 200);
        if (wrong) return fault(reply, wrong.status);
        const licences = answers.map((answer): LicenceShown => answer.json);
        const isMore = listed.length > licences.length;
        const older = isMore ? licences.at(-1)?.id : undefined;
        return sendView(reply, dashboard({ ...first, licences, older, form: formToken(token) }));
      });

      routes.post('/link', options, async (request, reply) => {
        const email = readField(request, 'email');
        const licence = licenceIn(readField(request, 'licence'));
        const { status, json, retryAfter } = await call(request, 'POST', '/auth/magic-link', {
          body: { email, ...(licence && { licence }) },
        });
        if (status === 202) return reply.redirect('mailed', 303);
        if (status >= 500) return fault(reply, status);
        if (retryAfter) reply.header('retry-after', retryAfter);
        const wrong = status === 429 ? { form: json.message } : { email: true as const };
        return sendView(reply.code(status), linkForm({ canBuy, email, licence, wrong }));
      });

      routes.get('/mailed', options, async (_request, reply) => sendView(reply, mailedPage()));

      // Mail scanners open links, so only the button signs in.
      routes.get('/sign-in', options, async (request, reply) => {
        const token = readQueryParam(request, 'token');
        const licence = licenceIn(readQueryParam(request, 'licence'));
        return token
          ? sendView(reply, signInPage(token, licence))
          : sendView(reply.code(404), overPage());
      });

      routes.post('/sign-in', options, async (request, reply) => {
        const body = { token: readField(request, 'token') };
        const { status, json } = await call(request, 'POST', '/auth/token', { body });
        if (status >= 500) return fault(reply, status);
        if (status !== 200) return sendView(reply.code(404), overPage());
        reply.header('set-cookie', formatCookie(COOKIE, json.token, isSecure()));
        const licence = licenceIn(readField(request, 'licence'));
        return reply.redirect(licence ? `renew?licence=${licence}` : './', 303);
      });

      routes.post('/deactivate', options, async (request, reply) => {
        if (!tokenOf(request)) return reply.redirect('./?done=ended', 303);
        if (!isOwnForm(request)) return fault(reply, 403);
        const id = encodeURIComponent(readField(request, 'licence'));
        const { status } = await call(request, 'POST', `/customer/licences/${id}/deactivate`, {
          token: tokenOf(request),
          body: { activation_id: Number(readField(request, 'activation')) },
        });
        if (status === 200) return reply.redirect('./?done=deactivated', 303);
        return status === 401 ? reply.redirect('./', 303) : fault(reply, status);
      });

      routes.post('/sign-out', options, async (request, reply) => {
        if (!tokenOf(request)) return reply.redirect('./', 303);
        if (!isOwnForm(request)) return fault(reply, 403);
        forget(reply);
        const isEverywhere = readField(request, 'where') === 'everywhere';
        const path = isEverywhere ? '/auth/sign-out-everywhere' : '/auth/sign-out';
        const { status } = await call(request, 'POST', path, { token: tokenOf(request) });
        if (status >= 500) return fault(reply, status);
        return reply.redirect(`./?done=${isEverywhere ? 'everywhere' : 'signed-out'}`, 303);
      });

      routes.get('/buy', options, async (request, reply) => {
        const offer = await readSold(request);
        if (!offer) return fault(reply, 404);
        return sendView(reply, buyPage(offer, usual ?? {}));
      });

      routes.post('/buy', options, async (request, reply) => {
        if (!canBuy) return fault(reply, 404);
        const body = chosenIn(request, usual ?? {});
        const { status, json } = await call(request, 'POST', '/checkout/session', { body });
        // A page in between: a form's policy would hold a redirect to another origin back.
        if (status === 200) return sendView(reply, onwardsPage(json.url));
        const offer = (await readSold(request)) ?? NOTHING;
        return sendView(reply.code(status), buyPage(offer, body, json.message));
      });

      routes.get('/renew', options, async (request, reply) => {
        const id = licenceIn(readQueryParam(request, 'licence'));
        if (!id) return fault(reply, 404);
        return showRenewal(request, reply, { id });
      });

      routes.post('/renew', options, async (request, reply) => {
        const id = licenceIn(readField(request, 'licence'));
        const token = tokenOf(request);
        if (!token) return reply.redirect(id ? `renew?licence=${id}` : './', 303);
        if (!isOwnForm(request)) return fault(reply, 403);
        const chosen = { ...chosenIn(request, {}), quantity: readField(request, 'quantity') };
        const { status, json } = await call(request, 'POST', `/customer/licences/${id}/renew`, {
          token,
          body: { ...chosen, quantity: Number(chosen.quantity || 1) },
        });
        if (status === 200) return sendView(reply, onwardsPage(json.url, json.kind === 'portal'));
        return showRenewal(request, reply, { id, chosen, wrong: { status, text: json.message } });
      });

      routes.post('/portal', options, async (request, reply) => {
        const id = licenceIn(readField(request, 'licence'));
        const token = tokenOf(request);
        if (!token) return reply.redirect(id ? `renew?licence=${id}` : './', 303);
        if (!isOwnForm(request)) return fault(reply, 403);
        const { status, json } = await call(request, 'GET', `/customer/portal?licence=${id}`, {
          token,
        });
        if (status === 200) return sendView(reply, onwardsPage(json.url, true));
        return showRenewal(request, reply, { id, wrong: { status, text: json.message } });
      });
    },
  );

  /** What can be bought now, with prices; undefined if nothing. */
  async function readSold(request: FastifyRequest): Promise<Sold | undefined> {
    if (!canBuy) return undefined;
    const { status, json } = await call(request, 'GET', '/checkout/prices');
    return status === 200 ? json : NOTHING;
  }

  /** What was chosen in a form, as far as it is sold. */
  function chosenIn(request: FastifyRequest, otherwise: Chosen): Chosen {
    const named = (what: 'tier' | 'interval') =>
      sold.find((price) => price[what] === readField(request, what))?.[what] ?? otherwise[what];
    return { tier: named('tier'), interval: named('interval') };
  }

  interface Shown {
    id: string;
    chosen?: Chosen & { quantity?: string };
    wrong?: { status: number; text: string };
  }

  /** The renewal page; visitors sign in first and return to it. */
  async function showRenewal(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, chosen, wrong }: Shown,
  ): Promise<FastifyReply> {
    const token = tokenOf(request);
    if (!token) return sendView(reply, linkForm({ canBuy: false, licence: id }));
    const answer = await call(request, 'GET', `/customer/licences/${id}/renewal`, { token });
    if (answer.status === 401) {
      forget(reply);
      return sendView(reply, linkForm({ canBuy: false, licence: id, notice: NOTICES.ended }));
    }
    if (answer.status === 404) return sendView(reply.code(404), notYoursPage(formToken(token)));
    if (answer.status !== 200) return fault(reply, answer.status);
    const licence = answer.json;
    const { tier, interval } =
      choosePrice(sold, { tier: licence.tier, interval: licence.interval ?? undefined }) ??
      choosePrice(sold, { tier: licence.tier }) ??
      choosePrice(sold, {}) ??
      {};
    const page = renewalPage({
      licence,
      provider,
      chosen: chosen ?? { tier, interval },
      form: formToken(token),
      wrong: wrong?.text,
    });
    return sendView(reply.code(wrong?.status ?? 200), page);
  }
}

const NOTHING: Sold = { provider: 'stripe', prices: [] };

/** A licence identifier; empty for what is none. */
const licenceIn = (text: string): string => /^lic_\w{1,60}$/.exec(text)?.[0] ?? '';
