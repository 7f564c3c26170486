import { toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import {
  announceLicence,
  appendEvent,
  findLicenceWithCustomer,
  type Licence,
  lockLicence,
  updateLicence,
} from '../licences/index.ts';
import { mailRenewal } from './mails.ts';
import { assignEvents } from './payment-events/store.ts';
import { endOlderPurchases, insertPurchase, type NewPurchase } from './purchases/store.ts';
import { addRemainingDays, getYearEnd, type PaymentState, type Replaced } from './rules.ts';

interface Renewing {
  state: PaymentState;
  /** What is kept of the state with the purchase. */
  applied: Pick<
    NewPurchase,
    'tier' | 'quantity' | 'expires_at' | 'grace_days' | 'is_suspended' | 'is_revoked' | 'renews'
  >;
  /** How many it is for. */
  sites: number;
  /** What it follows from. */
  events: number[];
  actor: string;
}

const toReplaced = (licence: Licence): Replaced => ({
  tier: licence.tier,
  sites_allowed: licence.sitesAllowed,
  expires_at: licence.expiresAt,
  grace_days: licence.graceDays,
});

/**
 * Lets a paid session renew the licence that it was begun for: from now on the licence follows this
 * purchase. A suspension stays. Where the licence cannot be renewed any more, the purchase is only
 * recorded, and the log tells the vendor to refund it.
 */
export async function applyRenewal(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { state, applied, sites, events, actor }: Renewing,
): Promise<void> {
  const { session, licence: id = '' } = state;
  const found = await findLicenceWithCustomer(trx, id);
  const licence = await lockLicence(trx, id);
  if (!found || !licence) {
    platform.log.error(
      { session, licence: id },
      'paid for a licence that does not exist: refund it',
    );
    return;
  }
  const now = platform.clock.now();
  const replaced = toReplaced(licence);
  const expiresAt = addRemainingDays(state, sites, { replaced, boughtAt: now });
  const purchaseId = await insertPurchase(trx, {
    ...applied,
    session_id: session,
    licence_id: licence.id,
    customer_id: licence.customerId,
    bought_at: now,
    year_ends_at: getYearEnd(now),
    expires_at: expiresAt,
    replaced: JSON.stringify(replaced),
  });
  await assignEvents(trx, events, purchaseId);
  const isRefused = licence.revokedAt !== null || licence.mode !== state.mode;
  if (isRefused || applied.is_revoked === 1) {
    if (isRefused) {
      platform.log.error(
        { session, licence: id },
        'paid for a licence that cannot be renewed: refund it',
      );
    }
    const action = isRefused ? 'renewal_refused' : 'payment_refunded';
    await appendEvent(trx, licence.id, { at: now, actor, action, details: { session } });
    return;
  }
  await endOlderPurchases(trx, { licenceId: licence.id, before: purchaseId });
  // Neither its key nor its sites are touched.
  const changed = await updateLicence(trx, licence.id, {
    tier: state.tier,
    sites_allowed: sites,
    expires_at: expiresAt,
    grace_days: state.graceDays,
  });
  await appendEvent(trx, licence.id, {
    at: now,
    actor,
    action: 'renewed',
    details: {
      session,
      expires_at: toIsoMoment(changed.expiresAt),
      ...(changed.tier !== licence.tier && { tier: changed.tier }),
      ...(changed.sitesAllowed !== licence.sitesAllowed && { sites_allowed: changed.sitesAllowed }),
    },
  });
  await mailRenewal(platform, trx, announce, { ...changed, email: found.email });
  await announceLicence(trx, announce, licence.id);
}
