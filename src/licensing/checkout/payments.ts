import type { Db, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import type { IssuedLicence } from '../licences/index.ts';
import {
  type Catalogue,
  DEFAULT_PRODUCT,
  findProduct,
  getProduct,
  readCatalogue,
} from '../products/index.ts';
import { applyPayment } from './apply-payment.ts';
import { applyRenewal, issuePurchase } from './apply-purchase.ts';
import type { PaymentEvent } from './events.ts';
import { type Fact, getFirstAmount, type OrderedTerms, type RecordedFact } from './facts.ts';
import { type Metadata, readMetadata } from './orders/metadata.ts';
import { findOrder } from './orders/store.ts';
import {
  assignEvents,
  findSession,
  insertPaymentEvent,
  listFacts,
  listPurchaseEvents,
  listRelatedEvents,
  listSimultaneousFacts,
  listUnassigned,
  lockPayments,
} from './payment-events/store.ts';
import { type CheckoutOutcome, queuePaymentEvents } from './payment-webhooks.ts';
import { addPlan, type PlannedState } from './planned-state.ts';
import { findPrice, listKnownPrices, type Price, toOptionalSlug } from './prices.ts';
import { findPurchase, listSessionsOn, listUnknownPrices } from './purchases/store.ts';
import { getPaymentState } from './rules.ts';

/** Two events of the same second say different things of a subscription, and nothing says which is the later one. */
export class UnknownOrderError extends Error {}

/** Whether an event says something else of a subscription than others of the same second, except its creation. */
async function isOrderUnknown(trx: Trx, event: RecordedFact): Promise<boolean> {
  const { fact } = event;
  if (fact.kind !== 'subscription' || fact.isNew) return false;
  const others = await listSimultaneousFacts(trx, event);
  return others.some(
    (other) =>
      other.kind === 'subscription' &&
      !other.isNew &&
      JSON.stringify(other) !== JSON.stringify(fact),
  );
}

/**
 * Processes an event of the payment service. The event, its effect on the licence and the emails are one
 * transaction, so an event that failed is sent again and finds nothing half done. The licence follows from all
 * events of its purchase in any order, see `getPaymentState`.
 * @param actor for the audit log
 * @param prices for events whose price was added to the price list later
 * @param isOrderRequired throws `UnknownOrderError` for an event whose state may be older than one of the same second
 * @returns the licence, if this event issued one
 */
export function processPaymentEvent(
  platform: Platform,
  event: PaymentEvent,
  actor: string,
  prices: readonly Price[] = [],
  isOrderRequired = false,
): Promise<IssuedLicence | undefined> {
  return platform.datastore.transaction(async (trx, announce) => {
    await lockPayments(trx);
    const catalogue = await readCatalogue(trx);
    const fact = await completeFact(platform, trx, event.fact, catalogue);
    if (!fact) {
      platform.log.info({ event: event.id }, 'a payment for something else than licences');
      return undefined;
    }
    const recorded: RecordedFact = { eventId: event.id, at: event.at, fact, refs: event.refs };
    if (isOrderRequired && (await isOrderUnknown(trx, recorded))) throw new UnknownOrderError();
    const eventId = await insertPaymentEvent(trx, recorded);
    if (eventId === undefined) return undefined;
    const events = await listRelatedEvents(trx, eventId);
    const known = await listFacts(trx, events);
    const state = toPlannedState(known, prices, catalogue);
    if (!state) return undefined;
    const fresh = await listUnassigned(trx, events);
    const { session } = state;
    const queue = async (outcome?: CheckoutOutcome) => {
      const facts = await listFacts(trx, fresh);
      const at = platform.clock.now();
      await queuePaymentEvents(trx, announce, { session, outcome, facts, at });
    };
    const purchase = await findPurchase(trx, session);
    if (purchase) {
      await assignEvents(trx, events, purchase.id);
      const { unpaid } = event;
      const readState = (id: number) => readPurchaseState(trx, id, prices, catalogue);
      const change = { purchase, state, event: recorded, actor, unpaid, readState };
      await applyPayment(platform, trx, announce, change);
      await queue();
      return undefined;
    }
    const amount = getFirstAmount(known);
    const paid = { state, events, amount, actor, email: event.email };
    if (state.licence !== undefined) {
      await queue(await applyRenewal(platform, trx, announce, paid));
      return undefined;
    }
    const issued = await issuePurchase(platform, trx, announce, paid);
    if (issued) await queue('licence_issued');
    return issued;
  });
}

/** Updates licences whose subscription is on a price that was added to the price list later. */
export async function followKnownPrices(
  platform: Platform,
  prices: readonly Price[],
): Promise<void> {
  const { db } = platform.datastore;
  const known = listKnownPrices(prices, await platform.catalogue.read());
  for (const { price } of await listUnknownPrices(db)) {
    if (findPrice(known, price) === undefined) continue;
    for (const sessionId of await listSessionsOn(db, price)) {
      await platform.datastore.transaction(async (trx, announce) => {
        await lockPayments(trx);
        const catalogue = await readCatalogue(trx);
        const purchase = await findPurchase(trx, sessionId);
        const facts = purchase ? await listPurchaseFacts(trx, purchase.id) : [];
        const state = toPlannedState(facts, prices, catalogue);
        const event = facts
          .toSorted((a, b) => a.at - b.at)
          .findLast(({ fact }) => fact.kind === 'subscription');
        // The price may be known as one of another product.
        if (!purchase || !event || state?.unknownPrice !== null) return;
        const readState = (id: number) => readPurchaseState(trx, id, prices, catalogue);
        const by = { actor: 'price list', unpaid: undefined };
        await applyPayment(platform, trx, announce, { purchase, state, event, readState, ...by });
      });
    }
  }
}

async function listPurchaseFacts(trx: Trx, purchaseId: number): Promise<RecordedFact[]> {
  return listFacts(trx, await listPurchaseEvents(trx, purchaseId));
}

async function readPurchaseState(
  trx: Trx,
  purchaseId: number,
  prices: readonly Price[],
  catalogue: Catalogue,
): Promise<PlannedState | undefined> {
  return toPlannedState(await listPurchaseFacts(trx, purchaseId), prices, catalogue);
}

function toPlannedState(
  facts: readonly RecordedFact[],
  prices: readonly Price[],
  catalogue: Catalogue,
): PlannedState | undefined {
  const known = listKnownPrices(prices, catalogue);
  const state = getPaymentState(facts, (id, product) => {
    const price = findPrice(known, id);
    return price?.product === product ? price?.tier : undefined;
  });
  return state && addPlan(state, catalogue);
}

/**
 * Adds what was ordered to a session of ours; undefined for one of a payment link, another application or another
 * installation at the same Stripe account. Metadata without our proof says nothing: the maker of a payment link sets it,
 * and its buyer sets `client_reference_id` in the URL.
 */
export async function completeFact(
  platform: Pick<Platform, 'secret' | 'log'>,
  db: Db,
  fact: PaymentEvent['fact'],
  catalogue: Catalogue,
): Promise<Fact | undefined> {
  if (fact.kind !== 'session') return fact;
  const { orderId, metadata, ...session } = fact;
  const ordered =
    (await findOrdered(db, { sessionId: fact.session, orderId }, catalogue)) ??
    // Orders are deleted after 30 days. An event can be sent again, or a payment succeed, later.
    (await findSession(db, fact.session)) ??
    (await findProven(platform, db, metadata, catalogue));
  return ordered && { ...ordered, ...session };
}

/** What was ordered with a session, also if it was created, but could not be saved. */
async function findOrdered(
  db: Db,
  { sessionId, orderId }: { sessionId: string; orderId: string | undefined },
  catalogue: Catalogue,
): Promise<OrderedTerms | undefined> {
  const known = await findOrder(db, { sessionId });
  const named = known || orderId === undefined ? known : await findOrder(db, { publicId: orderId });
  if (!named || (named.sessionId ?? sessionId) !== sessionId) return undefined;
  const { tier, billingInterval: interval, quantity, productId, licence } = named;
  const product = toOptionalSlug(getProduct(catalogue, productId));
  return { product, tier, interval, quantity, licence: licence ?? undefined };
}

/** What an order was whose row is gone, as after the restore of an older backup. */
async function findProven(
  { secret, log }: Pick<Platform, 'secret' | 'log'>,
  db: Db,
  metadata: Metadata | undefined,
  catalogue: Catalogue,
): Promise<OrderedTerms | undefined> {
  const ordered = metadata && readMetadata(secret, metadata);
  if (!ordered || (await findOrder(db, { publicId: String(metadata.order) }))) return undefined;
  const { product = DEFAULT_PRODUCT, tier } = ordered;
  if (findProduct(catalogue, product)?.plans.some((plan) => plan.tier === tier)) return ordered;
  log.error(
    { product, tier },
    'paid for a plan that does not exist here: create it, then send the event again',
  );
  return undefined;
}
