import { toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { recountSlots } from '../activations/index.ts';
import { findCustomerByEmail } from '../customers/index.ts';
import {
  announceLicence,
  appendEvent,
  findLicenceWithCustomer,
  type IssuedLicence,
  issueLicenceWithin,
  type Licence,
  lockLicence,
  updateLicence,
} from '../licences/index.ts';
import { restrictLicence } from './apply-payment.ts';
import type { Amount } from './facts.ts';
import { mailKey, mailRenewal } from './mails.ts';
import { findOrder } from './orders/store.ts';
import { assignEvents } from './payment-events/store.ts';
import type { CheckoutOutcome } from './payment-webhooks.ts';
import { addRemainingDays, type PlannedState, toPlanColumns } from './planned-state.ts';
import {
  endOlderPurchases,
  findFollowedPurchase,
  insertPurchase,
  toPurchaseValues,
} from './purchases/store.ts';
import { getYearEnd } from './rules.ts';
import { warnOfUnknownPrice } from './warnings.ts';

interface PaidSession {
  state: PlannedState;
  /** The payment events that the state follows from. */
  events: number[];
  /** What was paid; undefined if it is not known yet. */
  amount: Amount | undefined;
  /** The address of the buyer. */
  email: string | undefined;
  actor: string;
}

/** Issues the licence for a paid session. */
export async function issuePurchase(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { state, events, amount, email, actor }: PaidSession,
): Promise<IssuedLicence | undefined> {
  const address = readEmail(email ?? '');
  const { session, mode, product, tier, expiresAt, graceDays, sites } = state;
  if (!address) {
    platform.log.error({ session }, 'paid, but without an address to issue to');
    return undefined;
  }
  const terms = { mode, product, tier, sitesAllowed: sites, expiresAt, graceDays };
  const request = { email: address, ...terms, isArchivedAllowed: true, payment: amount };
  const issued = await issueLicenceWithin(platform, trx, announce, request, actor);
  const { licence } = issued;
  const id = await insertPurchase(trx, {
    ...toPurchaseValues(state),
    session_id: session,
    licence_id: licence.id,
    customer_id: licence.customerId,
    package_sites: state.packageSites,
    bought_at: state.paidAt,
    year_ends_at: getYearEnd(state.paidAt),
  });
  await assignEvents(trx, events, id);
  const reported = { licence, purchaseId: id, state, actor };
  const restricted = await restrictAtOnce(platform, trx, announce, reported);
  warnOfUnknownPrice(platform, licence, state);
  if (!state.revocation)
    await mailKey(platform, trx, announce, { ...issued, licence: restricted }, state);
  return issued;
}

/**
 * Suspends or revokes a licence whose dispute, refund or missing payment was reported before its purchase.
 * @returns the licence after that
 */
async function restrictAtOnce(
  { clock }: Platform,
  trx: Trx,
  announce: Announce,
  {
    licence,
    purchaseId: id,
    state,
    actor,
  }: { licence: Licence; purchaseId: number; state: PlannedState; actor: string },
): Promise<Licence> {
  if (!state.suspension && !state.revocation) return licence;
  const at = clock.now();
  const purchase = { id, isSuspended: false, isRevoked: false };
  await restrictLicence(trx, licence, { purchase, state, actor, at });
  const action = state.revocation ? 'revoked' : 'suspended';
  const details = { session: state.session };
  await appendEvent(trx, announce, licence.id, { at, actor, action, details });
  return (await lockLicence(trx, licence.publicId)) ?? licence;
}

/**
 * Renews the licence of a paid session, which follows this purchase from now on. A suspension stays. If the
 * licence cannot be renewed any more, only the purchase is recorded, and the log asks the vendor to refund it.
 * @returns undefined if the licence does not exist, or the payment was refunded or lost in a dispute before
 */
export async function applyRenewal(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { state, events, amount, email, actor }: PaidSession,
): Promise<CheckoutOutcome | undefined> {
  const { session, licence: id = '', paidAt } = state;
  const about = { session, licence: id };
  const found = await findLicenceWithCustomer(trx, id);
  const licence = await lockLicence(trx, id);
  if (!found || !licence) {
    platform.log.error(about, 'paid for a licence that does not exist: refund it');
    return undefined;
  }
  const now = platform.clock.now();
  const { tier, sitesAllowed, expiresAt, graceDays } = licence;
  const planned = toPlanColumns(licence, state);
  const replaced = {
    tier,
    sites_allowed: sitesAllowed,
    expires_at: expiresAt,
    grace_days: graceDays,
    ...(licence.isTrial && { is_trial: 1 as const }),
    ...('development_sites_free' in planned && {
      development_sites_free: licence.developmentSitesFree ? (1 as const) : (0 as const),
    }),
    package_sites: state.packageSites,
  };
  const applied = {
    ...toPurchaseValues(state),
    expires_at: addRemainingDays(state, { replaced, boughtAt: paidAt }),
  };
  // A deleted customer has no email address.
  const isDeleted = !readEmail(found.email);
  const followed = await findFollowedPurchase(trx, licence.publicId);
  // A renewal that was paid later arrived first.
  const isOutdated = (followed?.boughtAt ?? 0) > paidAt;
  const isRefused =
    licence.revokedAt !== null || licence.mode !== state.mode || isDeleted || isOutdated;
  const isRecordedOnly = isRefused || state.revocation !== null;
  const purchaseId = await insertPurchase(trx, {
    ...applied,
    ...(isRecordedOnly && { renews: 0 }),
    is_refused: isRefused ? 1 : 0,
    session_id: session,
    licence_id: licence.id,
    customer_id: await findBuyer(trx, licence, { session, email }),
    package_sites: state.packageSites,
    bought_at: paidAt,
    year_ends_at: getYearEnd(paidAt),
    replaced: JSON.stringify(replaced),
  });
  await assignEvents(trx, events, purchaseId);
  if (isRecordedOnly) {
    const { revocation } = state;
    const returned = revocation === 'dispute_lost' ? revocation : 'payment_refunded';
    const action = revocation ? returned : 'renewal_refused';
    await appendEvent(trx, announce, licence.id, {
      at: now,
      actor,
      action,
      details: { session, ...amount },
    });
    // What was refunded or lost before has nothing left to refund.
    if (revocation) return undefined;
    platform.log.error(about, 'paid for a licence that cannot be renewed: refund it');
    return 'renewal_refused';
  }
  await endOlderPurchases(trx, { licenceId: licence.id, before: purchaseId });
  // The key and the activated sites stay.
  const changed = await updateLicence(trx, licence.id, {
    ...planned,
    expires_at: applied.expires_at,
    grace_days: state.graceDays,
    is_trial: 0,
  });
  if ('development_sites_free' in planned) await recountSlots(trx, changed);
  await appendEvent(trx, announce, licence.id, {
    at: now,
    actor,
    action: 'renewed',
    details: {
      session,
      ...amount,
      expires_at: toIsoMoment(changed.expiresAt),
      ...(changed.tier !== tier && { tier: changed.tier }),
      ...(changed.sitesAllowed !== sitesAllowed && { sites_allowed: changed.sitesAllowed }),
    },
  });
  const reported = { licence: changed, purchaseId, state, actor };
  const renewed = await restrictAtOnce(platform, trx, announce, reported);
  const mailed = { ...renewed, email: found.email };
  const { renews } = state;
  await mailRenewal(platform, trx, announce, mailed, { renews, wasTrial: licence.isTrial });
  await announceLicence(trx, announce, licence.id);
  return 'licence_renewed';
}

/** The customer who paid a renewal: the former owner, if the licence was transferred during the checkout. */
async function findBuyer(
  trx: Trx,
  { customerId, transferredAt }: Licence,
  { session, email }: { session: string; email: string | undefined },
): Promise<number | null> {
  const order = await findOrder(trx, { sessionId: session });
  if (!order || transferredAt === null || order.createdAt > transferredAt) return customerId;
  return (await findCustomerByEmail(trx, readEmail(email ?? '') ?? ''))?.id ?? null;
}
