import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type Condition, type Db, lockName, type Trx } from '../../platform/db/index.ts';
import { findLicenceWithCustomer, type Licence } from '../licences/index.ts';
import type { Fact, RecordedFact } from './facts.ts';
import type { Replaced } from './rules.ts';
import type { CheckoutOrderTable, PurchaseTable } from './tables.ts';

export interface CheckoutOrder {
  id: number;
  publicId: string;
  requestHash: string;
  provider: 'stripe' | 'test';
  tier: CheckoutOrderTable['tier'];
  interval: CheckoutOrderTable['billing_interval'];
  quantity: number;
  licence: string | null;
  sessionId: string | null;
  url: string | null;
  email: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  createdAt: number;
  expiresAt: number;
}

const toOrder = (row: Selectable<CheckoutOrderTable>): CheckoutOrder => ({
  id: row.id,
  publicId: row.public_id,
  requestHash: row.request_hash,
  provider: row.provider,
  tier: row.tier,
  interval: row.billing_interval,
  quantity: row.quantity,
  licence: row.licence,
  sessionId: row.session_id,
  url: row.url,
  email: row.email,
  successUrl: row.success_url,
  cancelUrl: row.cancel_url,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Whether an order can still be paid. */
export const isOrderOpen = (at: number): Condition => sql`(
  checkout_orders.expires_at > ${at} and not exists (
    select 1 from purchases where purchases.session_id = checkout_orders.session_id))`;

/** Adds an order, or gives the one that was made with its idempotency key. */
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
  return toOrder(row);
}

/** The orders of a licence that can still be paid, but for one. */
export async function listOpenOrders(
  trx: Trx,
  { licence, but, now }: { licence: string; but: number; now: number },
): Promise<CheckoutOrder[]> {
  const rows = await trx
    .selectFrom('checkout_orders')
    .selectAll()
    .where('licence', '=', licence)
    .where('id', '!=', but)
    .where(sql<boolean>`${isOrderOpen(now)}`)
    .execute();
  return rows.map(toOrder);
}

/** Keeps the session of an order that nothing has replaced meanwhile. @returns whether that is so */
export async function saveSession(
  db: Db,
  {
    id,
    sessionId,
    url,
    expiresAt,
    now,
  }: {
    id: number;
    sessionId: string;
    url: string;
    expiresAt: number;
    now: number;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkout_orders')
    .set({ session_id: sessionId, url, expires_at: expiresAt })
    .where('id', '=', id)
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

/** An order by one of the names it has: ours, or that of its session. */
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
  return row && toOrder(row);
}

/** Lets a used idempotency key be used anew. */
export async function releaseIdempotencyKey(trx: Trx, hash: string, before: number): Promise<void> {
  await trx
    .updateTable('checkout_orders')
    .set({ idempotency_hash: null })
    .where('idempotency_hash', '=', hash)
    .where('created_at', '<=', before)
    .execute();
}

export async function deleteOrders(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('checkout_orders').where('created_at', '<', before).execute();
}

/** Lets one event of the payment service at a time past, on all nodes. */
export const lockPayments = (trx: Trx): Promise<void> => lockName(trx, 'payments');

/** Adds what an event says; undefined if it was told before. */
export async function insertPaymentEvent(
  trx: Trx,
  { eventId, at, fact, refs }: RecordedFact,
): Promise<number | undefined> {
  const row = await trx
    .insertInto('payment_events')
    .values({ event_id: eventId, at, fact: JSON.stringify(fact) })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row && refs.length > 0) {
    const rows = refs.map((ref) => ({ payment_event_id: row.id, ref }));
    await trx.insertInto('payment_refs').values(rows).execute();
  }
  return row?.id;
}

/** Whether anything was told before under one of these ids. */
export async function isRefKnown(db: Db, refs: readonly string[]): Promise<boolean> {
  if (refs.length === 0) return false;
  const row = await db
    .selectFrom('payment_refs')
    .select('id')
    .where('ref', 'in', [...refs])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The events about the purchase that one of them belongs to: what shares an id with it, and so on. */
export async function listRelatedEvents(trx: Trx, paymentEventId: number): Promise<number[]> {
  let events = [paymentEventId];
  for (;;) {
    const rows = await trx
      .selectFrom('payment_refs as known')
      .innerJoin('payment_refs as other', 'other.ref', 'known.ref')
      .select('other.payment_event_id as id')
      .distinct()
      .where('known.payment_event_id', 'in', events)
      .execute();
    const found = [...new Set([...events, ...rows.map(({ id }) => id)])];
    if (found.length === events.length) return events;
    events = found;
  }
}

/** The events that bear on a purchase. */
export async function listPurchaseEvents(trx: Trx, purchaseId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('payment_events')
    .select('id')
    .where('purchase_id', '=', purchaseId)
    .execute();
  return rows.map(({ id }) => id);
}

export async function listFacts(trx: Trx, events: number[]): Promise<RecordedFact[]> {
  const rows = await trx
    .selectFrom('payment_events')
    .selectAll()
    .where('id', 'in', events)
    .execute();
  const refs = await trx
    .selectFrom('payment_refs')
    .select(['payment_event_id', 'ref'])
    .where('payment_event_id', 'in', events)
    .execute();
  const refsOf = Map.groupBy(refs, ({ payment_event_id }) => payment_event_id);
  return rows.map((row) => ({
    eventId: row.event_id,
    at: row.at,
    fact: JSON.parse(row.fact) as Fact,
    refs: (refsOf.get(row.id) ?? []).map(({ ref }) => ref),
  }));
}

/** Writes down whose events they are, so that they are kept. */
export async function assignEvents(trx: Trx, events: number[], purchaseId: number): Promise<void> {
  await trx
    .updateTable('payment_events')
    .set({ purchase_id: purchaseId })
    .where('id', 'in', events)
    .where('purchase_id', 'is', null)
    .execute();
}

/**
 * Deletes events of before a moment that bear on no licence of ours, some at a time.
 * @returns whether there may be more
 */
export async function deleteForeignEvents(trx: Trx, before: number): Promise<boolean> {
  const rows = await trx
    .selectFrom('payment_events')
    .select('id')
    .where('purchase_id', 'is', null)
    .where('at', '<', before)
    .limit(PAGE)
    .execute();
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  await trx.deleteFrom('payment_refs').where('payment_event_id', 'in', ids).execute();
  await trx.deleteFrom('payment_events').where('id', 'in', ids).execute();
  return rows.length === PAGE;
}

const PAGE = 500;

/** Usable licences that end between two moments and are not paid for again by themselves, by id. */
export async function listEndingLicences(
  db: Db,
  { from, to, after }: { from: number; to: number; after: number },
): Promise<(Licence & { email: string })[]> {
  const rows = await db
    .selectFrom('licences')
    .select('licences.public_id')
    .where('licences.expires_at', '>', from)
    .where('licences.expires_at', '<=', to)
    .where('licences.suspended_at', 'is', null)
    .where('licences.revoked_at', 'is', null)
    .where('licences.id', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('purchases')
            .select('purchases.id')
            .whereRef('purchases.licence_id', '=', 'licences.id')
            .where('purchases.renews', '=', 1),
        ),
      ),
    )
    .orderBy('licences.id')
    .limit(PAGE)
    .execute();
  const licences = rows.map(({ public_id }) => findLicenceWithCustomer(db, public_id));
  return (await Promise.all(licences)).filter((licence) => licence !== undefined);
}

