import { toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import {
  addRestriction,
  announceLicence,
  appendEvent,
  changeCause,
  findLicenceWithCustomer,
  getTierSites,
  type IssuedLicence,
  issueLicenceWithin,
  type Licence,
  liftRestrictions,
  lockLicence,
  updateLicence,
} from '../licences/index.ts';
import { applyRenewal } from './apply-renewal.ts';
import type { PaymentEvent } from './events.ts';
import type { Fact } from './facts.ts';
import { mailKey, mailPaymentFailure } from './mails.ts';
import { findOrder } from './orders/store.ts';
import {
  assignEvents,
  insertPaymentEvent,
  listFacts,
  listPurchaseEvents,
  listRelatedEvents,
  lockPayments,
} from './payment-events/store.ts';
import { findTier, type Price } from './prices.ts';
import {
  findLatestPurchase,
  findPurchase,
  insertPurchase,
  listSessionsOn,
  listUnknownPrices,
  type Purchase,
  updatePurchase,
} from './purchases/store.ts';
import { addRemainingDays, getPaymentState, getYearEnd, type PaymentState } from './rules.ts';

export type HandlePayment = (
  event: PaymentEvent,
  actor: string,
) => Promise<IssuedLicence | undefined>;

/** `takePaymentEvent`, one at a time: all want one lock, and who waits here holds no connection meanwhile. */
export function createPaymentHandler(platform: Platform, prices: readonly Price[]): HandlePayment {
  let last: Promise<unknown> = Promise.resolve();
  return (event, actor) => {
    const turn = last.then(() => processPaymentEvent(platform, event, actor, prices));
    last = turn.catch(() => {});
    return turn;
  };
}

/**
 * Takes in what the payment service tells: the event, what it makes of the licence and the mails are
 * one transaction, so an event that was not taken in to its end is told again and finds nothing half
 * done. The licence follows from all that was told, in whatever order; see `stateOf`.
 * @param actor who tells it, for the audit log
 * @param prices by which prices that were told before they were listed are known now
 * @returns the licence, if this event is what it was issued for
 */
export function processPaymentEvent(
  platform: Platform,
  event: PaymentEvent,
  actor: string,
  prices: readonly Price[] = [],
): Promise<IssuedLicence | undefined> {
  return platform.datastore.transaction(async (trx, announce) => {
    await lockPayments(trx);
    const fact = await completeFact(trx, event.fact);
    if (!fact) {
      platform.log.info({ event: event.id }, 'a payment for something else than licences');
      return undefined;
    }
    const told = { eventId: event.id, at: event.at, fact, refs: event.refs };
    const eventRow = await insertPaymentEvent(trx, told);
    if (eventRow === undefined) return undefined;
    const events = await listRelatedEvents(trx, eventRow);
    const state = getPaymentState(await listFacts(trx, events), (price) => findTier(prices, price));
    if (!state) return undefined;
    const purchase = await findPurchase(trx, state.session);
    if (purchase) {
      await assignEvents(trx, events, purchase.id);
      const expiresAt = addRemainingDays(state, countSites(state), purchase);
      const { invoiceUrl } = event;
      const change = { purchase, state: { ...state, expiresAt }, event: told, actor, invoiceUrl };
      await settlePayment(platform, trx, announce, change);
      return undefined;
    }
    if (state.licence !== undefined) {
      const renewing = {
        state,
        applied: toAppliedState(state),
        sites: countSites(state),
        events,
        actor,
      };
      await applyRenewal(platform, trx, announce, renewing);
      return undefined;
    }
    return issuePurchasedLicence(platform, trx, announce, {
      state,
      events,
      email: event.email,
      actor,
    });
  });
}

/** Lets licences follow prices that have come into the price list after their subscriptions were on them. */
export async function followKnownPrices(
  platform: Platform,
  prices: readonly Price[],
): Promise<void> {
  const { db } = platform.datastore;
  for (const { price } of await listUnknownPrices(db)) {
    if (findTier(prices, price) === undefined) continue;
    for (const sessionId of await listSessionsOn(db, price)) {
      await platform.datastore.transaction(async (trx, announce) => {
        await lockPayments(trx);
        const purchase = await findPurchase(trx, sessionId);
        const events = purchase ? await listPurchaseEvents(trx, purchase.id) : [];
        const told = await listFacts(trx, events);
        const state = getPaymentState(told, (each) => findTier(prices, each));
        const event = told
          .toSorted((a, b) => a.at - b.at)
          .findLast(({ fact }) => fact.kind === 'subscription');
        if (!purchase || !state || !event) return;
        const expiresAt = addRemainingDays(state, countSites(state), purchase);
        const change = { purchase, state: { ...state, expiresAt }, event, actor: 'price list' };
        await settlePayment(platform, trx, announce, { ...change, invoiceUrl: undefined });
      });
    }
  }
}

/** The fact, with what was ordered from our own record where the event does not say it; undefined if we have none. */
async function completeFact(trx: Trx, fact: PaymentEvent['fact']): Promise<Fact | undefined> {
  if (fact.kind !== 'session' || fact.tier !== undefined) return fact;
  const { orderId, ...session } = fact;
  const order =
    (await findOrder(trx, { sessionId: fact.session })) ??
    (orderId === undefined ? undefined : await findOrder(trx, { publicId: orderId }));
  return (
    order && {
      ...session,
      licence: session.licence ?? order.licence ?? undefined,
      tier: order.tier,
      interval: order.interval,
      quantity: order.quantity,
    }
  );
}

interface Issuing {
  state: PaymentState;
  /** What it follows from. */
  events: number[];
  email: string | undefined;
  actor: string;
}

async function issuePurchasedLicence(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { state, events, email, actor }: Issuing,
): Promise<IssuedLicence | undefined> {
  const address = readEmail(email ?? '');
  if (!address) {
    platform.log.error({ session: state.session }, 'paid, but without an address to issue to');
    return undefined;
  }
  const { session, mode, tier, expiresAt, graceDays } = state;
  const sitesAllowed = countSites(state);
  const request = { email: address, mode, tier, sitesAllowed, expiresAt, graceDays };
  const issued = await issueLicenceWithin(platform, trx, announce, request, actor);
  const { licence } = issued;
  const bought = {
    session_id: session,
    licence_id: licence.id,
    customer_id: licence.customerId,
    bought_at: licence.issuedAt,
    year_ends_at: getYearEnd(licence.issuedAt),
    ...toAppliedState(state),
  };
  const purchaseId = await insertPurchase(trx, bought);
  await assignEvents(trx, events, purchaseId);
  if (state.suspension || state.revocation) {
    // What ends it was told before what began it.
    const now = platform.clock.now();
    const before = { id: purchaseId, isSuspended: false, isRevoked: false };
    await restrict(trx, licence, { purchase: before, state, actor, now });
    const action = state.revocation ? 'revoked' : 'suspended';
    await appendEvent(trx, licence.id, { at: now, actor, action, details: { session } });
  }
  warnOfUnknownPrice(platform, licence, state);
  if (!state.revocation) await mailKey(platform, trx, announce, issued);
  return issued;
}

interface PaymentChange {
  purchase: Purchase;
  state: PaymentState;
  event: { eventId: string; at: number; fact: Fact };
  actor: string;
  invoiceUrl: string | undefined;
}

/** Lets payments of a purchase stop its licence, or go on: what people have done by hand stays as it is. */
async function restrict(
  trx: Trx,
  licence: Licence,
  {
    purchase,
    state,
    actor,
    now,
  }: {
    purchase: Pick<Purchase, 'id' | 'isSuspended' | 'isRevoked'>;
    state: Pick<PaymentState, 'suspension' | 'revocation'>;
    actor: string;
    now: number;
  },
): Promise<Licence> {
  let changed = licence;
  for (const [effect, cause, wasStopped] of [
    ['suspended', state.suspension, purchase.isSuspended],
    ['revoked', state.revocation, purchase.isRevoked],
  ] as const) {
    const purchaseId = purchase.id;
    if (cause && !wasStopped) {
      const restriction = { effect, cause, purchaseId, since: now, actor };
      changed = await addRestriction(trx, licence.id, restriction);
    } else if (cause) {
      // One that somebody has lifted meanwhile stays lifted.
      await changeCause(trx, licence.id, { effect, cause, purchaseId });
    } else if (wasStopped) {
      changed = await liftRestrictions(trx, licence.id, { effect, purchaseId });
    }
  }
  return changed;
}

/** Logs that a price of Stripe is missing in the price list. */
function warnOfUnknownPrice(
  { log }: Platform,
  { publicId }: Licence,
  { unknownPrice }: PaymentState,
): void {
  if (unknownPrice === null) return;
  log.warn(
    { licence: publicId, price: unknownPrice },
    'the price of a subscription is not in PAVIS_STRIPE_PRICES: its licence keeps its tier',
  );
}

/** Makes of the licence what payments have newly come to. What people have changed by hand stays. */
async function settlePayment(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { purchase, state, event, actor, invoiceUrl }: PaymentChange,
): Promise<void> {
  const found = await findLicenceWithCustomer(trx, purchase.licenceId);
  const licence = await lockLicence(trx, purchase.licenceId);
  if (!found || !licence) return;
  const now = platform.clock.now();
  // A licence follows its latest purchase; what comes of those before it is recorded only.
  const isFollowed = (await findLatestPurchase(trx, purchase.licenceId))?.id === purchase.id;
  const changes = isFollowed ? toLicenceChanges(licence, purchase, state) : {};
  if (Object.keys(changes).length > 0) await updateLicence(trx, licence.id, changes);
  await restrict(trx, licence, {
    purchase,
    state: {
      suspension: isFollowed ? state.suspension : null,
      // A renewal that is refunded leaves the licence as it was before, see `changesOf`.
      revocation: isFollowed && !purchase.replaced ? state.revocation : null,
    },
    actor,
    now,
  });
  const changed = (await lockLicence(trx, purchase.licenceId)) ?? licence;
  const year_ends_at = Math.max(purchase.yearEndsAt ?? 0, getYearEnd(event.at));
  const applied = { ...toAppliedState(state), ...(!isFollowed && { renews: 0 as const }) };
  await updatePurchase(trx, purchase.id, { ...applied, year_ends_at });
  const { eventId, fact } = event;
  const details = {
    event: eventId,
    ...(changed.expiresAt !== licence.expiresAt && { expires_at: toIsoMoment(changed.expiresAt) }),
    ...(changed.tier !== licence.tier && { tier: changed.tier }),
    ...(changed.sitesAllowed !== licence.sitesAllowed && { sites_allowed: changed.sitesAllowed }),
    ...(state.unknownPrice && { unknown_price: state.unknownPrice }),
  };
  if (fact.kind === 'subscription') warnOfUnknownPrice(platform, licence, state);
  await appendEvent(trx, licence.id, { at: now, actor, action: toAction(fact), details });
  const isUnpaid = fact.kind === 'invoice_failed' && state.isPastDue;
  if (isUnpaid && isFollowed && changed.revokedAt === null) {
    const about = { licence: changed, email: found.email, invoice: fact.invoice, invoiceUrl };
    await mailPaymentFailure(platform, trx, announce, about);
  }
  await announceLicence(trx, announce, licence.id);
}

/** What differs from what payments had made of the licence before. */
function toLicenceChanges(licence: Licence, before: Purchase, state: PaymentState) {
  const isUntouched = licence.expiresAt === before.expiresAt;
  return {
    ...((state.tier !== before.tier || state.quantity !== before.quantity) && {
      tier: state.tier,
      sites_allowed: countSites(state),
    }),
    ...(state.expiresAt !== before.expiresAt && {
      // An end that was moved by hand is a promise.
      expires_at: isUntouched ? state.expiresAt : Math.max(licence.expiresAt, state.expiresAt),
    }),
    ...(state.graceDays !== before.graceDays &&
      licence.graceDays === before.graceDays && { grace_days: state.graceDays }),
    ...(before.replaced &&
      (state.revocation !== null) !== before.isRevoked &&
      revertOrRestore(before, state)),
  };
}

const revertOrRestore = ({ replaced }: Purchase, state: PaymentState) =>
  state.revocation !== null
    ? replaced
    : {
        tier: state.tier,
        sites_allowed: countSites(state),
        expires_at: state.expiresAt,
        grace_days: state.graceDays,
      };

const countSites = ({ tier, quantity }: PaymentState): number => quantity * getTierSites(tier);

const toAppliedState = (state: PaymentState) => ({
  tier: state.tier,
  quantity: state.quantity,
  expires_at: state.expiresAt,
  grace_days: state.graceDays,
  is_suspended: state.suspension ? (1 as const) : (0 as const),
  is_revoked: state.revocation ? (1 as const) : (0 as const),
  renews: state.renews ? (1 as const) : (0 as const),
  unknown_price: state.unknownPrice,
});

/** What the audit log calls it. */
function toAction(fact: Fact): string {
  switch (fact.kind) {
    case 'refund':
      return fact.isFull ? 'payment_refunded' : 'payment_partly_refunded';
    case 'refund_failed':
      return 'refund_failed';
    case 'dispute':
      return fact.outcome === 'open' ? 'payment_disputed' : `dispute_${fact.outcome}`;
    case 'invoice_paid':
      return 'payment_received';
    case 'invoice_failed':
      return 'payment_failed';
    case 'subscription':
      return 'subscription_changed';
    case 'subscription_ended':
      return 'subscription_ended';
    case 'session':
    case 'session_failed':
      return 'checkout_reported';
    case 'link':
      return 'payment_linked';
  }
}
