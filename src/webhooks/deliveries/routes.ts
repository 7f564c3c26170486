import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { parseMoment } from '../../platform/moments.ts';
import { toListResponse, toOffsetAndLimit } from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import {
  DeliveryQuery,
  DeliveryRecord,
  DeliveryWithPayload,
  FailedReplay,
  ReplayedCount,
  toDeliveryRecord,
  toDeliveryWithPayload,
} from './schemas.ts';
import { REFUSALS, replayDelivery, replayFailed, sendTestEvent } from './service.ts';
import { findDelivery, listDeliveries } from './store.ts';

const INACTIVE = { webhook_inactive: REFUSALS.webhook_inactive };

/** The delivery log: `/webhook-deliveries`, tests and replays. */
export function deliveryRoutes(api: RestApi, platform: Platform): void {
  const { db } = platform.datastore;
  api.add({
    method: 'GET',
    path: '/webhook-deliveries',
    summary: 'List webhook deliveries, newest first',
    args: DeliveryQuery,
    answers: { 200: Type.Array(DeliveryRecord) },
    async handle(request) {
      const { webhook: endpoint, status, type } = request.args;
      const filter = { endpoint, status, type };
      const page = toOffsetAndLimit(request.args);
      const { deliveries, total } = await listDeliveries(db, filter, page);
      return toListResponse(request, deliveries.map(toDeliveryRecord), total);
    },
  });
  api.add({
    method: 'GET',
    path: '/webhook-deliveries/{id}',
    summary: 'Get a webhook delivery with its payload',
    answers: { 200: DeliveryWithPayload },
    async handle({ id }) {
      const delivery = await findDelivery(db, id);
      if (!delivery) throw new NotFoundError('The webhook delivery');
      return { body: toDeliveryWithPayload(delivery) };
    },
  });
  api.add({
    method: 'POST',
    path: '/webhook-deliveries/{id}/replay',
    summary: 'Send an event again, under the same id',
    answers: { 200: DeliveryRecord },
    refusals: {
      409: REFUSALS,
    },
    async handle({ id, user }) {
      return { body: toDeliveryRecord(await replayDelivery(platform, id, user?.login ?? '')) };
    },
  });
  api.add({
    method: 'POST',
    path: '/webhooks/{id}/replay',
    summary: 'Send the failed deliveries of a webhook again, and now those that are to be retried',
    args: FailedReplay,
    answers: { 200: ReplayedCount },
    refusals: { 409: INACTIVE },
    async handle({ id, args: { since }, user }) {
      const scope = {
        endpointId: id,
        since: since === undefined ? 0 : parseMoment('since', since),
      };
      return { body: { queued: await replayFailed(platform, scope, user?.login ?? '') } };
    },
  });
  api.add({
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send a test event to a webhook',
    answers: { 201: DeliveryRecord },
    refusals: { 409: INACTIVE },
    async handle({ id, user }) {
      const delivery = await sendTestEvent(platform, id, user?.login ?? '');
      return { status: 201, body: toDeliveryRecord(delivery) };
    },
  });
}