export interface Purchase {
  id: number;
  sessionId: string;
  licenceId: string;
  /** Who bought it. */
  customerId: number | null;
  tier: PurchaseTable['tier'];
  quantity: number;
  expiresAt: number;
  graceDays: number;
  isSuspended: boolean;
  isRevoked: boolean;
  renews: boolean;
  boughtAt: number | null;
  replaced: Replaced | undefined;
  yearEndsAt: number | null;
}

/** The purchase that was paid for in a session. */
export const findPurchase = (db: Db | Trx, sessionId: string): Promise<Purchase | undefined> =>
  findOne(db, (purchases) => purchases.where('session_id', '=', sessionId));

/** The purchase that a licence follows. */
export const findLatestPurchase = (db: Db | Trx, licence: string): Promise<Purchase | undefined> =>
  findOne(db, (purchases) => purchases.where('licences.public_id', '=', licence));

/** The latest purchase of a customer, whoever has its licence now. */
export const findLatestPurchaseByCustomer = (
  db: Db | Trx,
  customerId: number,
): Promise<Purchase | undefined> =>
  findOne(db, (purchases) => purchases.where('purchases.customer_id', '=', customerId));

async function findOne(
  db: Db | Trx,
  matching: (purchases: ReturnType<typeof purchasesOf>) => ReturnType<typeof purchasesOf>,
): Promise<Purchase | undefined> {
  const row = await matching(purchasesOf(db)).limit(1).executeTakeFirst();
  return (
    row && {
      id: row.id,
      sessionId: row.session_id,
      licenceId: row.public_id,
      customerId: row.customer_id,
      tier: row.tier,
      quantity: row.quantity,
      expiresAt: row.expires_at,
      graceDays: row.grace_days,
      isSuspended: row.is_suspended === 1,
      isRevoked: row.is_revoked === 1,
      renews: row.renews === 1,
      boughtAt: row.bought_at,
      replaced: row.replaced === null ? undefined : JSON.parse(row.replaced),
      yearEndsAt: row.year_ends_at,
    }
  );
}

