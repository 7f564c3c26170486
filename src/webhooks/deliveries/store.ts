import { type RawBuilder, type Selection, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { countRows, type Db, lockFreeRows, type Trx, unindexed } from '../../platform/db/index.ts';
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
  const filtered = (endpointId: RawBuilder<unknown>) => {
    const endpoints = db.selectFrom('webhook_endpoints').select('webhook_endpoints.id');
    let query = db.selectFrom('webhook_deliveries');
    query =
      endpoint === undefined
        ? query.where(endpointId, 'in', endpoints)
        : query.where(endpointId, '=', endpoints.where('id', '=', endpoint));
    if (status !== undefined) query = query.where('status', '=', status);
    if (type === undefined) return query;
    const events = db.selectFrom('webhook_events').select('webhook_events.id');
    return query.where('event_id', 'in', events.where('type', '=', type));
  };
  const indexed = sql.ref('endpoint_id');
  const total = await countRows(filtered(indexed));
  const isOrdered = endpoint !== undefined && status !== undefined;
  const ids = filtered(isOrdered ? indexed : unindexed(db, 'endpoint_id'))
    .select('webhook_deliveries.id')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit);
  const deliveries = await selectDeliveries(db)
    .select(COLUMNS)
    .where('webhook_deliveries.id', 'in', ids)
    .orderBy('webhook_deliveries.id', 'desc')
    .execute();
  return { deliveries, total };
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

/**
 * The active endpoints with deliveries that are due, or whose lease has expired.
 * @param isActive false: the inactive ones, whose node died, or to which events were queued while they were deactivated
 */
export async function listDueEndpoints(db: Db, now: number, isActive = true): Promise<number[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('is_active', '=', isActive ? 1 : 0)
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

/** Queues a delivery again, with the first of all attempts. @returns false if it is being sent */
export async function requeueDelivery(trx: Trx, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', due_at: now, attempts: 0 })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('status', '!=', 'sending'), eb('due_at', '<=', now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deliveries of active endpoints that wait for an attempt. */
export const countWaiting = (db: Db): Promise<number> =>
  countRows(
    db
      .selectFrom('webhook_endpoints')
      .innerJoin('webhook_deliveries', 'endpoint_id', 'webhook_endpoints.id')
      .where('is_active', '=', 1)
      .where('due_at', 'is not', null),
  );

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
