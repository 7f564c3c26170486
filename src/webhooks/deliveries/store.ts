import { type Selection, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { countRows, type Db, lockFreeRows, type Trx } from '../../platform/db/index.ts';
import { DAY_MS } from '../../platform/durations.ts';
import type { DeliveryStatus } from './rules.ts';

const COLUMNS = [
  'webhook_deliveries.id',
  'webhook_deliveries.endpoint_id as endpointId',
  'webhook_endpoints.url',
  'webhook_events.message_id as messageId',
  'webhook_events.type',
  'webhook_deliveries.status',
  'webhook_deliveries.attempts',
  'webhook_deliveries.due_at as dueAt',
  'webhook_deliveries.last_attempt_at as lastAttemptAt',
  'webhook_deliveries.last_status as lastStatus',
  'webhook_deliveries.last_error as lastError',
  'webhook_deliveries.last_response as lastResponse',
  'webhook_deliveries.delivered_at as deliveredAt',
  'webhook_deliveries.created_at as createdAt',
] as const;

type Tables = 'webhook_deliveries' | 'webhook_endpoints' | 'webhook_events';
/** A delivery of an event to an endpoint. Moments are in epoch milliseconds. */
export type Delivery = Selection<Database, Tables, (typeof COLUMNS)[number]>;

const selectDeliveries = (db: Db | Trx) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'webhook_deliveries.endpoint_id')
    .innerJoin('webhook_events', 'webhook_events.id', 'webhook_deliveries.event_id');

export interface DeliveryFilter {
  endpoint?: number | undefined;
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
}

/** Newest first, with their total. */
export async function listDeliveries(
  db: Db,
  { endpoint, status, type }: DeliveryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  let query = selectDeliveries(db);
  if (endpoint !== undefined) query = query.where('endpoint_id', '=', endpoint);
  if (status !== undefined) query = query.where('status', '=', status);
  if (type !== undefined) query = query.where('type', '=', type);
  const total = await countRows(query);
  const page = query.select(COLUMNS).orderBy('webhook_deliveries.id', 'desc');
  return { deliveries: await page.offset(offset).limit(limit).execute(), total };
}

/** A delivery with its payload. */
export const findDelivery = (
  db: Db | Trx,
  id: number,
): Promise<(Delivery & { payload: string; isRemoved: boolean }) | undefined> =>
  selectDeliveries(db)
    .select([...COLUMNS, 'webhook_events.payload', 'webhook_events.anonymised_at'])
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirst()
    .then((row) => row && { ...row, isRemoved: row.anonymised_at !== null });

/** The delivery of an event that was just queued for one endpoint. */
export async function findDeliveryOf(trx: Trx, messageId: string): Promise<number | undefined> {
  const row = await selectDeliveries(trx)
    .select('webhook_deliveries.id')
    .where('webhook_events.message_id', '=', messageId)
    .executeTakeFirst();
  return row?.id;
}

/** The active endpoints with deliveries that are due, or whose lease has expired. */
export async function listDueEndpoints(db: Db, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('is_active', '=', 1)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('endpoint_id', '=', 'webhook_endpoints.id')
          .where('due_at', '<=', now),
      ),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Makes deliveries due that were queued or last tried after a moment in the future: the clock was set back, and they
 * would be late by as much.
 */
export async function makeLateDeliveriesDue(
  trx: Trx,
  { now, after }: { now: number; after: number },
): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ due_at: now })
    // For the index.
    .where('endpoint_id', 'in', (eb) => eb.selectFrom('webhook_endpoints').select('id'))
    .where('due_at', '>', after)
    .where(sql`coalesce(last_attempt_at, created_at)`, '>', after)
    .execute();
}

/** A delivery that this node may try until the lease ends. */
export interface LeasedDelivery {
  id: number;
  endpointId: number;
  attempts: number;
  leaseUntil: number;
}

/** Leases the deliveries of an endpoint that have been due longest. */
export async function leaseDeliveries(
  trx: Trx,
  { endpointId, limit, now, leaseUntil }: LeaseRequest,
): Promise<LeasedDelivery[]> {
  const due = trx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('endpoint_id', '=', endpointId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit);
  const ids = (await lockFreeRows(trx, due).execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable('webhook_deliveries')
    .set((eb) => ({
      status: 'sending',
      due_at: leaseUntil,
      attempts: eb('attempts', '+', 1),
      last_attempt_at: now,
    }))
    .where('id', 'in', ids)
    .returning(['id', 'attempts'])
    .execute();
  return rows
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, attempts }) => ({ id, attempts, endpointId, leaseUntil }));
}

