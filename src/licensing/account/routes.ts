import type { Platform } from '../../platform/deps.ts';
import type { Routes } from '../../platform/http/scope.ts';
import {
  licenceNotFound,
  listActivations,
  toActivationRecord,
  useOf,
} from '../activations/index.ts';
import { bearerCustomer, type Customer } from '../customers/index.ts';
import {
  errorAnswers,
  findLicenceByKeyHash,
  hashKey,
  isLicenceKey,
  type Licence,
  listLicences,
  maskedKeysOf,
  toLicenceInfo,
} from '../licences/index.ts';
import { bearerSecurity, CustomerLicences, LicenceInfo, LicenceInfoQuery } from './schemas.ts';

declare module 'fastify' {
  interface FastifyRequest {
    customer: Customer | null;
  }
}

/** What a signed-in customer sees: `GET /licence/info` and `GET /customer/licences`. */
export function accountRoutes(routes: Routes, platform: Platform): void {
  const { db } = platform.datastore;
  const authenticate = bearerCustomer(platform);
  routes.decorateRequest('customer', null);

  async function infoOf(licences: Licence[]) {
    const ids = licences.map(({ id }) => id);
    const [maskedKeys, use] = await Promise.all([maskedKeysOf(db, ids), useOf(db, ids)]);
    const now = platform.clock.now();
    return licences.map((licence) =>
      toLicenceInfo(licence, {
        maskedKey: maskedKeys.get(licence.id) ?? '',
        sitesUsed: use.get(licence.id)?.sitesUsed ?? 0,
        activatedAt: use.get(licence.id)?.firstActivatedAt ?? licence.issuedAt,
        now,
      }),
    );
  }

  routes.get(
    '/licence/info',
    {
      onRequest: async (request) => {
        request.customer = await authenticate(request);
      },
      schema: {
        tags: ['Customer'],
        security: bearerSecurity,
        operationId: 'info',
        summary: 'A licence of the customer, with its activation history',
        description: "Somebody else's key and an unknown one are answered alike.",
        querystring: LicenceInfoQuery,
        response: { 200: LicenceInfo, ...errorAnswers(400, 401, 404) },
      },
    },
    async ({ query: { key }, customer }) => {
      const found = isLicenceKey(key)
        ? await findLicenceByKeyHash(db, hashKey(platform, key), platform.clock.now())
        : undefined;
      if (!found || found.licence.customerId !== customer?.id) throw licenceNotFound();
      const [[info], activations] = await Promise.all([
        infoOf([found.licence]),
        listActivations(db, found.licence.id),
      ]);
      if (!info) throw licenceNotFound();
      return { ...info, activations: activations.map(toActivationRecord) };
    },
  );

  routes.get(
    '/customer/licences',
    {
      onRequest: async (request) => {
        request.customer = await authenticate(request);
      },
      schema: {
        tags: ['Customer'],
        security: bearerSecurity,
        operationId: 'licences',
        summary: 'The licences of the customer',
        response: { 200: CustomerLicences, ...errorAnswers(401) },
      },
    },
    async ({ customer }) => ({
      licences: customer ? await infoOf(await listLicences(db, { customerId: customer.id })) : [],
    }),
  );
}
