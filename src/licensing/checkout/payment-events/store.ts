import { type Db, lockName, type Trx } from '../../../platform/db/index.ts';
import type { Interval } from '../../products/index.ts';
import type { Fact, RecordedFact } from '../facts.ts';

const BATCH = 500;

/** Processes one payment event at a time on all nodes. */
export const lockPayments = (trx: Trx): Promise<void> => lockName(trx, 'payments');

/** @returns the `id` of the event; undefined if it was received before */
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

/** What other events of the same second say of the same objects; empty if this event was received before. */
export async function listSimultaneousFacts(
  trx: Trx,
  { eventId, at, refs }: RecordedFact,
): Promise<Fact[]> {
  const rows = await trx
    .selectFrom('payment_events')
    .innerJoin('payment_refs', 'payment_event_id', 'payment_events.id')
    .select(['event_id', 'fact'])
    .where('at', '=', at)
    .where('ref', 'in', [...refs])
    .execute();
  if (rows.some(({ event_id }) => event_id === eventId)) return [];
  return rows.map(({ fact }) => JSON.parse(fact) as Fact);
}

/** The events of these that were not received. */
export async function listUnknownEvents(db: Db, eventIds: readonly string[]): Promise<Set<string>> {
  const unknown = new Set(eventIds);
  for (let start = 0; start < eventIds.length; start += BATCH) {
    const rows = await db
      .selectFrom('payment_events')
      .select('event_id')
      .where('event_id', 'in', eventIds.slice(start, start + BATCH))
      .execute();
    for (const { event_id } of rows) unknown.delete(event_id);
  }
  return unknown;
}

/** How many of these events belong to a purchase. */
export async function countAssigned(db: Db, eventIds: readonly string[]): Promise<number> {
  let count = 0;
  for (let start = 0; start < eventIds.length; start += BATCH) {
    const { assigned } = await db
      .selectFrom('payment_events')
      .select(({ fn }) => fn.countAll<number>().as('assigned'))
      .where('event_id', 'in', eventIds.slice(start, start + BATCH))
      .where('purchase_id', 'is not', null)
      .executeTakeFirstOrThrow();
    count += Number(assigned);
  }
  return count;
}

/** Whether an earlier event names one of these identifiers. */
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

/** What was recorded of a session, with what was ordered. */
export async function findSession(
  db: Db,
  session: string,
): Promise<Extract<Fact, { kind: 'session' }> | undefined> {
  const rows = await db
    .selectFrom('payment_events')
    .innerJoin('payment_refs', 'payment_event_id', 'payment_events.id')
    .select('fact')
    .where('ref', '=', session)
    .execute();
  return rows.map(({ fact }) => JSON.parse(fact) as Fact).find((fact) => fact.kind === 'session');
}

/** What is known of the terms of a purchase. Events that were anonymised, or are of earlier releases, have no currency. */
export interface Terms {
  interval: Interval | undefined;
  /** ISO 4217 in upper case. */
  currency: string | undefined;
  /** Whether its subscription was reported as ended. */
  hasEnded: boolean;
}

export async function readTerms(db: Db, purchaseId: number): Promise<Terms> {
  const rows = await db
    .selectFrom('payment_events')
    .select('fact')
    .where('purchase_id', '=', purchaseId)
    .execute();
  const facts = rows.map(({ fact }) => JSON.parse(fact) as Fact);
  return {
    interval: facts.find((fact) => fact.kind === 'session')?.interval,
    currency: facts.find(
      ({ kind, currency }) => currency && (kind === 'session' || kind === 'invoice_paid'),
    )?.currency,
    hasEnded: facts.some(({ kind }) => kind === 'subscription_ended'),
  };
}

/** The events that share an identifier with this one, directly or through others. */
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
  const refsByEvent = Map.groupBy(refs, ({ payment_event_id }) => payment_event_id);
  return rows.map((row) => ({
    eventId: row.event_id,
    at: row.at,
    fact: JSON.parse(row.fact) as Fact,
    refs: (refsByEvent.get(row.id) ?? []).map(({ ref }) => ref),
  }));
}

/** Lists the given events that are not assigned to a purchase yet. */
export async function listUnassigned(trx: Trx, events: number[]): Promise<number[]> {
  const rows = await trx
    .selectFrom('payment_events')
    .select('id')
    .where('id', 'in', events)
    .where('purchase_id', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Assigns events to their purchase, so that they are kept. */
export async function assignEvents(trx: Trx, events: number[], purchaseId: number): Promise<void> {
  await trx
    .updateTable('payment_events')
    .set({ purchase_id: purchaseId })
    .where('id', 'in', events)
    .where('purchase_id', 'is', null)
    .execute();
}

/**
 * Deletes a batch of old events that belong to no purchase.
 * @returns whether there may be more
 */
export async function deleteForeignEvents(trx: Trx, before: number): Promise<boolean> {
  const rows = await trx
    .selectFrom('payment_events')
    .select('id')
    .where('purchase_id', 'is', null)
    .where('at', '<', before)
    .limit(BATCH)
    .execute();
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  await trx.deleteFrom('payment_refs').where('payment_event_id', 'in', ids).execute();
  await trx.deleteFrom('payment_events').where('id', 'in', ids).execute();
  return rows.length === BATCH;
}
