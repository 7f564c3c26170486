import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../../platform/http/error-format.ts';
import { readField, readQueryParam } from '../../platform/http/views.ts';
import { choosePrice, type ShownPrice, type ShownPrices } from '../checkout/index.ts';
import { buyPage, type Chosen, onwardsPage, productsPage, renewalPage } from './buy-views.ts';
import { type AccountContext, describeError, options, parseLicenceId } from './context.ts';
import { readOwnLicence } from './own-licence.ts';
import { readTrials } from './trial-pages.ts';

/** The pages that buy, renew and change licences. */
export function buyPages(routes: Routes, context: AccountContext): void {
  const { call, session, readCanBuy, readProductNames, readProductName, show, sendError } = context;
  routes.get('/buy', options, async (request, reply) => {
    const product = readQueryParam(request, 'product');
    const sold = await readPrices(request, product);
    if (sold === 404 && !product) return showProducts(request, reply);
    if (typeof sold === 'number') return sendError(request, reply, sold);
    const chosen = choosePrice(sold.prices, {}) ?? {};
    const trials = await readTrials(call, request, sold.product);
    const productName = await readProductName(sold.product);
    return show(request, reply, (view) => buyPage(view, sold, chosen, { productName, trials }));
  });

  routes.post('/buy', options, async (request, reply) => {
    const sold = await readPrices(request, readField(request, 'product'));
    if (typeof sold === 'number') return sendError(request, reply, sold);
    const { tier, interval } = choosePrice(sold.prices, {}) ?? {};
    const chosen = readChosen(request, sold.prices, { tier, interval });
    const body = { ...chosen, product: sold.product };
    const { status, json } = await call(request, 'POST', '/checkout/session', { body });
    // A page in between, because the policy for forms blocks a redirect to another origin.
    if (status === 200) return show(request, reply, (view) => onwardsPage(view, json.url));
    const productName = await readProductName(sold.product);
    return show(request, reply.code(status), (view) =>
      buyPage(view, sold, chosen, { productName, wrong: describeError(view, json) }),
    );
  });

  routes.get('/renew', options, async (request, reply) => {
    const id = parseLicenceId(readQueryParam(request, 'licence'));
    return id ? showRenewal(request, reply, { id }) : sendError(request, reply, 404);
  });

  routes.post('/renew', options, (request, reply) =>
    handleForm(request, reply, async (id, token) => {
      const current = await call(request, 'GET', `/customer/licences/${id}/renewal`, { token });
      const prices: ShownPrice[] = current.status === 200 ? current.json.prices : [];
      const chosen = {
        ...readChosen(request, prices, {}),
        quantity: readField(request, 'quantity'),
      };
      const { status, json } = await call(request, 'POST', `/customer/licences/${id}/renew`, {
        token,
        body: { ...chosen, quantity: Number(chosen.quantity || 1) },
      });
      if (status === 200)
        return show(request, reply, (view) => onwardsPage(view, json.url, json.kind === 'portal'));
      return showRenewal(request, reply, { id, chosen, wrong: { status, json } });
    }),
  );

  routes.post('/portal', options, (request, reply) =>
    handleForm(request, reply, async (id, token) => {
      const path = `/customer/portal?licence=${id}`;
      const { status, json } = await call(request, 'GET', path, { token });
      if (status === 200) return show(request, reply, (view) => onwardsPage(view, json.url, true));
      return showRenewal(request, reply, { id, wrong: { status, json } });
    }),
  );

  /** Handles a form about a licence. Visitors who are not signed in do that first. */
  async function handleForm(
    request: FastifyRequest,
    reply: FastifyReply,
    handle: (id: string, token: string) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const id = parseLicenceId(readField(request, 'licence'));
    const token = session.getToken(request);
    if (!token) return reply.redirect(id ? `renew?licence=${id}` : './', 303);
    return session.isOwnForm(request) ? handle(id, token) : sendError(request, reply, 403);
  }

  /** Where to buy, if the default product is not on sale. */
  async function showProducts(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sold: { slug: string; name: string }[] = [];
    for (const [slug, name] of await readProductNames())
      if (typeof (await readPrices(request, slug)) !== 'number') sold.push({ slug, name });
    const [first, second] = sold;
    if (!first) return sendError(request, reply, 404);
    if (!second) return reply.redirect(`buy?product=${first.slug}`, 303);
    return show(request, reply, (view) => productsPage(view, sold));
  }

  /** The prices of a product, default: the default product; the status of the page if nothing is on sale. */
  async function readPrices(
    request: FastifyRequest,
    product: string,
  ): Promise<ShownPrices | 404 | 503> {
    if (!(await readCanBuy())) return 404;
    const query = product && `?product=${encodeURIComponent(product)}`;
    const { status, json } = await call(request, 'GET', `/checkout/prices${query}`);
    if (status >= 500) return 503;
    return status === 200 && json.prices.length > 0 ? json : 404;
  }

  /** The tier and interval of a form, if they are on sale. */
  function readChosen(
    request: FastifyRequest,
    sold: readonly ShownPrice[],
    otherwise: Chosen,
  ): Chosen {
    const read = (field: 'tier' | 'interval') =>
      sold.find((price) => price[field] === readField(request, field))?.[field] ?? otherwise[field];
    return { tier: read('tier'), interval: read('interval') };
  }

  interface Shown {
    id: string;
    chosen?: Chosen & { quantity?: string };
    wrong?: { status: number; json: { error: string; message: string } };
  }

  /** The renewal page; visitors sign in first and return to it. */
  async function showRenewal(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, chosen, wrong }: Shown,
  ): Promise<FastifyReply> {
    const target = { licence: id, site: '' };
    const path = `/customer/licences/${id}/renewal`;
    const own = await readOwnLicence(context, request, reply, { path, target });
    if (!own) return reply;
    const { json: licence, form } = own;
    const prices: ShownPrice[] = licence.prices;
    const { tier, interval } =
      choosePrice(prices, { tier: licence.tier, interval: licence.interval ?? undefined }) ??
      choosePrice(prices, { tier: licence.tier }) ??
      choosePrice(prices, {}) ??
      {};
    const choice = chosen ?? { tier, interval };
    return show(request, reply.code(wrong?.status ?? 200), (view) =>
      renewalPage(view, {
        licence,
        chosen: choice,
        form,
        wrong: wrong && describeError(view, wrong.json),
      }),
    );
  }
}
