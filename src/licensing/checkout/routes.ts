// Declares the schema field `hide`, also for programs that import these types.
import type {} from '@fastify/swagger';
import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { createLimiter } from '../../platform/http/rate-limit.ts';
import { prepareViews, sendView } from '../../platform/http/views.ts';
import { readCustomerView, setLanguage } from '../customers/index.ts';
import { errorAnswers } from '../licences/index.ts';
import { createPaymentHandler } from './payment-handler.ts';
import { getPrice } from './renewal-plan.ts';
import { renewalRoutes } from './renewal-routes.ts';
import {
  CheckoutRequest,
  CheckoutSession,
  IdempotencyHeader,
  PricesQuery,
  ShownPrices,
} from './schemas.ts';
import { beginCheckout, type CheckoutSettings, createCashier, getSoldProduct } from './service.ts';
import { createPriceReader, listPricesIn } from './shown-prices.ts';
import { testCheckoutRoutes } from './test-checkout.ts';
import { messageView } from './views.ts';
import { webhookRoutes } from './webhook.ts';

/** Checkout, prices, renewals, the webhook, and the pages after a payment. */
export async function checkoutRoutes(
  routes: Routes,
  platform: Platform,
  settings: CheckoutSettings,
): Promise<void> {
  const cashier = createCashier(settings, platform);
  const stripe = cashier?.provider === 'stripe' ? cashier.stripe : undefined;
  const handlePayment = createPaymentHandler(platform, settings.prices, stripe);
  const readPrices = cashier ? createPriceReader(platform, cashier) : async () => [];
  const limiter = createLimiter('checkout', settings.perMinute, platform);
  function getCashier() {
    if (cashier) return cashier;
    const message = 'Checkout is not available at the moment.';
    throw new DomainError('unavailable', 'service_unavailable', message);
  }

  routes.post(
    '/checkout/session',
    {
      onRequest: limiter ? [limiter.hook] : [],
      preValidation: (request, _reply, done) => {
        if (request.body === undefined) request.body = {};
        done();
      },
      schema: {
        tags: ['Checkout'],
        security: [],
        operationId: 'checkout',
        summary: 'Create a checkout session',
        description:
          'Returns the URL of the checkout. The key is emailed after payment. Default without a body: tier pro, ' +
          'yearly billing.',
        headers: IdempotencyHeader,
        body: CheckoutRequest,
        response: { 200: CheckoutSession, ...errorAnswers(400, 413, 415, 429) },
      },
    },
    async ({ body, headers }) => {
      const key = headers['idempotency-key'];
      const product = getSoldProduct(await platform.catalogue.read(), body.product);
      const shop = { cashier: getCashier(), readPrices };
      const price = getPrice(await listPricesIn(body.currency, shop, product), body);
      const session = await beginCheckout(
        platform,
        settings,
        shop.cashier,
        product,
        body,
        key,
        price,
      );
      return { id: session.id, url: session.url, expires_at: toIsoMoment(session.expiresAt) };
    },
  );

  routes.get(
    '/checkout/prices',
    {
      schema: {
        tags: ['Checkout'],
        security: [],
        operationId: 'listPrices',
        summary: 'List the prices of a product',
        description:
          'Prices come from the payment service and are cached for ten minutes; the checkout shows the current ' +
          'ones. Amounts are null while the payment service cannot be reached.',
        querystring: PricesQuery,
        response: { 200: ShownPrices, ...errorAnswers(400) },
      },
    },
    async ({ query }) => {
      const { provider } = getCashier();
      const product = getSoldProduct(await platform.catalogue.read(), query.product);
      return { provider, product: product.slug, prices: await readPrices(product) };
    },
  );
  await renewalRoutes(routes, platform, { settings, cashier, limiter, readPrices });

  await routes.register(async (pages: Routes) => {
    const { db } = platform.datastore;
    prepareViews(pages, async (request, status) =>
      messageView(
        await readCustomerView(db, request, status),
        status === 404 ? 'notFound' : 'failed',
      ),
    );
    const options = { schema: { hide: true }, config: { quiet: true } };
    for (const name of ['success', 'cancelled'] as const) {
      pages.get(`/checkout/${name}`, options, async (request, reply) => {
        const view = await readCustomerView(db, request);
        return sendView(setLanguage(reply, view), messageView(view, name));
      });
    }
    if (cashier?.provider === 'test') testCheckoutRoutes(pages, platform, handlePayment);
  });
  await webhookRoutes(routes, platform, settings, handlePayment);
}
