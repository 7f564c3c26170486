import type { Platform } from '../platform/deps.ts';
import type { RestApi } from '../platform/rest/rest-api.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { endpointRoutes } from './endpoints/routes.ts';

export { toDeliveryRecord } from './deliveries/schemas.ts';
export { replayDelivery, replayFailed } from './deliveries/service.ts';
export { countFailedDeliveries } from './deliveries/store.ts';
export { WebhookSender } from './deliveries/worker.ts';
export { EndpointCreation, toEndpointRecord } from './endpoints/schemas.ts';
export { createEndpoint } from './endpoints/service.ts';
export { listEndpoints } from './endpoints/store.ts';
export { EVENT_TYPES, type EventType } from './event-types.ts';
export { webhookEvents } from './events/retention.ts';
export {
  type EventContent,
  hasQueuedOnce,
  queueEventOnce,
  queueEvents,
} from './events/service.ts';
export { deleteOnceKeys } from './events/store.ts';
export { WebhookSubscriptions } from './events/subscriptions.ts';

/** `/webhooks` */
export function webhookRoutes(
  api: RestApi,
  platform: Platform,
  options: { allowsPrivate: boolean },
): void {
  endpointRoutes(api, platform, options);
  deliveryRoutes(api, platform);
}
