import { type Static, type TProperties, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { toRecord } from '../../platform/http/record.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import { DELIVERY_STATUSES } from './rules.ts';
import type { Delivery } from './store.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';

export const DeliveryQuery = Type.Object({
  webhook: Type.Optional(Type.Integer({ minimum: 1, description: 'The id of a webhook.' })),
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  type: Type.Optional(Text(60, { description: 'An event type, for example `licence.issued`.' })),
  ...paginationArgs(),
});

const fields = {
  id: Type.Integer(),
  webhook_id: Type.Integer(),
  url: Type.String({ description: 'The current URL of the webhook.' }),
  message_id: Type.String({
    description: 'The header `webhook-id`: the same for every attempt and every webhook.',
    examples: ['msg_p5jXN8AQM9LWM0D4loKWxJek'],
  }),
  type: Type.String({ examples: ['licence.issued'] }),
  status: OneOf(DELIVERY_STATUSES, {
    description:
      '`pending`: waits for its first or next attempt. `sending`: an attempt runs. `failed`: there is no further attempt.',
  }),
  attempts: Type.Integer({ description: 'Since it was queued, or last sent again by hand.' }),
  next_attempt_at: nullable(Moment('The next attempt; null unless it is pending.', EXAMPLE)),
  last_attempt_at: nullable(Moment('The latest attempt.', EXAMPLE)),
  last_status: nullable(
    Type.Integer({ description: 'HTTP status of the latest response; null without a response.' }),
  ),
  last_error: nullable(
    Type.String({ description: 'Why the latest attempt failed; null if it succeeded.' }),
  ),
  last_response: nullable(Type.String({ description: 'The first 2 KB of the latest response.' })),
  delivered_at: nullable(Moment('When it was last delivered.', EXAMPLE)),
  created_at: Moment('When the event happened.', EXAMPLE),
} satisfies TProperties;

export const DeliveryRecord = Type.Object(fields, {
  title: 'WebhookDelivery',
  description: 'An event for one webhook.',
});

export const DeliveryWithPayload = Type.Object(
  {
    ...fields,
    payload: nullable(
      Type.Object(
        {
          type: Type.String({ description: 'The event type.' }),
          timestamp: Moment('When the event happened.', EXAMPLE),
          data: Type.Record(Type.String(), Type.Unknown()),
        },
        { description: 'The body of the request; null after the data was removed.' },
      ),
    ),
  },
  { title: 'WebhookDeliveryWithPayload' },
);

export const toDeliveryRecord = (delivery: Delivery): Static<typeof DeliveryRecord> =>
  toRecord(DeliveryRecord, {
    ...delivery,
    webhookId: delivery.endpointId,
    nextAttemptAt: delivery.status === 'pending' ? toIsoMomentOrNull(delivery.dueAt) : null,
    lastAttemptAt: toIsoMomentOrNull(delivery.lastAttemptAt),
    deliveredAt: toIsoMomentOrNull(delivery.deliveredAt),
    createdAt: toIsoMoment(delivery.createdAt),
  });

export const toDeliveryWithPayload = (
  delivery: Delivery & { payload: string; isRemoved: boolean },
): Static<typeof DeliveryWithPayload> => ({
  ...toDeliveryRecord(delivery),
  payload: delivery.isRemoved ? null : JSON.parse(delivery.payload),
});

export const FailedReplay = Type.Object(
  {
    since: Type.Optional(
      Moment('Events from this moment on. Default: all that are still in the delivery log.'),
    ),
  },
  { title: 'WebhookReplay' },
);

export const ReplayedCount = Type.Object(
  { queued: Type.Integer({ description: 'The number of deliveries that are sent again.' }) },
  { title: 'WebhookReplayed' },
);