const purchasesOf = (db: Db | Trx) =>
  db
    .selectFrom('purchases')
    .innerJoin('licences', 'licences.id', 'purchases.licence_id')
    .selectAll('purchases')
    .select('licences.public_id')
    .orderBy('purchases.id', 'desc');

/** The prices of subscriptions that were not in the price list, and of how many licences. */
export async function listUnknownPrices(db: Db): Promise<{ price: string; licences: number }[]> {
  const rows = await db
    .selectFrom('purchases')
    .select(({ fn }) => ['unknown_price', fn.countAll<number>().as('licences')])
    .where('unknown_price', 'is not', null)
    .groupBy('unknown_price')
    .orderBy('unknown_price')
    .execute();
  return rows.map(({ unknown_price, licences }) => ({
    price: unknown_price ?? '',
    licences: Number(licences),
  }));
}

/** The sessions of purchases whose subscription is on a price that was not in the price list. */
export async function listSessionsOn(db: Db, price: string): Promise<string[]> {
  const rows = await db
    .selectFrom('purchases')
    .select('session_id')
    .where('unknown_price', '=', price)
    .orderBy('id')
    .execute();
  return rows.map(({ session_id }) => session_id);
}

/** How often a purchase was ordered to be paid; undefined where that is not known any more. */
export async function findOrderedInterval(
  db: Db,
  { id }: Purchase,
): Promise<CheckoutOrder['interval'] | undefined> {
  const rows = await db
    .selectFrom('payment_events')
    .select('fact')
    .where('purchase_id', '=', id)
    .execute();
  const facts = rows.map(({ fact }) => JSON.parse(fact) as Fact);
  return facts.find((fact) => fact.kind === 'session')?.interval;
}

/** Notes that the purchases of a licence before another one renew nothing any more. */
export async function endOlderPurchases(
  trx: Trx,
  { licenceId, before }: { licenceId: number; before: number },
): Promise<void> {
  await trx
    .updateTable('purchases')
    .set({ renews: 0 })
    .where('licence_id', '=', licenceId)
    .where('id', '<', before)
    .execute();
}

export type NewPurchase = Insertable<PurchaseTable>;

/** @returns its number, as of `Purchase` */
export async function insertPurchase(trx: Trx, values: NewPurchase): Promise<number> {
  const row = await trx
    .insertInto('purchases')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updatePurchase(
  trx: Trx,
  id: number,
  values: Updateable<PurchaseTable>,
): Promise<void> {
  await trx.updateTable('purchases').set(values).where('id', '=', id).execute();
}
