import type { FastifyRequest } from 'fastify';
import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { acceptJsonOnly } from '../../platform/http/json-body.ts';
import type { Limiter } from '../../platform/http/rate-limit.ts';
import { listInUse } from '../activations/index.ts';
import { type Customer, createBearerAuthenticator } from '../customers/index.ts';
import { errorAnswers, getLicenceStatus, toExpiry } from '../licences/index.ts';
import { findLatestPurchase } from './purchases/store.ts';
import {
  beginRenewal,
  findCurrentPlan,
  findOwnLicence,
  findRenewalError,
  getMode,
  openPortal,
} from './renewals.ts';
import {
  IdempotencyHeader,
  PortalQuery,
  PortalSession,
  RenewalOptions,
  RenewalParams,
  RenewalRequest,
  RenewalSession,
  toShownPrice,
} from './schemas.ts';
import type { Cashier, CheckoutSettings } from './service.ts';
import type { ShownPrice } from './shown-prices.ts';

const security = [{ bearer: [] }];

/** Renewing and changing a licence, and the Billing Portal, for the customer who has it. */
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
    readPrices: () => Promise<ShownPrice[]>;
  },
): Promise<void> {
  const { db } = platform.datastore;
  const authenticate = createBearerAuthenticator(platform);
  const customers = new WeakMap<FastifyRequest, Customer>();
  /** Before the body is looked at: what a stranger sends does not matter. */
  const signedIn = async (request: FastifyRequest) => {
    customers.set(request, await authenticate(request));
  };
  function getCustomer(request: FastifyRequest): Customer {
    const customer = customers.get(request);
    if (!customer) throw new Error('a route without its sign-in');
    return customer;
  }
  function openShop() {
    if (cashier) return { platform, settings, cashier };
    throw new DomainError(
      'unavailable',
      'service_unavailable',
      'Nothing can be paid here at present. Ask the vendor to renew your licence.',
    );
  }

  routes.get(
    '/customer/licences/:id/renewal',
    {
      onRequest: signedIn,
      schema: {
        tags: ['Customer'],
        security,
        operationId: 'getRenewalOptions',
        summary: 'Get what a licence can be renewed to',
        description:
          'Prices are those of the payment service, at most ten minutes old; the checkout shows the current ones.',
        params: RenewalParams,
        response: { 200: RenewalOptions, ...errorAnswers(401, 404) },
      },
    },
    async (request) => {
      const customer = getCustomer(request);
      const licence = await findOwnLicence(platform, customer, request.params.id);
      const purchase = await findLatestPurchase(db, licence.publicId);
      const now = platform.clock.now();
      const obstacle = await findRenewalError(platform, licence, getMode(settings));
      const inUse = await listInUse(db, licence.id);
      return {
        id: licence.publicId,
        tier: licence.tier,
        status: getLicenceStatus(licence, now),
        sites_allowed: licence.sitesAllowed,
        sites_used: inUse.filter(({ takesSlot }) => takesSlot).length,
        ...toExpiry(licence, now),
        ...(await findCurrentPlan({ platform, cashier }, licence, purchase)),
        has_portal: cashier !== undefined && purchase?.customerId === customer.id,
        obstacle: obstacle ? { error: obstacle.code, message: obstacle.message } : null,
        prices: (await readPrices()).map(toShownPrice),
      };
    },
  );

  // Within a context of its own, in which an empty body renews what there is.
  await routes.register(async (own: Routes) => {
    acceptJsonOnly(own, {});
    own.post(
      '/customer/licences/:id/renew',
      {
        onRequest: limiter ? [limiter.hook, signedIn] : signedIn,
        preValidation: (request, _reply, done) => {
          if (request.body === undefined) request.body = {};
          done();
        },
        schema: {
          tags: ['Customer'],
          security,
          operationId: 'renewLicence',
          summary: 'Renew a licence on the same key',
          description:
            'Answers with the address of a page. `checkout`: paying there renews this licence, its key and ' +
            'its sites stay. `portal`: a subscription goes on, and is changed in Stripe’s Billing Portal, which shows ' +
            'what the change costs. What the body does not name stays as it is. Days that are left are added where ' +
            'the tier is the same and the sites are not more. Beginning again closes the checkout that was begun before.',
          params: RenewalParams,
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
        const begun = await beginRenewal(openShop(), getCustomer(request), params.id, body, key);
        const { expiresAt, ...answer } = begun;
        return { ...answer, expires_at: expiresAt === null ? null : toIsoMoment(expiresAt) };
      },
    );
  });

  routes.get(
    '/customer/portal',
    {
      onRequest: limiter ? [limiter.hook, signedIn] : signedIn,
      schema: {
        tags: ['Customer'],
        security,
        operationId: 'getPortal',
        summary: 'Get an address of the Billing Portal',
        description:
          'Where the customer sees invoices, changes the payment method and cancels. The address works for ' +
          'a few minutes and only for who paid: ask for a new one each time.',
        querystring: PortalQuery,
        response: { 200: PortalSession, ...errorAnswers(400, 401, 404, 429) },
      },
    },
    async (request) => ({
      url: await openPortal(openShop(), getCustomer(request), request.query.licence),
    }),
  );
}
