import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import {
  ActivationChoice,
  DeactivationResult,
  licenceNotFound,
  listOwnActivations,
  listUse,
  noSuchLicence,
  releaseActivation,
  toActivationRecord,
} from '../activations/index.ts';
import { createBearerAuthenticator, getCustomer } from '../customers/index.ts';
import { createLicenceFile } from '../licence-file/index.ts';
import {
  errorAnswers,
  findLicenceByKeyHash,
  findLicenceWithCustomer,
  hashKey,
  isLicenceKey,
  type Licence,
  LicenceParams,
  listLicences,
  listMaskedKeys,
  maskKey,
  toLicenceInfo,
} from '../licences/index.ts';
import { KeySentError, mailNewKey } from './new-key.ts';
import {
  CustomerLicences,
  LicenceFile,
  LicenceInfo,
  LicenceInfoQuery,
  LicencesQuery,
  NewKeyResult,
} from './schemas.ts';
import { switchRoutes } from './switch/routes.ts';

const LICENCES_MAX = 1_000;
/** A licence file cannot be revoked, so a customer gets a short one, and the next one at any time. */
const FILE_DAYS = 30;

/** `GET /licence/info` and the routes below `/customer/licences`. */
export function accountRoutes(routes: Routes, platform: Platform, publicUrl: () => string): void {
  switchRoutes(routes, platform, publicUrl);
  const { db } = platform.datastore;
  const authenticate = createBearerAuthenticator(platform);
  const shared = { tags: ['Customer'], security: [{ bearer: [] }] };

  async function describeLicences(licences: Licence[]) {
    const ids = licences.map(({ id }) => id);
    const [keys, use, catalogue] = await Promise.all([
      listMaskedKeys(db, ids),
      listUse(db, ids),
      platform.catalogue.read(licences),
    ]);
    const now = platform.clock.now();
    return licences.map((licence) => ({
      ...toLicenceInfo(licence, {
        catalogue,
        key: keys.get(licence.id) ?? '',
        sitesUsed: use.get(licence.id)?.sitesUsed ?? 0,
        now,
      }),
      activated_at: toIsoMoment(use.get(licence.id)?.firstActivatedAt ?? licence.issuedAt),
    }));
  }

  async function describeWithSites(licence: Licence) {
    const [[info], activations] = await Promise.all([
      describeLicences([licence]),
      listOwnActivations(db, licence),
    ]);
    if (!info) throw noSuchLicence();
    return { ...info, activations: activations.map(toActivationRecord) };
  }

  routes.get(
    '/licence/info',
    {
      onRequest: authenticate,
      schema: {
        ...shared,
        operationId: 'info',
        summary: 'Get a licence by its key, with its activation history',
        description: "Another customer's key gets the same error as an unknown one.",
        querystring: LicenceInfoQuery,
        response: { 200: LicenceInfo, ...errorAnswers(400, 401, 404) },
      },
    },
    async (request) => {
      const { key } = request.query;
      const found = isLicenceKey(key)
        ? await findLicenceByKeyHash(db, hashKey(platform, key), platform.clock.now())
        : undefined;
      if (!found || found.licence.customerId !== getCustomer(request).id) throw licenceNotFound();
      return describeWithSites(found.licence);
    },
  );

  routes.get(
    '/customer/licences',
    {
      onRequest: authenticate,
      schema: {
        ...shared,
        operationId: 'licences',
        summary: 'List the licences of the customer',
        querystring: LicencesQuery,
        response: { 200: CustomerLicences, ...errorAnswers(400, 401) },
      },
    },
    async (request) => {
      const customer = getCustomer(request);
      const { before, search: text } = request.query;
      const search = text !== undefined && isLicenceKey(text) ? maskKey(text) : text;
      const last = before === undefined ? undefined : await findLicenceWithCustomer(db, before);
      if (before !== undefined && last?.customerId !== customer.id) {
        throw new DomainError(
          'invalid',
          'invalid_request',
          'before must be the identifier of one of your licences.',
        );
      }
      const page = { customerId: customer.id, before: last?.id, search, limit: LICENCES_MAX + 1 };
      const found = await listLicences(db, page);
      const licences = found.slice(0, LICENCES_MAX);
      const next = found.length > licences.length ? (licences.at(-1)?.publicId ?? null) : null;
      return { licences: await describeLicences(licences), next };
    },
  );

  routes.get(
    '/customer/licences/:id',
    {
      onRequest: authenticate,
      schema: {
        ...shared,
        operationId: 'licence',
        summary: 'Get a licence by its identifier, with its activation history',
        params: LicenceParams,
        response: { 200: LicenceInfo, ...errorAnswers(400, 401, 404) },
      },
    },
    async (request) => {
      const found = await findLicenceWithCustomer(db, request.params.id);
      if (!found || found.customerId !== getCustomer(request).id) throw noSuchLicence();
      return describeWithSites(found);
    },
  );

  routes.post(
    '/customer/licences/:id/new-key',
    {
      onRequest: authenticate,
      schema: {
        ...shared,
        operationId: 'mailNewKey',
        summary: 'Email a new key of a licence',
        description:
          'For a lost key. The old key works for seven more days, and sites stay activated. Once an hour.',
        params: LicenceParams,
        response: { 200: NewKeyResult, ...errorAnswers(400, 401, 404, 409, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const sending = mailNewKey(platform, request.params.id, getCustomer(request).id);
      await sending.catch((error) => {
        if (error instanceof KeySentError) reply.header('retry-after', error.retryAfterSeconds);
        throw error;
      });
      return { success: true as const, message: 'A new key is on its way to your email address.' };
    },
  );

  routes.post(
    '/customer/licences/:id/file',
    {
      onRequest: authenticate,
      schema: {
        ...shared,
        operationId: 'createLicenceFile',
        summary: 'Create a licence file',
        description: `For a site that cannot reach the server. It is valid for ${FILE_DAYS} days, but not longer than the licence. 409 \`not_possible\` if the licence is not active.`,
        params: LicenceParams,
        response: { 200: LicenceFile, ...errorAnswers(400, 401, 404, 409, 413, 415) },
      },
    },
    async (request) => {
      const found = await findLicenceWithCustomer(db, request.params.id);
      if (found?.customerId !== getCustomer(request).id) throw noSuchLicence();
      const { file, validUntil } = await createLicenceFile(platform, found.publicId, FILE_DAYS);
      return { file, valid_until: toIsoMoment(validUntil) };
    },
  );

  routes.post(
    '/customer/licences/:id/deactivate',
    {
      onRequest: authenticate,
      schema: {
        ...shared,
        operationId: 'deactivateActivation',
        summary: 'Deactivate a site of a licence',
        description: 'Frees the slot, whatever the status of the licence. Idempotent.',
        params: LicenceParams,
        body: ActivationChoice,
        response: { 200: DeactivationResult, ...errorAnswers(400, 401, 404, 413, 415) },
      },
    },
    async (request) => {
      const claim = {
        customerId: getCustomer(request).id,
        licenceId: request.params.id,
        activationId: request.body.activation_id,
      };
      const siteUrl = await releaseActivation(platform, claim, 'customer');
      return { success: true, message: `${siteUrl} is deactivated.` };
    },
  );
}
