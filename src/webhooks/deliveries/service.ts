import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError, NotFoundError } from '../../platform/errors.ts';
import type { Endpoint } from '../endpoints/rules.ts';
import { lockEndpoint } from '../endpoints/store.ts';
import { TEST_EVENT } from '../event-types.ts';
import { toNewEvent, WEBHOOKS_QUEUED } from '../events/service.ts';
import { insertEvents } from '../events/store.ts';
import { requeueSome } from './bulk/store.ts';
import { type Delivery, findDelivery, findDeliveryOf, requeueDelivery } from './store.ts';

/** Why events are not sent, by code. */
export const REFUSALS = {
  webhook_inactive: 'The endpoint is inactive. Activate it, then send the event.',
  webhook_data_removed: 'The data of the event has been removed, so it cannot be sent again.',
  webhook_sending: 'An attempt is running. Send the event again in 30 seconds.',
} as const;

/**
 * Queues an event that only tests an endpoint.
 * @throws NotFoundError; DomainError `webhook_inactive`
 */
export function sendTestEvent(platform: Platform, id: number, actor: string): Promise<Delivery> {
  const now = platform.clock.now();
  return platform.datastore.transaction(async (trx, announce) => {
    await getActiveEndpoint(trx, id);
    const event = toNewEvent(TEST_EVENT, now, { data: { endpoint_id: id } });
    await insertEvents(trx, [event], [id]);
    await record(trx, announce, { action: 'test_sent', endpoint: id }, { actor, now });
    return getDelivery(trx, (await findDeliveryOf(trx, event.messageId)) ?? 0);
  });
}

/**
 * Sends an event to its endpoint again, under the same id.
 * @throws NotFoundError; DomainError `webhook_inactive`, `webhook_data_removed`, `webhook_sending`
 */
export function replayDelivery(platform: Platform, id: number, actor: string): Promise<Delivery> {
  const now = platform.clock.now();
  return platform.datastore.transaction(async (trx, announce) => {
    const { endpointId, isRemoved } = await getDelivery(trx, id);
    await getActiveEndpoint(trx, endpointId);
    if (isRemoved) {
      throw new DomainError('conflict', 'webhook_data_removed', REFUSALS.webhook_data_removed);
    }
    if (!(await requeueDelivery(trx, id, now))) {
      throw new DomainError('conflict', 'webhook_sending', REFUSALS.webhook_sending);
    }
    const details = { action: 'sent_again', endpoint: endpointId, delivery: id };
    await record(trx, announce, details, { actor, now });
    return getDelivery(trx, id);
  });
}

/**
 * Sends the deliveries of an endpoint again that have failed, and at once those that wait for their next attempt.
 * @param since epoch milliseconds; earlier events stay as they are
 * @returns their number
 * @throws NotFoundError; DomainError `webhook_inactive`
 */
export async function replayFailed(
  { datastore, clock }: Platform,
  { endpointId, since }: { endpointId: number; since: number },
  actor: string,
): Promise<number> {
  const now = clock.now();
  let queued = 0;
  // Those that wait first: a failed one waits after this.
  for (const status of ['pending', 'failed'] as const) {
    for (let last: number | undefined = 0; last !== undefined; ) {
      const after: number = last;
      const ids = await datastore.transaction(async (trx) => {
        await getActiveEndpoint(trx, endpointId);
        return requeueSome(trx, { endpointId, status, since, now }, after);
      });
      queued += ids.length;
      last = ids.length > 0 ? Math.max(...ids) : undefined;
    }
  }
  await datastore.transaction(async (trx, announce) => {
    const details = { action: 'failed_sent_again', endpoint: endpointId, records: queued };
    await record(trx, announce, details, { actor, now });
  });
  return queued;
}

async function getDelivery(trx: Trx, id: number) {
  const delivery = await findDelivery(trx, id);
  if (!delivery) throw new NotFoundError('The webhook delivery');
  return delivery;
}

async function getActiveEndpoint(trx: Trx, id: number): Promise<Endpoint> {
  const endpoint = await lockEndpoint(trx, id);
  if (!endpoint) throw new NotFoundError('The webhook endpoint');
  if (endpoint.isActive) return endpoint;
  throw new DomainError('conflict', 'webhook_inactive', REFUSALS.webhook_inactive);
}

async function record(
  trx: Trx,
  announce: Announce,
  details: Readonly<Record<string, unknown>>,
  { actor, now }: { actor: string; now: number },
): Promise<void> {
  await appendSecurityEvent(trx, { event: 'webhook_changed', actor, details }, now);
  announce(WEBHOOKS_QUEUED, String(details.endpoint));
}