interface LeaseRequest {
  endpointId: number;
  limit: number;
  now: number;
  leaseUntil: number;
}

/** What an attempt came to. */
export interface AttemptResult {
  status: number | null;
  response: string | null;
  /** Null if it succeeded. */
  error: string | null;
}

/** Without effect if the lease has expired and another node has taken the delivery over. */
const updateLeased = (trx: Trx, { id, leaseUntil }: LeasedDelivery) =>
  trx
    .updateTable('webhook_deliveries')
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .where('due_at', '=', leaseUntil);

const toColumns = ({ status, response, error }: AttemptResult) => ({
  last_status: status,
  last_response: response,
  last_error: error,
});

export async function markDelivered(
  trx: Trx,
  leased: LeasedDelivery,
  result: AttemptResult,
  now: number,
): Promise<void> {
  await updateLeased(trx, leased)
    .set({ ...toColumns(result), status: 'delivered', due_at: null, delivered_at: now })
    .execute();
}

/** Records a failed attempt. Without a next attempt the delivery has failed. */
export async function markFailed(
  trx: Trx,
  leased: LeasedDelivery,
  result: AttemptResult,
  nextAt: number | undefined,
): Promise<void> {
  await updateLeased(trx, leased)
    .set({
      ...toColumns(result),
      status: nextAt === undefined ? 'failed' : 'pending',
      due_at: nextAt ?? null,
    })
    .execute();
}

/** Gives a delivery back that was not tried to the end, for any node. */
export async function releaseDelivery(trx: Trx, leased: LeasedDelivery, now: number) {
  await updateLeased(trx, leased)
    .set((eb) => ({ status: 'pending', due_at: now, attempts: eb('attempts', '-', 1) }))
    .execute();
}

/** Ends the deliveries of an endpoint that wait for an attempt. */
export async function failPending(trx: Trx, endpointId: number, error: string): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', due_at: null, last_error: error })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute();
}

const INACTIVE = 'The endpoint is inactive.';

/** Deliveries of inactive endpoints that are due: their node died, or they were queued while the endpoint was deactivated. */
const selectAbandoned = (db: Db | Trx, now: number) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'endpoint_id')
    .select('webhook_deliveries.id')
    .where('is_active', '=', 0)
    .where('due_at', '<=', now);

export const hasAbandoned = async (db: Db, now: number): Promise<boolean> =>
  (await selectAbandoned(db, now).limit(1).executeTakeFirst()) !== undefined;

/** Ends them, so that they are not sent when the endpoint is active again. */
export async function failAbandoned(trx: Trx, now: number): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', due_at: null, last_error: INACTIVE })
    .where('id', 'in', selectAbandoned(trx, now))
    .execute();
}

/** Queues a delivery again, with the first of all attempts, unless it is being sent. */
export async function requeueDelivery(trx: Trx, id: number, now: number): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', due_at: now, attempts: 0 })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('status', '!=', 'sending'), eb('due_at', '<=', now)]))
    .execute();
}

/**
 * Queues the deliveries of an endpoint again that have failed or wait for a later attempt, and whose events are from a
 * moment on and have their data.
 * @returns their number
 */
export async function requeueFailed(
  trx: Trx,
  { endpointId, since, now }: { endpointId: number; since: number; now: number },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', due_at: now, attempts: 0 })
    .where('endpoint_id', '=', endpointId)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'failed'),
        eb.and([eb('status', '=', 'pending'), eb('due_at', '>', now)]),
      ]),
    )
    .where('created_at', '>=', since)
    .where('event_id', 'not in', (eb) =>
      eb.selectFrom('webhook_events').select('id').where('anonymised_at', 'is not', null),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deliveries of active endpoints that wait for an attempt. */
export async function countWaiting(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('webhook_endpoints')
    .innerJoin('webhook_deliveries', 'endpoint_id', 'webhook_endpoints.id')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('is_active', '=', 1)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/**
 * Deliveries that have failed for good, by the day of their last attempt; those without one by the day of their event.
 * @param from the first day; days since 1970 in UTC
 */
export async function countFailedDeliveries(
  db: Db,
  from: number,
): Promise<ReadonlyMap<number, number>> {
  const at = sql<number>`coalesce(last_attempt_at, created_at)`;
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => [
      sql<number>`${at} / ${sql.lit(DAY_MS)}`.as('day'),
      fn.countAll<number>().as('failed'),
    ])
    .where('status', '=', 'failed')
    .where(at, '>=', from * DAY_MS)
    .groupBy(sql`1`)
    .execute();
  return new Map(rows.map(({ day, failed }) => [Number(day), Number(failed)]));
}
