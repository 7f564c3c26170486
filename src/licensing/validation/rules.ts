import { toIsoMoment } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import {
  describeFullLicence,
  getGraceEnd,
  getLicenceStatus,
  type Licence,
  toExpiry,
} from '../licences/index.ts';

/** All that validation needs to know about a licence key. */
export interface LicenceSnapshot {
  licence: Licence;
  /** When the key itself stops working, if another has taken its place. */
  keyRetiresAt: number | null;
  /** Keys of the sites that are active. */
  activeSites: ReadonlySet<string>;
  sitesUsed: number;
}

/** Where the customer of a licence renews it. */
export type RenewalUrl = (licence: Licence) => string;

interface Verdict {
  valid: boolean;
  siteActive: boolean;
  message: string;
}

/**
 * Whether a licence is valid for a site at a moment, and which rule decided: a licence is valid while
 * it is usable and the site is active or a slot is free.
 */
function decide(
  { licence, activeSites, sitesUsed }: LicenceSnapshot,
  site: string,
  now: number,
  renewalUrl: RenewalUrl,
): Verdict {
  const siteActive = activeSites.has(site);
  const refuse = (message: string): Verdict => ({ valid: false, siteActive, message });

  switch (getLicenceStatus(licence, now)) {
    case 'revoked':
      return refuse('Licence has been revoked.');
    case 'suspended':
      return refuse('Licence is suspended.');
    case 'expired':
      return refuse(
        `Licence expired on ${toIsoMoment(getGraceEnd(licence))}. Renew it at ${renewalUrl(licence)}`,
      );
  }
  if (!siteActive && sitesUsed >= licence.sitesAllowed) {
    return refuse(
      `${describeFullLicence(sitesUsed, licence.sitesAllowed)} Deactivate a site to free one.`,
    );
  }
  const use = siteActive
    ? 'Licence is active for this site.'
    : `Licence is active. Activation slots in use: ${sitesUsed} of ${licence.sitesAllowed}.`;
  return { valid: true, siteActive, message: use + graceNote(licence, now, renewalUrl) };
}

function graceNote(licence: Licence, now: number, renewalUrl: RenewalUrl): string {
  if (now < licence.expiresAt) return '';
  const days = Math.ceil((getGraceEnd(licence) - now) / DAY_MS);
  return ` The paid period has ended. The licence stops working in ${days} ${days === 1 ? 'day' : 'days'}. Renew it at ${renewalUrl(licence)}`;
}

/**
 * The answer about a licence, as the contract words it; undefined once the key that asks has been
 * replaced by another.
 */
export function getValidationResult(
  snapshot: LicenceSnapshot,
  site: string,
  now: number,
  renewalUrl: RenewalUrl,
) {
  if (snapshot.keyRetiresAt !== null && now >= snapshot.keyRetiresAt) return undefined;
  const { licence, sitesUsed } = snapshot;
  const { valid, siteActive, message } = decide(snapshot, site, now, renewalUrl);
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
  };
}

/**
 * Until when `validationResult` says the same of this snapshot, if nothing is changed: the next
 * moment after `now` at which the licence expires, a day of its grace is over, or its key retires.
 */
export function getUnchangedUntil({ licence, keyRetiresAt }: LicenceSnapshot, now: number): number {
  const graceDays = Array.from(
    { length: licence.graceDays + 1 },
    (_, day) => licence.expiresAt + day * DAY_MS,
  );
  const turns = [...graceDays, keyRetiresAt ?? Number.POSITIVE_INFINITY].filter(
    (moment) => moment > now,
  );
  return Math.min(...turns);
}
