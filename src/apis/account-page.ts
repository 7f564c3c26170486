import type { FastifyReply, FastifyRequest } from 'fastify';
import { choosePrice, type Price } from '../licensing/checkout/index.ts';
import { equalInConstantTime } from '../platform/auth/constant-time.ts';
import type { Platform } from '../platform/deps.ts';
import { formatCookie, formatDeletedCookie, readCookie } from '../platform/http/cookies.ts';
import { field, queryParam, sendPage, servePages } from '../platform/http/pages.ts';
import type { Routes } from '../platform/http/scope.ts';
import {
  dashboard,
  faultPage,
  type LicenceShown,
  linkForm,
  mailedPage,
  NOTICES,
  overPage,
  signInPage,
} from './account-views.ts';
import { buyPage, onwardsPage } from './buy-views.ts';

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
export function accountPages(
  server: Routes,
  { secret }: Platform,
  { prefix, isSecure, sold }: AccountPagesSettings,
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

  /** Whether a form is one of ours, made for whoever is signed in. */
  const isOwnForm = (request: FastifyRequest): boolean =>
    equalInConstantTime(field(request, 'form'), formToken(tokenOf(request)));

  const fault = (reply: FastifyReply, status: number) =>
    sendPage(reply.code(status), faultPage(status));

  servePages(
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
        const notice = NOTICES[queryParam(request, 'done')];
        const first = { canBuy, notice };
        if (!token) return sendPage(reply, linkForm(first));
        const before = queryParam(request, 'before');
        const list = `/customer/licences${before && `?before=${encodeURIComponent(before)}`}`;
        const { status, json } = await call(request, 'GET', list, { token });
        if (status === 401) {
          forget(reply);
          return sendPage(reply, linkForm({ ...first, notice: notice ?? NOTICES.ended }));
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
        return sendPage(reply, dashboard({ ...first, licences, older, form: formToken(token) }));
      });

      routes.post('/link', options, async (request, reply) => {
        const email = field(request, 'email');
        const { status, json, retryAfter } = await call(request, 'POST', '/auth/magic-link', {
          body: { email },
        });
        if (status === 202) return reply.redirect('mailed', 303);
        if (status >= 500) return fault(reply, status);
        if (retryAfter) reply.header('retry-after', retryAfter);
        const wrong = status === 429 ? { form: json.message } : { email: true as const };
        return sendPage(reply.code(status), linkForm({ canBuy, email, wrong }));
      });

      routes.get('/mailed', options, async (_request, reply) => sendPage(reply, mailedPage()));

      // Whoever checks links in mails follows them: only the button signs in.
      routes.get('/sign-in', options, async (request, reply) => {
        const token = queryParam(request, 'token');
        return token ? sendPage(reply, signInPage(token)) : sendPage(reply.code(404), overPage());
      });

      routes.post('/sign-in', options, async (request, reply) => {
        const body = { token: field(request, 'token') };
        const { status, json } = await call(request, 'POST', '/auth/token', { body });
        if (status >= 500) return fault(reply, status);
        if (status !== 200) return sendPage(reply.code(404), overPage());
        reply.header('set-cookie', formatCookie(COOKIE, json.token, isSecure()));
        return reply.redirect('./', 303);
      });

      routes.post('/deactivate', options, async (request, reply) => {
        if (!tokenOf(request)) return reply.redirect('./?done=ended', 303);
        if (!isOwnForm(request)) return fault(reply, 403);
        const id = encodeURIComponent(field(request, 'licence'));
        const { status } = await call(request, 'POST', `/customer/licences/${id}/deactivate`, {
          token: tokenOf(request),
          body: { activation_id: Number(field(request, 'activation')) },
        });
        if (status === 200) return reply.redirect('./?done=deactivated', 303);
        return status === 401 ? reply.redirect('./', 303) : fault(reply, status);
      });

      routes.post('/sign-out', options, async (request, reply) => {
        if (!tokenOf(request)) return reply.redirect('./', 303);
        if (!isOwnForm(request)) return fault(reply, 403);
        forget(reply);
        const isEverywhere = field(request, 'where') === 'everywhere';
        const path = isEverywhere ? '/auth/sign-out-everywhere' : '/auth/sign-out';
        const { status } = await call(request, 'POST', path, { token: tokenOf(request) });
        if (status >= 500) return fault(reply, status);
        return reply.redirect(`./?done=${isEverywhere ? 'everywhere' : 'signed-out'}`, 303);
      });

      routes.get('/buy', options, async (_request, reply) =>
        canBuy ? sendPage(reply, buyPage({ sold, chosen: usual })) : fault(reply, 404),
      );

      routes.post('/buy', options, async (request, reply) => {
        if (!canBuy) return fault(reply, 404);
        const named = (what: 'tier' | 'interval') =>
          sold.find((price) => price[what] === field(request, what)) ?? usual;
        const body = { tier: named('tier')?.tier, interval: named('interval')?.interval };
        const { status, json } = await call(request, 'POST', '/checkout/session', { body });
        if (status !== 200) {
          return sendPage(reply.code(status), buyPage({ sold, chosen: body, wrong: json.message }));
        }
        // A page in between: a form's policy would hold a redirect to another origin back.
        return sendPage(reply, onwardsPage(json.url));
      });
    },
  );
}
