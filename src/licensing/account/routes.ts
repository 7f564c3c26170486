import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import {
  DeactivationResult,
  licenceNotFound,
  listOwnActivations,
  listUse,
  noSuchLicence,
  releaseActivation,
  toActivationRecord,
} from '../activations/index.ts';
import { type Customer, createBearerAuthenticator } from '../customers/index.ts';
import {
  errorAnswers,
  findLicenceByKeyHash,
  findLicenceWithCustomer,
  hashKey,
  isLicenceKey,
  type Licence,
  listLicences,
  listMaskedKeys,
  toLicenceInfo,
} from '../licences/index.ts';
import {
  ActivationChoice,
  bearerSecurity,
  CustomerLicences,
  LicenceInfo,
  LicenceInfoQuery,
  LicenceParams,
  LicencesQuery,
} from './schemas.ts';

/** How many one answer lists. */
const LICENCES_MAX = 1_000;

declare module 'fastify' {
  interface FastifyRequest {
    customer: Customer | null;
  }
}

/** What a signed-in customer sees and does: `GET /licence/info` and all below `/customer/licences`. */
export function accountRoutes(routes: Routes, platform: Platform): void {
  const { db } = platform.datastore;
  const authenticate = createBearerAuthenticator(platform);
  routes.decorateRequest('customer', null);

  async function infoOf(licences: Licence[]) {
    const ids = licences.map(({ id }) => id);
    const [maskedKeys, use] = await Promise.all([listMaskedKeys(db, ids), listUse(db, ids)]);
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

  async function withActivations(licence: Licence) {
    const [[info], activations] = await Promise.all([
      infoOf([licence]),
      listOwnActivations(db, licence),
    ]);
    if (!info) throw noSuchLicence();
    return { ...info, activations: activations.map(toActivationRecord) };
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
      return withActivations(found.licence);
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
        querystring: LicencesQuery,
        response: { 200: CustomerLicences, ...errorAnswers(400, 401) },
      },
    },
    async ({ query: { before }, customer }) => {
      if (!customer) throw noSuchLicence();
      const last = before === undefined ? undefined : await findLicenceWithCustomer(db, before);
      if (before !== undefined && last?.customerId !== customer.id) {
        throw new DomainError('invalid', 'invalid_request', 'before is no licence of yours.');
      }
      const page = { customerId: customer.id, before: last?.id, limit: LICENCES_MAX + 1 };
      const found = await listLicences(db, page);
      const licences = found.slice(0, LICENCES_MAX);
      const next = found.length > licences.length ? (licences.at(-1)?.publicId ?? null) : null;
      return { licences: await infoOf(licences), next };
    },
  );

  routes.get(
    '/customer/licences/:id',
    {
      onRequest: async (request) => {
        request.customer = await authenticate(request);
      },
      schema: {
        tags: ['Customer'],
        security: bearerSecurity,
        operationId: 'licence',
        summary: 'A licence of the customer by its id, with its activation history',
        params: LicenceParams,
        response: { 200: LicenceInfo, ...errorAnswers(401, 404) },
      },
    },
    async ({ params: { id }, customer }) => {
      const found = await findLicenceWithCustomer(db, id);
      if (!found || found.customerId !== customer?.id) throw noSuchLicence();
      return withActivations(found);
    },
  );

  routes.post(
    '/customer/licences/:id/deactivate',
    {
      onRequest: async (request) => {
        request.customer = await authenticate(request);
      },
      schema: {
        tags: ['Customer'],
        security: bearerSecurity,
        operationId: 'deactivateActivation',
        summary: 'Deactivate a site of a licence',
        description: 'Frees the slot, whatever state the licence is in; once more changes nothing.',
        params: LicenceParams,
        body: ActivationChoice,
        response: { 200: DeactivationResult, ...errorAnswers(400, 401, 404, 413, 415) },
      },
    },
    async ({ params: { id }, body, customer }) => {
      if (!customer) throw noSuchLicence();
      const claim = { customerId: customer.id, licenceId: id, activationId: body.activation_id };
      const siteUrl = await releaseActivation(platform, claim, 'customer');
      return { success: true, message: `${siteUrl} is deactivated.` };
    },
  );
}
