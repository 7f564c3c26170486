import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as deliveries from '../../../../src/webhooks/deliveries/schemas.ts';
import type * as endpoints from '../../../../src/webhooks/endpoints/schemas.ts';
import { get, getRecord, list, type Query } from '../../api/client.ts';

export type Webhook = Static<typeof endpoints.EndpointRecord>;
export type WebhookWithSecret = Static<typeof endpoints.EndpointWithSecret>;
export type EventTypeName = Webhook['event_types'][number];
export type EventType = Static<typeof endpoints.EventTypeRecord>;
export type Delivery = Static<typeof deliveries.DeliveryRecord>;
export type DeliveryWithPayload = Static<typeof deliveries.DeliveryWithPayload>;

export const STALE = [['webhooks']] as const;
export const DELIVERIES_PER_PAGE = 25;
/** While deliveries wait for an attempt, or are sent. */
const REFRESH_MS = 3_000;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'all'],
  queryFn: () => list<Webhook>('/webhooks', { per_page: 100 }),
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: () => getRecord<Webhook>(`/webhooks/${id}`),
  });

export const eventTypesQuery = queryOptions({
  queryKey: ['webhook-event-types'],
  queryFn: () => get<EventType[]>('/webhooks/event-types'),
});

export const deliveriesQuery = (filter: Query, page: number) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', filter, page],
    queryFn: () =>
      list<Delivery>('/webhook-deliveries', { ...filter, page, per_page: DELIVERIES_PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ status }) => status === 'pending' || status === 'sending')
        ? REFRESH_MS
        : false,
  });

export const deliveryQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: () => get<DeliveryWithPayload>(`/webhook-deliveries/${id}`),
  });
