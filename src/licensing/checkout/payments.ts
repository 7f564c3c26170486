import { isoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import {
  announceLicence,
  appendEvent,
  findLicenceWithCustomer,
  type IssuedLicence,
  issueLicenceWithin,
  type Licence,
  lockLicence,
  sitesOf,
  updateLicence,
} from '../licences/index.ts';
import type { PaymentEvent } from './events.ts';
import { mailKey, mailPaymentFailure } from './mails.ts';
import { type Fact, type PaymentState, stateOf, yearEnd } from './rules.ts';
import {
  assignEvents,
  eventsAlike,
  factsOf,
  findOrder,
  findPurchase,
  insertPaymentEvent,
  insertPurchase,
  lockPayments,
  type Purchase,
  updatePurchase,
} from './store.ts';

export type TakePayment = (
  event: PaymentEvent,
  actor: string,
) => Promise<IssuedLicence | undefined>;

/** `takePaymentEvent`, one at a time: all want one lock, and who waits here holds no connection meanwhile. */
export function takeInTurn(platform: Platform): TakePayment {
  let last: Promise<unknown> = Promise.resolve();
  return (event, actor) => {
    const turn = last.then(() => takePaymentEvent(platform, event, actor));
    last = turn.catch(() => {});
    return turn;
  };
}

/**
 * Takes in what the payment service tells: the event, what it makes of the licence and the mails are
 * one transaction, so an event that was not taken in to its end is told again and finds nothing half
 * done. The licence follows from all that was told, in whatever order; see `stateOf`.
 * @param actor who tells it, for the audit log
 * @returns the licence, if this event is what it was issued for
 */
export function takePaymentEvent(
  platform: Platform,
  event: PaymentEvent,
  actor: string,
): Promise<IssuedLicence | undefined> {
  return platform.datastore.transaction(async (trx, announce) => {
    await lockPayments(trx);
    const fact = await knownFact(trx, event.fact);
    if (!fact) {
      platform.log.info({ event: event.id }, 'a payment for something else than licences');
      return undefined;
    }
    const told = { eventId: event.id, at: event.at, fact };
    const eventRow = await insertPaymentEvent(trx, told, event.refs);
    if (eventRow === undefined) return undefined;
    const events = await eventsAlike(trx, eventRow);
    const state = stateOf(await factsOf(trx, events));
    if (!state) return undefined;
    const purchase = await findPurchase(trx, state.session);
    if (purchase) {
      await assignEvents(trx, events, purchase.id);
      await settle(platform, trx, announce, { purchase, state, event: told, actor });
      return undefined;
    }
    return issue(platform, trx, announce, { state, events, email: event.email, actor });
  });
}

/** The fact, with what was ordered from our own record where the event does not say it; undefined if we have none. */
async function knownFact(trx: Trx, fact: PaymentEvent['fact']): Promise<Fact | undefined> {
  if (fact.kind !== 'session' || fact.tier !== undefined) return fact;
  const { orderId, ...session } = fact;
  const order =
    (await findOrder(trx, { sessionId: fact.session })) ??
    (orderId === undefined ? undefined : await findOrder(trx, { publicId: orderId }));
  return (
    order && { ...session, tier: order.tier, interval: order.interval, quantity: order.quantity }
  );
}

interface Issuing {
  state: PaymentState;
  /** What it follows from. */
  events: number[];
  email: string | undefined;
  actor: string;
}

async function issue(
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
  const sitesAllowed = sitesIn(state);
  const request = { email: address, mode, tier, sitesAllowed, expiresAt, graceDays };
  const issued = await issueLicenceWithin(platform, trx, announce, request, actor);
  const { licence } = issued;
  const bought = {
    session_id: session,
    licence_id: licence.id,
    customer_id: licence.customerId,
    bought_at: licence.issuedAt,
    year_ends_at: yearEnd(licence.issuedAt),
    ...appliedOf(state),
  };
  await assignEvents(trx, events, await insertPurchase(trx, bought));
  if (state.isSuspended || state.isRevoked) {
    // What ends it was told before what began it.
    const now = platform.clock.now();
    await updateLicence(trx, licence.id, {
      ...(state.isSuspended && { suspended_at: now }),
      ...(state.isRevoked && { revoked_at: now }),
    });
    const action = state.isRevoked ? 'revoked' : 'suspended';
    await appendEvent(trx, licence.id, { at: now, actor, action, details: { session } });
  }
  if (!state.isRevoked) await mailKey(platform, trx, announce, issued);
  return issued;
}

interface Settling {
  purchase: Purchase;
  state: PaymentState;
  event: { eventId: string; at: number; fact: Fact };
  actor: string;
}

/** Makes of the licence what payments have newly come to. What people have changed by hand stays. */
async function settle(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { purchase, state, event, actor }: Settling,
): Promise<void> {
  const found = await findLicenceWithCustomer(trx, purchase.licenceId);
  const licence = await lockLicence(trx, purchase.licenceId);
  if (!found || !licence) return;
  const now = platform.clock.now();
  const changes = changesOf(licence, purchase, state, now);
  const changed =
    Object.keys(changes).length > 0 ? await updateLicence(trx, licence.id, changes) : licence;
  const year_ends_at = Math.max(purchase.yearEndsAt ?? 0, yearEnd(event.at));
  await updatePurchase(trx, purchase.id, { ...appliedOf(state), year_ends_at });
  const { eventId, fact } = event;
  const details = {
    event: eventId,
    ...(changed.expiresAt !== licence.expiresAt && { expires_at: isoMoment(changed.expiresAt) }),
    ...(changed.tier !== licence.tier && { tier: changed.tier }),
    ...(changed.sitesAllowed !== licence.sitesAllowed && { sites_allowed: changed.sitesAllowed }),
  };
  await appendEvent(trx, licence.id, { at: now, actor, action: actionOf(fact), details });
  if (fact.kind === 'invoice_failed' && state.isPastDue && changed.revokedAt === null) {
    const about = { licence: changed, email: found.email, invoice: fact.invoice };
    await mailPaymentFailure(platform, trx, announce, about);
  }
  await announceLicence(trx, announce, licence.id);
}

/** What differs from what payments had made of the licence before. */
function changesOf(licence: Licence, before: Purchase, state: PaymentState, now: number) {
  const isUntouched = licence.expiresAt === before.expiresAt;
  return {
    ...((state.tier !== before.tier || state.quantity !== before.quantity) && {
      tier: state.tier,
      sites_allowed: sitesIn(state),
    }),
    ...(state.expiresAt !== before.expiresAt && {
      // An end that was moved by hand is a promise.
      expires_at: isUntouched ? state.expiresAt : Math.max(licence.expiresAt, state.expiresAt),
    }),
    ...(state.graceDays !== before.graceDays &&
      licence.graceDays === before.graceDays && { grace_days: state.graceDays }),
    ...(state.isSuspended !== before.isSuspended && {
      suspended_at: state.isSuspended ? (licence.suspendedAt ?? now) : null,
    }),
    ...(state.isRevoked && licence.revokedAt === null && { revoked_at: now }),
  };
}

const sitesIn = ({ tier, quantity }: PaymentState): number => quantity * sitesOf(tier);

const appliedOf = (state: PaymentState) => ({
  tier: state.tier,
  quantity: state.quantity,
  expires_at: state.expiresAt,
  grace_days: state.graceDays,
  is_suspended: state.isSuspended ? (1 as const) : (0 as const),
  is_revoked: state.isRevoked ? (1 as const) : (0 as const),
  renews: state.renews ? (1 as const) : (0 as const),
});

/** What the audit log calls it. */
function actionOf(fact: Fact): string {
  switch (fact.kind) {
    case 'refund':
      return fact.isFull ? 'payment_refunded' : 'payment_partly_refunded';
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
