import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Datastore, Trx } from '../../../platform/db/index.ts';

/**
 * A log can have millions of deliveries. Others wait for a transaction, and PostgreSQL ends long statements; it also passes over what
 * the parts before have changed, so many small ones take longer.
 */
const AT_ONCE = 5_000;

type Deliveries = ExpressionBuilder<Database, 'webhook_deliveries'>;

/**
 * The ids of some deliveries, for the statement that changes them. As a part of that statement, PostgreSQL may search them again for
 * each row that it changes, where its statistics are older than the rows.
 */
async function listSome(
  query: SelectQueryBuilder<Database, 'webhook_deliveries', object>,
): Promise<number[]> {
  const rows = await query.select('id').limit(AT_ONCE).execute();
  return rows.map(({ id }) => id);
}

/**
 * Ends the deliveries of an inactive endpoint that wait for an attempt, or whose node has died. Stops if the endpoint is active
 * again.
 */
export async function endDeliveries(datastore: Datastore, ending: Ending): Promise<void> {
  while (await datastore.transaction((trx) => endSome(trx, ending)));
}

export interface Ending {
  endpointId: number;
  error: string;
  now: number;
}

/** @returns whether there may be more */
export async function endSome(trx: Trx, { endpointId, error, now }: Ending): Promise<boolean> {
  const isWaiting = (eb: Deliveries) =>
    eb.and([
      eb('due_at', 'is not', null),
      eb.or([eb('status', '=', 'pending'), eb('due_at', '<=', now)]),
      eb.exists(
        eb
          .selectFrom('webhook_endpoints')
          .select('webhook_endpoints.id')
          .where('webhook_endpoints.id', '=', endpointId)
          .where('is_active', '=', 0),
      ),
    ]);
  const waiting = trx
    .selectFrom('webhook_deliveries')
    .where('endpoint_id', '=', endpointId)
    .where(isWaiting)
    // For the index.
    .orderBy('due_at');
  const ids = await listSome(waiting);
  if (ids.length === 0) return false;
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', due_at: null, last_error: error })
    .where('id', 'in', ids)
    .where(isWaiting)
    .execute();
  return ids.length === AT_ONCE;
}

/**
 * Queues some deliveries of an endpoint again that have failed or wait for a later attempt, and whose events are from a moment on
 * and have their data.
 * @param after the last id of those before
 * @returns their ids
 */
export async function requeueSome(
  trx: Trx,
  { endpointId, status, since, now }: Requeueing,
  after: number,
): Promise<number[]> {
  let due = trx
    .selectFrom('webhook_deliveries')
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', status)
    .where('id', '>', after)
    .where('created_at', '>=', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_events')
            .select('webhook_events.id')
            .whereRef('webhook_events.id', '=', 'event_id')
            .where('anonymised_at', 'is not', null),
        ),
      ),
    );
  if (status === 'pending') due = due.where('due_at', '>', now);
  const ids = await listSome(due.orderBy('id'));
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', due_at: now, attempts: 0 })
    .where('id', 'in', ids)
    .where('status', '=', status)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export interface Requeueing {
  endpointId: number;
  status: 'failed' | 'pending';
  since: number;
  now: number;
}

/** Deletes the deliveries of an endpoint. */
export async function deleteDeliveries(datastore: Datastore, endpointId: number): Promise<void> {
  const deleteSome = async (trx: Trx) => {
    const ids = await listSome(
      trx.selectFrom('webhook_deliveries').where('endpoint_id', '=', endpointId),
    );
    if (ids.length > 0) await trx.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
    return ids.length === AT_ONCE;
  };
  while (await datastore.transaction(deleteSome));
}
