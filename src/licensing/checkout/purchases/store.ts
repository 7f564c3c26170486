import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Condition, Db, Trx } from '../../../platform/db/index.ts';
import { toCamelCase } from '../../../platform/key-case.ts';
import { isSubscribed } from '../../customers/index.ts';
import { findLicenceWithCustomer, type LicenceWithCustomer } from '../../licences/index.ts';
import { NEVER } from '../../products/index.ts';
import type { Fact } from '../facts.ts';
import type { Replaced } from '../planned-state.ts';
import type { PaymentState } from '../rules.ts';
import type { PurchaseTable } from '../tables.ts';

const BATCH = 500;

/** Active licences that end between two moments and do not renew automatically, by id. */
export async function listEndingLicences(
  db: Db,
  { from, to, after }: { from: number; to: number; after: number },
): Promise<LicenceWithCustomer[]> {
  const rows = await db
    .selectFrom('licences')
    .select('licences.public_id')
    .where('licences.expires_at', '>', from)
    .where('licences.expires_at', '<=', to)
    .where('licences.suspended_at', 'is', null)
    .where('licences.revoked_at', 'is', null)
    .where('licences.id', '>', after)
    .where(({ not }) => not(RENEWS))
    .orderBy('licences.id')
    .limit(BATCH)
    .execute();
  const licences = rows.map(({ public_id }) => findLicenceWithCustomer(db, public_id));
  return (await Promise.all(licences)).filter((licence) => licence !== undefined);
}

/** Whether a subscription renews a licence automatically. */
const RENEWS = sql<boolean>`exists (
  select 1 from purchases where purchases.licence_id = licences.id and purchases.renews = 1)`;

/** Whether the paid period of a purchase has not ended, or its subscription renews its licence. */
export const isStillPaid = (at: number): Condition => sql`exists (
  select 1 from licences where licences.id = purchases.licence_id and ${isSubscribed(at)})`;

/** Those of the given licences that were paid for, by identifier, each with whether its customer can open the portal. */
export async function listBought(
  db: Db,
  licences: readonly string[],
): Promise<Map<string, { renews: boolean; hasPortal: boolean }>> {
  if (licences.length === 0) return new Map();
  const hasPortal = sql<number>`max(case when purchases.customer_id = licences.customer_id and ${HAS_CUSTOMER} then 1 else 0 end)`;
  const rows = await db
    .selectFrom('purchases')
    .innerJoin('licences', 'licences.id', 'licence_id')
    .select(['public_id', sql<number>`max(renews)`.as('renews'), hasPortal.as('has_portal')])
    .where('public_id', 'in', licences)
    .groupBy('public_id')
    .execute();
  return new Map(
    rows.map(({ public_id, renews, has_portal }) => [
      public_id,
      { renews: renews === 1, hasPortal: has_portal === 1 },
    ]),
  );
}

/** Subscriptions have a customer at the payment service, also those that a node of an earlier release recorded. */
const HAS_CUSTOMER = sql<boolean>`(has_customer = 1 or purchases.expires_at < ${sql.lit(NEVER)})`;

export type Purchase = ReturnType<typeof toPurchase>;

export const findPurchase = (db: Db, sessionId: string): Promise<Purchase | undefined> =>
  findOne(db, (purchases) => purchases.where('session_id', '=', sessionId));

/** The latest purchase of a licence, whatever became of it. */
export const findLatestPurchase = (db: Db, licence: string): Promise<Purchase | undefined> =>
  findOne(db, (purchases) => purchases.where('licences.public_id', '=', licence));

/**
 * The purchase that a licence follows: the latest one, except renewals that were refused, and those that were refunded
 * or lost in a dispute, which give the licence back as it was.
 * @param before `id` of a purchase; only earlier ones count
 */
export const findFollowedPurchase = (
  trx: Trx,
  licence: string,
  before = Number.MAX_SAFE_INTEGER,
): Promise<Purchase | undefined> =>
  findOne(trx, (purchases) =>
    purchases
      .where('licences.public_id', '=', licence)
      .where('purchases.id', '<', before)
      .where('is_refused', '=', 0)
      .where(({ or, eb }) => or([eb('replaced', 'is', null), eb('is_revoked', '=', 0)])),
  );

/**
 * The purchases of a customer whose invoices the payment service shows, newest first, also of licences that were
 * transferred later.
 * @param licence only those of this licence
 */
