import { toIsoMoment } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { getGraceEnd, type Licence } from '../licences/index.ts';

/** Clocks of sites may be off by this, as for the PHP client. */
const CLOCK_SKEW_MS = DAY_MS;

const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

/** What a lease says of a site: the claims of a JWT (RFC 7519). Times of the token are in seconds. */
export type LeaseClaims = ReturnType<typeof toLeaseClaims>;

/**
 * The claims of a lease. It ends after `days`, or with the licence and its grace period if that is earlier.
 * @param site see `toSiteKey`
 * @param siteUrl as it was sent, so that a plugin can compare it with its own
 * @param now in epoch milliseconds, before the end of the licence
 */
export function toLeaseClaims(
  licence: Licence,
  {
    product,
    features,
    site,
    siteUrl,
  }: { product: string; features: readonly string[]; site: string; siteUrl: string },
  days: number,
  now: number,
) {
  const graceEnd = getGraceEnd(licence);
  return {
    sub: licence.publicId,
    iat: toSeconds(now),
    nbf: toSeconds(now - CLOCK_SKEW_MS),
    exp: toSeconds(Math.min(now + days * DAY_MS, graceEnd)),
    product,
    site,
    site_url: siteUrl,
    tier: licence.tier,
    mode: licence.mode,
    features,
    paid_until: toIsoMoment(licence.expiresAt),
    grace_until: toIsoMoment(graceEnd),
  };
}
