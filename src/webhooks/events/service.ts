import { toIsoMoment } from '../../platform/clock.ts';
import { randomAlphanumeric } from '../../platform/crypto/random.ts';
import type { Announce, Db, Trx } from '../../platform/db/index.ts';
import { listSubscriptions } from '../endpoints/store.ts';
import type { EventType } from '../event-types.ts';
import { hasOnceKey, insertEvents, insertOnceKey, type NewEvent } from './store.ts';

/** A topic of `onChange`. */
export const WEBHOOKS_QUEUED = 'webhooks';

export interface EventContent {
  /** The member `data` of the payload. */
  data: Readonly<Record<string, unknown>>;
  /** The person that the event is about, so that an erasure finds it. */
  email?: string | null | undefined;
  visitorId?: string | null | undefined;
}

/**
 * Queues events of one type for every active endpoint that receives it. They are sent if the transaction commits, also
 * after a crash, each with an id that stays the same.
 * @param event.at epoch milliseconds
 * @param describe gives the events; called only if an endpoint receives the type
 */
export async function queueEvents(
  trx: Trx,
  announce: Announce,
  { type, at }: { type: EventType; at: number },
  describe: () => readonly EventContent[] | Promise<readonly EventContent[]>,
): Promise<void> {
  const endpoints = await listReceivers(trx, type);
  if (endpoints.length === 0) return;
  const events = (await describe()).map((content) => toNewEvent(type, at, content));
  if (events.length === 0) return;
  await insertEvents(trx, events, endpoints);
  announce(WEBHOOKS_QUEUED, type);
}

/**
 * `queueEvents` for an event that is queued once.
 * @param once identifies it until a moment in epoch milliseconds
 */
export async function queueEventOnce(
  trx: Trx,
  announce: Announce,
  { type, at, once }: { type: EventType; at: number; once: { key: string; until: number } },
  describe: () => EventContent | Promise<EventContent>,
): Promise<void> {
  const isWanted = (await listReceivers(trx, type)).length > 0;
  if (!isWanted || !(await insertOnceKey(trx, toOnceKey(type, once.key), once.until))) return;
  await queueEvents(trx, announce, { type, at }, async () => [await describe()]);
}

/** Whether an event was queued once under this key. */
export const hasQueuedOnce = (db: Db, type: EventType, key: string): Promise<boolean> =>
  hasOnceKey(db, toOnceKey(type, key));

const toOnceKey = (type: EventType, key: string): string => `${type} ${key}`;

export const toNewEvent = (
  type: string,
  at: number,
  { data, email = null, visitorId = null }: EventContent,
): NewEvent => ({
  messageId: `msg_${randomAlphanumeric(24)}`,
  type,
  payload: JSON.stringify({ type, timestamp: toIsoMoment(at), data }),
  email,
  visitorId,
  createdAt: at,
});

async function listReceivers(trx: Trx, type: EventType): Promise<number[]> {
  const subscriptions = await listSubscriptions(trx);
  return subscriptions.filter(({ eventTypes }) => eventTypes.includes(type)).map(({ id }) => id);
}
