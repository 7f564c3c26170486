import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Condition, Db, Trx } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { type CamelCased, toCamelCase } from '../../../platform/key-case.ts';
import type { CheckoutOrderTable } from '../tables.ts';

export type CheckoutOrder = CamelCased<Selectable<CheckoutOrderTable>>;

/** Whether an order can still be paid. */
export const isOrderOpen = (at: number): Condition => sql`(
  checkout_orders.expires_at > ${at} and not exists (
    select 1 from purchases where purchases.session_id = checkout_orders.session_id))`;

/** Inserts an order, or returns the existing one of its idempotency key. */
export async function ensureOrder(
  trx: Trx,
  values: Insertable<CheckoutOrderTable>,
): Promise<CheckoutOrder> {
  await trx
    .insertInto('checkout_orders')
    .values(values)
    .onConflict((conflict) => conflict.column('idempotency_hash').doNothing())
    .execute();
  const row = await trx
    .selectFrom('checkout_orders')
    .selectAll()
    .where((order) =>
      values.idempotency_hash
        ? order('idempotency_hash', '=', values.idempotency_hash)
        : order('public_id', '=', values.public_id),
    )
    .executeTakeFirstOrThrow();
  return toCamelCase(row);
}

/** The orders of a licence that can still be paid. */
export async function listOpenOrders(
  trx: Trx,
  { licence, except, now }: { licence: string; except: number; now: number },
): Promise<CheckoutOrder[]> {
  const rows = await trx
    .selectFrom('checkout_orders')
    .selectAll()
    .where('licence', '=', licence)
    .where('id', '!=', except)
    .where(sql<boolean>`${isOrderOpen(now)}`)
    .execute();
  return rows.map(toCamelCase);
}

/** @returns false if another order has replaced this one in the meantime */
export async function saveSession(
  db: Db,
  orderId: number,
  { id, url, expiresAt }: { id: string; url: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkout_orders')
    .set({ session_id: id, url, expires_at: expiresAt })
    .where('id', '=', orderId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}

export async function updateOrder(
  db: Db | Trx,
  id: number,
  values: Updateable<CheckoutOrderTable>,
): Promise<void> {
  await db.updateTable('checkout_orders').set(values).where('id', '=', id).execute();
}

export async function findOrder(
  db: Db | Trx,
  by: { publicId: string } | { sessionId: string },
): Promise<CheckoutOrder | undefined> {
  const [column, value] =
    'publicId' in by
      ? (['public_id', by.publicId] as const)
      : (['session_id', by.sessionId] as const);
  const row = await db
    .selectFrom('checkout_orders')
    .selectAll()
    .where(column, '=', value)
    .executeTakeFirst();
  return row && toCamelCase(row);
}

/** Makes an idempotency key available again, if its order is a day old or another checkout has closed it. */
export async function releaseIdempotencyKey(trx: Trx, hash: string, now: number): Promise<void> {
  await trx
    .updateTable('checkout_orders')
    .set({ idempotency_hash: null })
    .where('idempotency_hash', '=', hash)
    .where((order) =>
      order.or([order('created_at', '<=', now - DAY_MS), order('expires_at', '<=', now)]),
    )
    .execute();
}

export async function deleteOrders(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('checkout_orders').where('created_at', '<', before).execute();
}
