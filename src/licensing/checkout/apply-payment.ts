import { toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { recountSlots } from '../activations/index.ts';
import { findCustomer } from '../customers/index.ts';
import {
  addRestriction,
  announceLicence,
  appendEvent,
  changeCause,
  findLicenceWithCustomer,
  type Licence,
  liftRestrictions,
  lockLicence,
  updateLicence,
} from '../licences/index.ts';
import type { UnpaidInvoice } from './events.ts';
import { type Fact, getAmount, type RecordedFact } from './facts.ts';
import { mailPaymentFailure } from './mails.ts';
import {
  addRemainingDays,
  type PlannedState,
  type Replaced,
  toPlanColumns,
} from './planned-state.ts';
import {
  findFollowedPurchase,
  type Purchase,
  toPurchaseValues,
  updatePurchase,
} from './purchases/store.ts';
import { getYearEnd, type PaymentState } from './rules.ts';
import { isPaidInVain, warnOfRevokedLicence, warnOfUnknownPrice } from './warnings.ts';

interface PaymentChange {
  purchase: Purchase;
  /** The state after all payments of the purchase, including this event. */
  state: PlannedState;
  event: RecordedFact;
  actor: string;
  unpaid: UnpaidInvoice | undefined;
  /** The state of another purchase of the licence. */
  readState: (purchaseId: number) => Promise<PaymentState | undefined>;
}

/** Updates the licence of a purchase after a payment event. Changes that people made by hand stay. */
export async function applyPayment(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { purchase, event, actor, unpaid, readState, ...change }: PaymentChange,
): Promise<void> {
  const state = { ...change.state, expiresAt: addRemainingDays(change.state, purchase) };
  const found = await findLicenceWithCustomer(trx, purchase.licenceId);
  const licence = await lockLicence(trx, purchase.licenceId);
  if (!found || !licence) return;
  const at = platform.clock.now();
  // A refunded renewal gives the licence back as it was, so its subscription no longer renews it.
  const isGivenBack = purchase.replaced !== undefined && state.revocation !== null;
  // Events of refused renewals, and of purchases before the one that the licence follows, are only recorded.
  const followed = await findFollowedPurchase(trx, purchase.licenceId);
  const isFollowed =
    !purchase.isRefused &&
    !(isGivenBack && purchase.isRevoked) &&
    (followed === undefined || followed.id <= purchase.id);
  const changes = isFollowed ? toLicenceChanges(licence, purchase, state) : {};
  if (Object.keys(changes).length > 0) {
    const updated = await updateLicence(trx, licence.id, changes);
    if ('development_sites_free' in changes) await recountSlots(trx, updated);
  }
  await restrictLicence(trx, licence, {
    purchase,
    state: {
      suspension: isFollowed ? state.suspension : null,
      // A refunded renewal restores the previous licence, see `toLicenceChanges`.
      revocation: isFollowed && !purchase.replaced ? state.revocation : null,
    },
    actor,
    at,
  });
  if (isFollowed && purchase.replaced && (state.revocation !== null) !== purchase.isRevoked)
    await restrictByEarlier(trx, licence, { purchase, state, readState, actor, at });
  const changed = (await lockLicence(trx, purchase.licenceId)) ?? licence;
  await updatePurchase(trx, purchase.id, {
    ...toPurchaseValues(state),
    ...((!isFollowed || isGivenBack) && { renews: 0 }),
    ...(hasPlanChanged(purchase, state) && { package_sites: state.packageSites }),
    year_ends_at: Math.max(purchase.yearEndsAt ?? 0, getYearEnd(event.at)),
  });
  const { eventId, fact } = event;
  const details = {
    event: eventId,
    ...getAmount(fact),
    ...(changed.expiresAt !== licence.expiresAt && { expires_at: toIsoMoment(changed.expiresAt) }),
    ...(changed.tier !== licence.tier && { tier: changed.tier }),
    ...(changed.sitesAllowed !== licence.sitesAllowed && { sites_allowed: changed.sitesAllowed }),
    ...(state.unknownPrice && { unknown_price: state.unknownPrice }),
    ...((await isPaidInVain(trx, changed, event)) && { licence_revoked: true }),
  };
  if ('licence_revoked' in details) warnOfRevokedLicence(platform, licence);
  if (fact.kind === 'subscription') warnOfUnknownPrice(platform, licence, state);
  const logged = { at, actor, action: toAction(fact), details };
  await appendEvent(trx, announce, licence.id, logged, licence);
  // The customer sees in the Billing Portal that the payment for a change failed. An attempt that is reported after
  // a later one says nothing new.
  const isUnpaid =
    fact.kind === 'invoice_failed' && !fact.isDifference && event.at === state.failedAt;
  if (isUnpaid && isFollowed && changed.revokedAt === null) {
    const { email } = found;
    const payer =
      purchase.customerId === null ? undefined : await findCustomer(trx, purchase.customerId);
    const { isTrial } = state;
    const about = { buyer: payer?.email ?? '', invoice: fact.invoice, isTrial, ...unpaid };
    await mailPaymentFailure(platform, trx, announce, { licence: { ...changed, email }, ...about });
  }
  await announceLicence(trx, announce, licence.id);
}

/** Suspends or revokes a licence because of its payments, or lifts that. Restrictions by hand stay. */
export async function restrictLicence(
  trx: Trx,
  { id }: Licence,
  {
    purchase,
    state,
    actor,
    at,
  }: {
    purchase: Pick<Purchase, 'id' | 'isSuspended' | 'isRevoked'>;
    state: Pick<PaymentState, 'suspension' | 'revocation'>;
    actor: string;
    at: number;
  },
): Promise<void> {
  const purchaseId = purchase.id;
  for (const [effect, cause, wasRestricted] of [
    ['suspended', state.suspension, purchase.isSuspended],
    ['revoked', state.revocation, purchase.isRevoked],
  ] as const) {
    if (cause && !wasRestricted) {
      await addRestriction(trx, id, { effect, cause, purchaseId, since: at, actor });
    } else if (cause) {
      // A restriction that was lifted by hand in the meantime stays lifted.
      await changeCause(trx, id, { effect, cause, purchaseId });
    } else if (wasRestricted) {
      await liftRestrictions(trx, id, { effect, purchaseId });
    }
  }
}

/**
 * Applies the refunds and disputes of the purchase before a renewal, which the licence follows again while the renewal
 * is refunded.
 */
async function restrictByEarlier(
  trx: Trx,
  licence: Licence,
  {
    purchase,
    state,
    readState,
    ...by
  }: Pick<PaymentChange, 'purchase' | 'state' | 'readState' | 'actor'> & { at: number },
): Promise<void> {
  const earlier = await findFollowedPurchase(trx, purchase.licenceId, purchase.id);
  if (!earlier) return;
  const isRefunded = state.revocation !== null;
  const { suspension = null, revocation = null } =
    (isRefunded ? await readState(earlier.id) : undefined) ?? {};
  await restrictLicence(trx, licence, {
    purchase: isRefunded ? { id: earlier.id, isSuspended: false, isRevoked: false } : earlier,
    state: { suspension, revocation },
    ...by,
  });
}

const hasPlanChanged = (before: Purchase, { tier, quantity }: PlannedState): boolean =>
  tier !== before.tier || quantity !== before.quantity;

/** The columns that differ from the previous state of the purchase. */
function toLicenceChanges(licence: Licence, before: Purchase, state: PlannedState) {
  const isExpiryUnchanged = licence.expiresAt === before.expiresAt;
  return {
    ...(hasPlanChanged(before, state) && toPlanColumns(licence, state)),
    ...(state.expiresAt !== before.expiresAt && {
      // An expiry that was changed by hand is not shortened.
      expires_at: isExpiryUnchanged
        ? state.expiresAt
        : Math.max(licence.expiresAt, state.expiresAt),
    }),
    ...(state.graceDays !== before.graceDays &&
      licence.graceDays === before.graceDays && { grace_days: state.graceDays }),
    ...(before.replaced &&
      (state.revocation !== null) !== before.isRevoked &&
      revertOrRestore(licence, { ...before, replaced: before.replaced }, state)),
  };
}

/** The columns of the licence without a refunded renewal, or with one whose refund has failed. */
function revertOrRestore(
  licence: Licence,
  { expiresAt, replaced }: Purchase & { replaced: Replaced },
  state: PlannedState,
) {
  const { package_sites: _ofPlan, ...without } = replaced;
  const renewed = {
    ...toPlanColumns(licence, state),
    expires_at: state.expiresAt,
    grace_days: state.graceDays,
    is_trial: 0 as const,
  };
  const isReverted = state.revocation !== null;
  const columns = isReverted ? without : renewed;
  const isByHand = licence.expiresAt !== (isReverted ? expiresAt : replaced.expires_at);
  return isByHand
    ? { ...columns, expires_at: Math.max(licence.expiresAt, columns.expires_at) }
    : columns;
}

/** The action in the audit log. */
function toAction(fact: Fact): string {
  switch (fact.kind) {
    case 'refund':
      return fact.isFull ? 'payment_refunded' : 'payment_partly_refunded';
    case 'dispute':
      return fact.outcome === 'open' ? 'payment_disputed' : `dispute_${fact.outcome}`;
    default:
      return ACTIONS[fact.kind];
  }
}

const ACTIONS = {
  session: 'checkout_reported',
  session_failed: 'checkout_reported',
  invoice_paid: 'payment_received',
  invoice_failed: 'payment_failed',
  subscription: 'subscription_changed',
  subscription_ended: 'subscription_ended',
  refund_failed: 'refund_failed',
  link: 'payment_linked',
} as const;
