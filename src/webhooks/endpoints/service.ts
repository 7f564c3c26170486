import type { Static } from 'typebox';
import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import { type Announce, lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError, InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import type { AssertUnchanged } from '../../platform/rest/items.ts';
import { deleteDeliveries, endDeliveries, endSome } from '../deliveries/bulk/store.ts';
import type { EventType } from '../event-types.ts';
import { ENDPOINTS_CHANGED } from '../events/subscriptions.ts';
import {
  createSecret,
  DEACTIVATED,
  ENDPOINTS_MAX,
  type Endpoint,
  findUrlProblem,
  type InactiveReason,
  SECRET_OVERLAP_MS,
} from './rules.ts';
import type { EndpointCreation, EndpointUpdate } from './schemas.ts';
import { sealSecret } from './secrets.ts';
import {
  deleteEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  replaceSecret,
  updateEndpoint,
} from './store.ts';

/** The only place where the secret exists in clear. */
export interface EndpointWithSecret {
  endpoint: Endpoint;
  /** `whsec_…` */
  secret: string;
}

/**
 * @param allowsPrivate whether private networks and http are allowed
 * @throws InvalidFieldError for an address that cannot receive webhooks, and without event types; DomainError
 * `too_many_webhooks`
 */
export async function createEndpoint(
  platform: Platform,
  {
    url,
    description = '',
    event_types,
    is_active: isActive = true,
  }: Static<typeof EndpointCreation>,
  { allowsPrivate, actor }: { allowsPrivate: boolean; actor: string },
): Promise<EndpointWithSecret> {
  assertUrl(url, allowsPrivate);
  const secret = createSecret();
  const now = platform.clock.now();
  return platform.datastore.transaction(async (trx, announce) => {
    await lockName(trx, 'webhook endpoints');
    const { total } = await listEndpoints(trx, { offset: 0, limit: 0 });
    if (total >= ENDPOINTS_MAX) {
      const message = `There can be at most ${ENDPOINTS_MAX} endpoints. Delete one that is no longer used.`;
      throw new DomainError('conflict', 'too_many_webhooks', message);
    }
    const endpoint = await insertEndpoint(trx, {
      url,
      description,
      event_types: toStoredTypes(event_types),
      secret: sealSecret(platform.secret, secret),
      is_active: isActive ? 1 : 0,
      inactive_reason: isActive ? null : 'by_hand',
      created_at: now,
      updated_at: now,
    });
    await record(trx, announce, endpoint, { action: 'created', actor, now });
    return { endpoint, secret };
  });
}

/**
 * Deactivating ends the deliveries that wait for an attempt. A request that changes nothing is not recorded.
 * @throws NotFoundError; InvalidFieldError as for a new endpoint
 */
export async function changeEndpoint(
  platform: Platform,
  id: number,
  edits: Static<typeof EndpointUpdate>,
  {
    allowsPrivate,
    actor,
    assertUnchanged,
  }: { allowsPrivate: boolean; actor: string; assertUnchanged: AssertUnchanged<Endpoint> },
): Promise<Endpoint> {
  const { url, event_types, is_active: isActive } = edits;
  // null clears it.
  const description = edits.description === null ? '' : edits.description;
  if (url !== undefined) assertUrl(url, allowsPrivate);
  const eventTypes = event_types && toStoredTypes(event_types);
  const now = platform.clock.now();
  const ending = { endpointId: id, error: DEACTIVATED.by_hand, now };
  // What a process that ended has left.
  if (isActive) await endDeliveries(platform.datastore, ending);
  const changed = await change(platform, id, async (trx, announce, before) => {
    assertUnchanged(before);
    const isSwitched = isActive !== undefined && isActive !== before.isActive;
    const isSame =
      !isSwitched &&
      [undefined, before.url].includes(url) &&
      [undefined, before.description].includes(description) &&
      [undefined, JSON.stringify(before.eventTypes)].includes(eventTypes);
    if (isSame) return before;
    if (isSwitched && isActive) while (await endSome(trx, ending));
    const endpoint = await updateEndpoint(trx, id, {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(eventTypes !== undefined && { event_types: eventTypes }),
      ...(isSwitched && {
        is_active: isActive ? (1 as const) : (0 as const),
        inactive_reason: isActive ? null : ('by_hand' as const),
      }),
      // What failed at another address says nothing about this one.
      ...((isSwitched || (url !== undefined && url !== before.url)) && { failing_since: null }),
      updated_at: now,
    });
    const action = !isSwitched ? 'updated' : isActive ? 'activated' : 'deactivated';
    await record(trx, announce, endpoint, { action, actor, now });
    return endpoint;
  });
  if (isActive === false) await endDeliveries(platform.datastore, ending);
  return changed;
}

/**
 * Deletes an endpoint, then its delivery log. What a process that ends leaves of it is shown nowhere, and deleted with the events.
 * @throws NotFoundError
 */
export async function removeEndpoint(
  platform: Platform,
  id: number,
  actor: string,
): Promise<Endpoint> {
  const removed = await change(platform, id, async (trx, announce, endpoint) => {
    await deleteEndpoint(trx, id);
    await record(trx, announce, endpoint, { action: 'deleted', actor, now: platform.clock.now() });
    return endpoint;
  });
  await deleteDeliveries(platform.datastore, id);
  return removed;
}

/** Creates a new secret. The current one signs as well for a day; see `replaceSecret`. @throws NotFoundError */
export function rotateSecret(
  platform: Platform,
  id: number,
  actor: string,
): Promise<EndpointWithSecret> {
  return change(platform, id, async (trx, announce) => {
    const secret = createSecret();
    const now = platform.clock.now();
    const endpoint = await replaceSecret(trx, id, {
      secret: sealSecret(platform.secret, secret),
      previousUntil: now + SECRET_OVERLAP_MS,
      now,
    });
    await record(trx, announce, endpoint, { action: 'secret_rotated', actor, now });
    return { endpoint, secret };
  });
}

/** Deactivates an endpoint that cannot receive events. Its deliveries are to be ended then. */
export async function deactivateEndpoint(
  trx: Trx,
  announce: Announce,
  id: number,
  { reason, now }: { reason: Exclude<InactiveReason, 'by_hand'>; now: number },
): Promise<void> {
  const before = await lockEndpoint(trx, id);
  if (!before?.isActive) return;
  const values = { is_active: 0, inactive_reason: reason, updated_at: now } as const;
  const endpoint = await updateEndpoint(trx, id, values);
  await record(trx, announce, endpoint, { action: `deactivated_${reason}`, actor: 'system', now });
}

function change<T>(
  { datastore }: Platform,
  id: number,
  apply: (trx: Trx, announce: Announce, before: Endpoint) => Promise<T>,
): Promise<T> {
  return datastore.transaction(async (trx, announce) => {
    const before = await lockEndpoint(trx, id);
    if (!before) throw new NotFoundError('The webhook endpoint');
    return apply(trx, announce, before);
  });
}

/** The path of the URL may hold a secret of the receiver, so the log has the host only. */
async function record(
  trx: Trx,
  announce: Announce,
  { id, url }: Endpoint,
  { action, actor, now }: { action: string; actor: string; now: number },
): Promise<void> {
  const details = { action, endpoint: id, host: new URL(url).host };
  await appendSecurityEvent(trx, { event: 'webhook_changed', actor, details }, now);
  announce(ENDPOINTS_CHANGED, String(id));
}

function toStoredTypes(types: readonly EventType[]): string {
  if (types.length > 0) return JSON.stringify([...new Set(types)]);
  throw new InvalidFieldError('event_types', 'Choose at least one event type.');
}

function assertUrl(url: string, allowsPrivate: boolean): void {
  const problem = findUrlProblem(url, allowsPrivate);
  if (problem !== undefined) throw new InvalidFieldError('url', problem);
}
