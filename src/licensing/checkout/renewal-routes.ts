import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import type { Limiter } from '../../platform/http/rate-limit.ts';
import { countSlotsInUse } from '../activations/index.ts';
import { createBearerAuthenticator, getCustomer } from '../customers/index.ts';
import { errorAnswers, getLicenceStatus, LicenceParams, toExpiry } from '../licences/index.ts';
import { getPlan, getProduct } from '../products/index.ts';
import { findCurrentPlan } from './current-plan.ts';
import { getMode } from './on-sale.ts';
import { preferCurrency } from './prices.ts';
import { findLatestPurchase, listInvoicedPurchases } from './purchases/store.ts';
import {
  PortalQuery,
  PortalSession,
  RenewalOptions,
  RenewalRequest,
  RenewalSession,
} from './renewal-schemas.ts';
import { beginRenewal, findRenewalError, getOwnLicence, openPortal } from './renewals.ts';
import { IdempotencyHeader, type ShownPrice } from './schemas.ts';
import type { Cashier, CheckoutSettings } from './service.ts';
import type { ReadPrices } from './shown-prices.ts';

/** Renewals, changes and the Billing Portal for the customer of a licence. */
export async function renewalRoutes(
  routes: Routes,
  platform: Platform,
  {
    settings,
    cashier,
    limiter,
    readPrices,
  }: {
    settings: CheckoutSettings;
    cashier: Cashier | undefined;
    limiter: Limiter | undefined;
    readPrices: ReadPrices;
  },
): Promise<void> {
  const { db } = platform.datastore;
  const authenticate = createBearerAuthenticator(platform);
  const limited = limiter ? [limiter.hook, authenticate] : authenticate;
  const shared = { tags: ['Customer'], security: [{ bearer: [] }] };
  function openShop() {
    if (cashier) return { platform, settings, cashier, readPrices };
    const message = 'Nothing can be paid here at present. Ask the vendor to renew your licence.';
    throw new DomainError('unavailable', 'service_unavailable', message);
  }

  routes.get(
    '/customer/licences/:id/renewal',
    {
      onRequest: authenticate,
      schema: {
        ...shared,
        operationId: 'getRenewalOptions',
        summary: 'Get the renewal options of a licence',
        description:
          'Prices come from the payment service and are cached for ten minutes; the checkout shows the current ones.',
        params: LicenceParams,
        response: { 200: RenewalOptions, ...errorAnswers(400, 401, 404) },
      },
    },
    async (request) => {
      const customer = getCustomer(request);
      const licence = await getOwnLicence(platform, customer, request.params.id);
      const purchase = await findLatestPurchase(db, licence.publicId);
      const invoiced = await listInvoicedPurchases(db, customer.id, licence.publicId);
      const now = platform.clock.now();
      const product = getProduct(await platform.catalogue.read([licence]), licence.productId);
      const shop = { platform, settings, cashier };
      const found = await findCurrentPlan(shop, product, licence, purchase);
      const { plan: current, price, paidIn } = found;
      const obstacle =
        (await findRenewalError(platform, licence, getMode(settings))) ?? found.obstacle;
      const prices = await readPrices(product, licence.tier, price);
      /** A subscription keeps its currency. */
      const canPay = ({ currency }: ShownPrice) =>
        current.currency === null || (currency ?? current.currency) === current.currency;
      return {
        id: licence.publicId,
        product: product.slug,
        tier: licence.tier,
        plan: getPlan(product, licence.tier).label,
        status: getLicenceStatus(licence, now),
        ...(licence.isTrial && { trial: true as const }),
        sites_allowed: licence.sitesAllowed,
        sites_used: await countSlotsInUse(db, licence.id),
        ...toExpiry(licence, now),
        ...current,
        has_portal: cashier !== undefined && invoiced.length > 0,
        obstacle: obstacle ? { error: obstacle.code, message: obstacle.message } : null,
        provider: cashier?.provider ?? null,
        prices: preferCurrency(prices.filter(canPay), paidIn),
      };
    },
  );

  routes.post(
    '/customer/licences/:id/renew',
    {
      onRequest: limited,
      preValidation: (request, _reply, done) => {
        if (request.body === undefined) request.body = {};
        done();
      },
      schema: {
        ...shared,
        operationId: 'renewLicence',
        summary: 'Renew a licence on the same key',
        description:
          'Returns the URL of a page. `checkout`: a payment renews this licence with its key and activated ' +
          'sites. `portal`: the active subscription is changed in Stripe’s Billing Portal, which shows the cost. ' +
          'What the body does not name stays as it is, and the sites become those of whole packages. Remaining ' +
          'days are added if the tier stays the same and the packages do not increase. A new checkout closes the previous open one.',
        params: LicenceParams,
        headers: IdempotencyHeader,
        body: RenewalRequest,
        response: {
          200: RenewalSession,
          ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429),
        },
      },
    },
    async (request) => {
      const { params, body, headers } = request;
      const key = headers['idempotency-key'];
      return beginRenewal(openShop(), getCustomer(request), params.id, body, key);
    },
  );

  routes.get(
    '/customer/portal',
    {
      onRequest: limited,
      schema: {
        ...shared,
        operationId: 'getPortal',
        summary: 'Get a URL of the Billing Portal',
        description:
          'In the portal the customer sees invoices, changes the payment method and cancels. The URL works for ' +
          'a few minutes and only for the buyer. Request a new one each time.',
        querystring: PortalQuery,
        response: { 200: PortalSession, ...errorAnswers(400, 401, 404, 429) },
      },
    },
    async (request) => ({
      url: await openPortal(openShop(), getCustomer(request), request.query.licence),
    }),
  );
}
