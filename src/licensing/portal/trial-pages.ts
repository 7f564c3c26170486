import type { FastifyRequest } from 'fastify';
import { readEmail } from '../../platform/email-address.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { readField, readQueryParam } from '../../platform/http/views.ts';
import type { TrialStarted, Trials } from '../trials/index.ts';
import { type AccountContext, describeError, options } from './context.ts';
import type { CallLicenceApi } from './licence-api.ts';
import {
  startTrialPage,
  trialFailedPage,
  trialMailedPage,
  trialPage,
  trialStartedPage,
} from './trial-views.ts';

/**
 * The trials of a product that need no card.
 * @param product slug; empty for the default product
 * @returns undefined if they cannot be read
 */
export async function readTrials(
  call: CallLicenceApi,
  request: FastifyRequest,
  product: string,
): Promise<Trials | undefined> {
  const query = product && `?product=${encodeURIComponent(product)}`;
  const { status, json } = await call(request, 'GET', `/trials${query}`);
  return status === 200 ? json : undefined;
}

/** The pages that start trials without a card. */
export function trialPages(
  routes: Routes,
  { call, readProductName, show, sendError }: AccountContext,
): void {
  routes.get('/trial', options, async (request, reply) => {
    const offered = await readTrials(call, request, readQueryParam(request, 'product'));
    const [first] = offered?.trials ?? [];
    if (!offered || !first) return sendError(request, reply, 404);
    const entered = { tier: first.tier, email: '', site: '' };
    const productName = await readProductName(offered.product);
    return show(request, reply, (view) => trialPage(view, { offered, productName, entered }));
  });

  routes.post('/trial', options, async (request, reply) => {
    const offered = await readTrials(call, request, readField(request, 'product'));
    const [first] = offered?.trials ?? [];
    if (!offered || !first) return sendError(request, reply, 404);
    const asked = readField(request, 'tier');
    const entered = {
      tier: offered.trials.find(({ tier }) => tier === asked)?.tier ?? first.tier,
      email: readField(request, 'email'),
      site: readField(request, 'site'),
    };
    const { status, json, retryAfter } = await call(request, 'POST', '/trials', {
      body: {
        email: entered.email,
        site_url: entered.site,
        product: offered.product,
        tier: entered.tier,
      },
    });
    if (status === 202) return reply.redirect('trial-mailed', 303);
    if (status >= 500) return sendError(request, reply, status);
    if (retryAfter) reply.header('retry-after', retryAfter);
    const productName = await readProductName(offered.product);
    const wrongField = readEmail(entered.email) ? ('site' as const) : ('email' as const);
    return show(request, reply.code(status), (view) => {
      const wrong = status === 429 ? { form: describeError(view, json) } : { field: wrongField };
      return trialPage(view, { offered, productName, entered, wrong });
    });
  });

  routes.get('/trial-mailed', options, (request, reply) => show(request, reply, trialMailedPage));

  // Email scanners open links, so only the button starts the trial.
  routes.get('/start-trial', options, async (request, reply) => {
    const token = readQueryParam(request, 'token');
    return token
      ? show(request, reply, (view) => startTrialPage(view, token))
      : show(request, reply.code(404), (view) => trialFailedPage(view, 'link_expired'));
  });

  routes.post('/start-trial', options, async (request, reply) => {
    const body = { token: readField(request, 'token') };
    const { status, json } = await call(request, 'POST', '/trials/confirm', { body });
    if (status >= 500) return sendError(request, reply, status);
    if (status !== 200) {
      const error = status === 400 ? 'link_expired' : json.error;
      return show(request, reply.code(status), (view) => trialFailedPage(view, error));
    }
    const started: TrialStarted = json;
    const productName = await readProductName(started.product);
    return show(request, reply, (view) => trialStartedPage(view, { ...started, productName }));
  });
}
