// Declares the schema field `hide`, also for programs that import these types.
import type {} from '@fastify/swagger';
import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { acceptJsonOnly } from '../../platform/http/json-body.ts';
import { createLimiter } from '../../platform/http/rate-limit.ts';
import { errorAnswers } from '../licences/index.ts';
import { cancelledPage, sendPage, successPage } from './pages.ts';
import { createPaymentHandler } from './payments.ts';
import { renewalRoutes } from './renewal-routes.ts';
import {
  CheckoutRequest,
  CheckoutSession,
  IdempotencyHeader,
  ShownPrices,
  toShownPrice,
} from './schemas.ts';
import { beginCheckout, type CheckoutSettings, createCashier } from './service.ts';
import { createPriceReader } from './shown-prices.ts';
import { testCheckoutRoutes } from './test-checkout.ts';
import { webhookRoutes } from './webhook.ts';

/** `POST /checkout/session`, the pages around a payment, and what the payment service tells. */
export async function checkoutRoutes(
  routes: Routes,
  platform: Platform,
  settings: CheckoutSettings,
): Promise<void> {
  const cashier = createCashier(settings, platform);
  const take = createPaymentHandler(platform, settings.prices);
  const readPrices = cashier ? createPriceReader(platform, cashier) : async () => [];
  const limiter = createLimiter('checkout', settings.perMinute, platform);

  // Within a context of its own, in which an empty body is an order of what is usual.
  await routes.register(async (own: Routes) => {
    acceptJsonOnly(own, {});
    own.post(
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
            'Answers with the URL of the checkout. The key is emailed after payment. Without a body: tier pro, paid ' +
            'yearly.',
          headers: IdempotencyHeader,
          body: CheckoutRequest,
          response: { 200: CheckoutSession, ...errorAnswers(400, 413, 415, 429) },
        },
      },
      async ({ body, headers }) => {
        if (!cashier) throw nothingSold();
        const key = headers['idempotency-key'];
        const session = await beginCheckout(platform, settings, cashier, body, key);
        return { id: session.id, url: session.url, expires_at: toIsoMoment(session.expiresAt) };
      },
    );
  });

  routes.get(
    '/checkout/prices',
    {
      schema: {
        tags: ['Checkout'],
        security: [],
        operationId: 'listPrices',
        summary: 'List prices',
        description:
          'Prices are those of the payment service, at most ten minutes old; the checkout shows the current ' +
          'ones. Where the payment service cannot be reached, amounts are null.',
        response: { 200: ShownPrices, ...errorAnswers() },
      },
    },
    async () => {
      if (!cashier) throw nothingSold();
      return { provider: cashier.provider, prices: (await readPrices()).map(toShownPrice) };
    },
  );
  await renewalRoutes(routes, platform, { settings, cashier, limiter, readPrices });

  const page = { schema: { hide: true }, config: { quiet: true } };
  routes.get('/checkout/success', page, async (_request, reply) => sendPage(reply, successPage()));
  routes.get('/checkout/cancelled', page, async (_request, reply) =>
    sendPage(reply, cancelledPage()),
  );
  if (cashier?.provider === 'test') await testCheckoutRoutes(routes, platform, take);
  const stripe = cashier?.provider === 'stripe' ? cashier.stripe : undefined;
  await webhookRoutes(routes, platform, settings, { stripe, take });
}

const nothingSold = () =>
  new DomainError('unavailable', 'service_unavailable', 'Checkout is not available at the moment.');
