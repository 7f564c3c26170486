import type { FastifyError, FastifyRequest } from 'fastify';
import type { Platform } from '../../platform/deps.ts';
import { DomainError, InvalidFieldError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import type { JsonSchema } from '../../platform/http/schemas.ts';
import {
  ActivationChoice,
  DeactivationResult,
  listActivations,
  releaseActivation,
  toActivationRecord,
} from '../activations/index.ts';
import { createTokenAuthenticator, getToken } from '../api-tokens/index.ts';
import {
  errorAnswers,
  LicenceParams,
  reinstateLicence,
  revokeLicence,
  suspendLicence,
} from '../licences/index.ts';
import { issueForToken } from './issue.ts';
import {
  AdminActivations,
  AdminLicence,
  AdminLicences,
  ChangeBody,
  IdempotencyHeader,
  IssueBody,
  IssuedLicence,
  LicencesQuery,
  RestrictionBody,
} from './schemas.ts';
import { getActor, getOwnLicence } from './scope.ts';
import { changeForToken, searchForToken, showLicence } from './service.ts';

const ROOT = '/admin/licences';
const ITEM = `${ROOT}/:id`;

/**
 * Licence administration for the vendor's programs, authenticated by API tokens.
 * @param options.perMinute requests of one token; undefined: no limit
 */
export function adminApiRoutes(
  routes: Routes,
  platform: Platform,
  options: { perMinute: number | undefined },
): void {
  // In a context of its own, for the error handler.
  routes.register(async (own: Routes) => {
    own.setErrorHandler((error, { routeOptions }) => {
      throw toRequestError(error, routeOptions.schema?.body as JsonSchema | undefined);
    });
    addRoutes(own, platform, options);
  });
}

/** The Licence API has one code for invalid requests; the reason says what is allowed. */
function toRequestError(error: unknown, body: JsonSchema | undefined): unknown {
  const invalid = (message: string) => new DomainError('invalid', 'invalid_request', message);
  if (error instanceof InvalidFieldError) return invalid(error.reason);
  const [wrong] = (error as FastifyError).validation ?? [];
  if (wrong?.keyword !== 'additionalProperties') return error;
  const fields = Object.keys(body?.properties ?? {}).join(', ');
  return invalid(
    `${wrong.params.additionalProperty} cannot be set. Fields that can be set: ${fields}.`,
  );
}

const NUMBERS = ['limit', 'expires_within'] as const;

/** Without a body, no field is given. */
async function defaultBody(request: FastifyRequest<{ Body: unknown }>): Promise<void> {
  request.body ??= {};
}

/** Parameters of a query are texts, and the server does not convert types. */
async function readNumbers({ query }: FastifyRequest<{ Querystring: object }>): Promise<void> {
  const given = query as Record<string, unknown>;
  for (const name of NUMBERS) {
    if (/^\d{1,6}$/.test(String(given[name]))) given[name] = Number(given[name]);
  }
}

function addRoutes(
  routes: Routes,
  platform: Platform,
  { perMinute }: { perMinute: number | undefined },
): void {
  const requireScope = createTokenAuthenticator(platform, perMinute);
  const shared = { tags: ['Administration'], security: [{ apiToken: [] }] };
  const read = requireScope('licences:read');
  const issue = requireScope('licences:issue');
  const write = requireScope('licences:write');
  const getOwn = (request: FastifyRequest<{ Params: { id: string } }>) =>
    getOwnLicence(platform, getToken(request), request.params.id);

  routes.get(
    ROOT,
    {
      onRequest: read,
      preValidation: readNumbers,
      schema: {
        ...shared,
        operationId: 'listAdminLicences',
        summary: 'List licences',
        description: 'Needs the scope `licences:read`.',
        querystring: LicencesQuery,
        response: { 200: AdminLicences, ...errorAnswers(400, 401, 403, 429) },
      },
    },
    (request) => searchForToken(platform, getToken(request), request.query),
  );
  routes.post(
    ROOT,
    {
      onRequest: issue,
      schema: {
        ...shared,
        operationId: 'issueAdminLicence',
        summary: 'Issue a licence',
        description:
          'Needs the scope `licences:issue`. Send an `Idempotency-Key`, so that a request that is repeated after a timeout issues one licence.',
        headers: IdempotencyHeader,
        body: IssueBody,
        response: { 201: IssuedLicence, ...errorAnswers(400, 401, 403, 409, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const idempotencyKey = request.headers['idempotency-key'];
      const { id, key } = await issueForToken(
        platform,
        getToken(request),
        request.body,
        idempotencyKey,
      );
      return reply.code(201).send({ ...(await showLicence(platform, id)), licence_key: key });
    },
  );
  // The console answers every other path below /admin/.
  routes.get(`${ROOT}/*`, { schema: { hide: true } }, (_request, reply) => reply.callNotFound());
  routes.get(
    ITEM,
    {
      onRequest: read,
      schema: {
        ...shared,
        operationId: 'getAdminLicence',
        summary: 'Get a licence',
        description: 'Needs the scope `licences:read`.',
        params: LicenceParams,
        response: { 200: AdminLicence, ...errorAnswers(400, 401, 403, 404, 429) },
      },
    },
    async (request) => showLicence(platform, (await getOwn(request)).publicId),
  );
  routes.patch(
    ITEM,
    {
      onRequest: write,
      preValidation: defaultBody,
      schema: {
        ...shared,
        operationId: 'updateAdminLicence',
        summary: 'Update a licence',
        description:
          'Needs the scope `licences:write`. Changes the fields that are sent, all or none of them. Other fields are refused.',
        params: LicenceParams,
        body: ChangeBody,
        response: { 200: AdminLicence, ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429) },
      },
    },
    async (request) => {
      const { publicId } = await getOwn(request);
      await changeForToken(platform, getToken(request), publicId, request.body);
      return showLicence(platform, publicId);
    },
  );

  const action = {
    ...shared,
    description:
      'Needs the scope `licences:write`. 409 `not_possible` if the licence has this state already.',
    params: LicenceParams,
    response: { 200: AdminLicence, ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429) },
  };
  const restrictions = [
    ['suspend', 'Suspend a licence', suspendLicence],
    ['revoke', 'Revoke a licence permanently', revokeLicence],
  ] as const;
  for (const [name, summary, apply] of restrictions) {
    routes.post(
      `${ITEM}/${name}`,
      {
        onRequest: write,
        preValidation: defaultBody,
        schema: { ...action, operationId: `${name}AdminLicence`, summary, body: RestrictionBody },
      },
      async (request) => {
        const { publicId } = await getOwn(request);
        await apply(platform, publicId, getActor(getToken(request)), request.body.reason);
        return showLicence(platform, publicId);
      },
    );
  }
  routes.post(
    `${ITEM}/reinstate`,
    {
      onRequest: write,
      schema: {
        ...action,
        operationId: 'reinstateAdminLicence',
        summary: 'Reinstate a suspended licence',
      },
    },
    async (request) => {
      const { publicId } = await getOwn(request);
      await reinstateLicence(platform, publicId, getActor(getToken(request)));
      return showLicence(platform, publicId);
    },
  );

  routes.get(
    `${ITEM}/activations`,
    {
      onRequest: read,
      schema: {
        ...shared,
        operationId: 'listAdminActivations',
        summary: 'List activations of a licence',
        description: 'Needs the scope `licences:read`.',
        params: LicenceParams,
        response: { 200: AdminActivations, ...errorAnswers(400, 401, 403, 404, 429) },
      },
    },
    async (request) => {
      const { id } = await getOwn(request);
      const all = await listActivations(platform.datastore.db, id);
      return { activations: all.map(toActivationRecord) };
    },
  );
  routes.post(
    `${ITEM}/deactivate`,
    {
      onRequest: write,
      schema: {
        ...shared,
        operationId: 'deactivateAdminSite',
        summary: 'Deactivate a site of a licence',
        description: 'Needs the scope `licences:write`. Frees the slot of the site.',
        params: LicenceParams,
        body: ActivationChoice,
        response: {
          200: DeactivationResult,
          ...errorAnswers(400, 401, 403, 404, 413, 415, 429),
        },
      },
    },
    async (request) => {
      const { publicId: licenceId } = await getOwn(request);
      const claim = { licenceId, activationId: request.body.activation_id };
      const site = await releaseActivation(platform, claim, getActor(getToken(request)));
      return { success: true, message: `${site} is deactivated.` };
    },
  );
}
