import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { addItemRoutes } from '../../platform/rest/items.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
  toWholeListResponse,
  wholeListArgs,
} from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { ENDPOINTS_MAX } from './rules.ts';
import {
  EndpointCreation,
  EndpointRecord,
  EndpointUpdate,
  EndpointWithSecret,
  EventTypeRecord,
  listEventTypes,
  toEndpointRecord,
} from './schemas.ts';
import { changeEndpoint, createEndpoint, removeEndpoint, rotateSecret } from './service.ts';
import { findEndpoint, listEndpoints } from './store.ts';

/**
 * The endpoints that receive events: `/webhooks`.
 * @param options.allowsPrivate whether private networks and http are allowed
 */
export function endpointRoutes(
  api: RestApi,
  platform: Platform,
  { allowsPrivate }: { allowsPrivate: boolean },
): void {
  const { db } = platform.datastore;
  api.add({
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(EndpointRecord) },
    async handle(request) {
      const { endpoints, total } = await listEndpoints(db, toOffsetAndLimit(request.args));
      return toListResponse(request, endpoints.map(toEndpointRecord), total);
    },
  });
  api.add({
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    args: EndpointCreation,
    answers: { 201: EndpointWithSecret },
    refusals: {
      409: {
        too_many_webhooks: `There can be at most ${ENDPOINTS_MAX} endpoints. Delete one that is no longer used.`,
      },
    },
    answerHeaders: ['Location'],
    async handle({ args, user }) {
      const options = { allowsPrivate, actor: user?.login ?? '' };
      const { endpoint, secret } = await createEndpoint(platform, args, options);
      const location = api.getUrl(`/webhooks/${endpoint.id}`);
      return {
        status: 201,
        body: { ...toEndpointRecord(endpoint), secret },
        headers: { location },
      };
    },
  });
  addItemRoutes(api, {
    path: '/webhooks',
    noun: 'webhook',
    record: EndpointRecord,
    readAccess: 'manage_options',
    toRecord: toEndpointRecord,
    update: EndpointUpdate,
    find: (id) => findEndpoint(db, id),
    change: (id, args, user, assertUnchanged) =>
      changeEndpoint(platform, id, args, {
        allowsPrivate,
        actor: user?.login ?? '',
        assertUnchanged,
      }),
    remove: (id, user) => removeEndpoint(platform, id, user?.login ?? ''),
  });
  api.add({
    method: 'POST',
    path: '/webhooks/{id}/secret',
    summary:
      'Rotate the secret of a webhook. Requests carry signatures of both secrets for a day; of the first and the newest if it is rotated again',
    answers: { 200: EndpointWithSecret },
    async handle({ id, user }) {
      const { endpoint, secret } = await rotateSecret(platform, id, user?.login ?? '');
      return { body: { ...toEndpointRecord(endpoint), secret } };
    },
  });
  api.add({
    method: 'GET',
    path: '/webhooks/event-types',
    summary: 'List event types of webhooks',
    args: wholeListArgs,
    answers: { 200: Type.Array(EventTypeRecord) },
    async handle(request) {
      return toWholeListResponse(request, listEventTypes());
    },
  });
}
