import { toIsoMoment } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { needsSlot } from '../activations/index.ts';
import {
  describeFullLicence,
  getGraceEnd,
  getLicenceStatus,
  type Licence,
  toExpiry,
} from '../licences/index.ts';

/** The data that validation needs about a licence key. */
export interface LicenceSnapshot {
  licence: Licence;
  /** When the key stops working; null for the current key. */
  keyRetiresAt: number | null;
  /** Whether a subscription renews the licence automatically. */
  renews: boolean;
  /** Site keys, see `toSiteKey`. */
  activeSites: ReadonlySet<string>;
  sitesUsed: number;
  /** The slug of its product. */
  product: string;
  features: readonly string[];
}

/** What decided about a licence and a site. `active` and `grace`: the site is activated. */
export const VALIDATION_STATES = [
  'active',
  'grace',
  'not_activated',
  'limit_reached',
  'expired',
  'suspended',
  'revoked',
] as const;
export type ValidationState = (typeof VALIDATION_STATES)[number];

export type RenewalUrl = (licence: Licence) => string;

/** A licence is valid for a site if it is active, and the site is activated, or a slot is free or not needed. */
function decide(
  snapshot: LicenceSnapshot,
  site: string,
  now: number,
  renewalUrl: RenewalUrl,
): { valid: boolean; siteActive: boolean; state: ValidationState; message: string } {
  const { licence, activeSites, sitesUsed } = snapshot;
  const siteActive = activeSites.has(site);
  const refuse = (state: ValidationState, message: string) => ({
    valid: false,
    siteActive,
    state,
    message,
  });

  const status = getLicenceStatus(licence, now);
  switch (status) {
    case 'revoked':
      return refuse(status, 'Licence has been revoked.');
    case 'suspended':
      return refuse(status, 'Licence is suspended.');
    case 'expired':
      return refuse(
        status,
        `Licence expired on ${toIsoMoment(getGraceEnd(licence))}. Renew it at ${renewalUrl(licence)}`,
      );
  }
  if (!siteActive && sitesUsed >= licence.sitesAllowed && needsSlot(licence, site)) {
    return refuse('limit_reached', describeFullLicence(sitesUsed, licence.sitesAllowed));
  }
  const use = siteActive
    ? 'Licence is active for this site.'
    : `Licence is active. Activation slots in use: ${sitesUsed} of ${licence.sitesAllowed}.`;
  const state = now < licence.expiresAt ? 'active' : 'grace';
  return {
    valid: true,
    siteActive,
    state: siteActive ? state : 'not_activated',
    message: use + graceNote(snapshot, now, renewalUrl),
  };
}

function graceNote(
  { licence, renews }: LicenceSnapshot,
  now: number,
  renewalUrl: RenewalUrl,
): string {
  if (now < licence.expiresAt) return '';
  const days = Math.ceil((getGraceEnd(licence) - now) / DAY_MS);
  const end = `stops working in ${days} ${days === 1 ? 'day' : 'days'}.`;
  const url = renewalUrl(licence);
  return renews
    ? ` The paid period has ended. The licence renews automatically as soon as the payment is confirmed. Without a payment, it ${end} Check the payment at ${url}`
    : ` The paid period has ended. The licence ${end} Renew it at ${url}`;
}

/** The response of the Licence API; undefined once the key is retired. */
export function getValidationResult(
  snapshot: LicenceSnapshot,
  site: string,
  now: number,
  renewalUrl: RenewalUrl,
) {
  if (snapshot.keyRetiresAt !== null && now >= snapshot.keyRetiresAt) return undefined;
  const { licence, sitesUsed, product, features } = snapshot;
  const { valid, siteActive, state, message } = decide(snapshot, site, now, renewalUrl);
  const { expires_at, paid_until } = toExpiry(licence, now);
  return {
    valid,
    tier: licence.tier,
    sites_allowed: licence.sitesAllowed,
    sites_used: sitesUsed,
    expires_at,
    message,
    site_active: siteActive,
    paid_until,
    mode: licence.mode,
    product,
    features: [...features],
    state,
  };
}

/**
 * Until when `getValidationResult` stays the same for this snapshot: the next expiry, end of a day of the grace
 * period, or retirement of the key.
 */
export function getUnchangedUntil({ licence, keyRetiresAt }: LicenceSnapshot, now: number): number {
  const graceDays = Array.from(
    { length: licence.graceDays + 1 },
    (_, day) => licence.expiresAt + day * DAY_MS,
  );
  const moments = [...graceDays, keyRetiresAt ?? Number.POSITIVE_INFINITY];
  return Math.min(...moments.filter((moment) => moment > now));
}