export async function listInvoicedPurchases(
  db: Db,
  customerId: number,
  licence?: string,
): Promise<Purchase[]> {
  const own = selectPurchases(db)
    .where('purchases.customer_id', '=', customerId)
    .where(HAS_CUSTOMER);
  const rows = licence === undefined ? own : own.where('licences.public_id', '=', licence);
  return (await rows.execute()).map(toPurchase);
}

async function findOne(
  db: Db,
  matching: (purchases: ReturnType<typeof selectPurchases>) => ReturnType<typeof selectPurchases>,
): Promise<Purchase | undefined> {
  const row = await matching(selectPurchases(db)).limit(1).executeTakeFirst();
  return row && toPurchase(row);
}

const toPurchase = (
  row: Selectable<PurchaseTable> & { public_id: string; product_id: number },
) => ({
  ...toCamelCase(row),
  /** The identifier of the licence. */
  licenceId: row.public_id,
  isSuspended: row.is_suspended === 1,
  isRevoked: row.is_revoked === 1,
  renews: row.renews === 1,
  isRefused: row.is_refused === 1,
  replaced: row.replaced === null ? undefined : (JSON.parse(row.replaced) as Replaced),
});

const selectPurchases = (db: Db) =>
  db
    .selectFrom('purchases')
    .innerJoin('licences', 'licences.id', 'purchases.licence_id')
    .selectAll('purchases')
    .select(['licences.public_id', 'licences.product_id'])
    .orderBy('purchases.id', 'desc');

/** The prices of subscriptions that are not in the price list, and their number of licences. */
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

/** The sessions of purchases whose subscription is on such a price. */
export async function listSessionsOn(db: Db, price: string): Promise<string[]> {
  const rows = await db
    .selectFrom('purchases')
    .select('session_id')
    .where('unknown_price', '=', price)
    .orderBy('id')
    .execute();
  return rows.map(({ session_id }) => session_id);
}

/** Marks the earlier purchases of a licence as not renewing. */
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

/** The columns of a purchase that follow from its payments. */
export const toPurchaseValues = (state: PaymentState) => ({
  tier: state.tier,
  quantity: state.quantity,
  expires_at: state.expiresAt,
  grace_days: state.graceDays,
  is_suspended: state.suspension ? (1 as const) : (0 as const),
  is_revoked: state.revocation ? (1 as const) : (0 as const),
  renews: state.renews ? (1 as const) : (0 as const),
  unknown_price: state.unknownPrice,
  ...(state.hasCustomer && { has_customer: 1 as const }),
});

/** @returns the `id` of the purchase */
export async function insertPurchase(trx: Trx, values: Insertable<PurchaseTable>): Promise<number> {
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

/** The purchases of a customer with their payment facts, newest first. */
export async function listCustomerPurchases(
  db: Db,
  customerId: number,
): Promise<(Purchase & { facts: { at: number; fact: Fact }[] })[]> {
  const rows = await selectPurchases(db).where('purchases.customer_id', '=', customerId).execute();
  if (rows.length === 0) return [];
  const events = await db
    .selectFrom('payment_events')
    .select(['purchase_id', 'at', 'fact'])
    .where(
      'purchase_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('at')
    .orderBy('id')
    .execute();
  const byPurchase = Map.groupBy(events, ({ purchase_id }) => purchase_id);
  return rows.map((row) => ({
    ...toPurchase(row),
    facts: (byPurchase.get(row.id) ?? []).map(({ at, fact }) => ({ at, fact: JSON.parse(fact) })),
  }));
}

/** Of how many active live licences the paid period ends until a moment, with and without a subscription that renews it. */
export async function countRenewals(
  db: Db,
  { now, until }: { now: number; until: number },
): Promise<{ expiring: number; renewing: number }> {
  const rows = await db
    .selectFrom('licences')
    .select(({ fn }) => [RENEWS.as('renews'), fn.countAll<number>().as('count')])
    .where('licences.mode', '=', 'live')
    .where('licences.suspended_at', 'is', null)
    .where('licences.revoked_at', 'is', null)
    .where('licences.expires_at', '>', now)
    .where('licences.expires_at', '<=', until)
    .groupBy('renews')
    .execute();
  const count = (renews: boolean) =>
    Number(rows.find((row) => Boolean(row.renews) === renews)?.count ?? 0);
  return { expiring: count(false), renewing: count(true) };
}
