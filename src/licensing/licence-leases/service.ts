import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { assertActive, licenceNotFound, type SiteCredentials } from '../activations/index.ts';
import { hashKey } from '../licences/index.ts';
import { signToken } from '../signing-keys/index.ts';
import { readSnapshot } from '../validation/index.ts';
import { type LeaseClaims, toLeaseClaims } from './rules.ts';

/**
 * Signs a lease for an activated site: a JWT that proves its licence offline. Nothing revokes a lease, so it is made
 * from the database and not from the cache of validation.
 * @param publicUrl of the Licence API
 * @throws DomainError `licence_not_found`, also for the key of another product; `licence_expired`,
 * `licence_suspended`, `licence_revoked`; `site_not_activated`
 */
export async function createLicenceLease(
  platform: Platform,
  { licenceKey, siteUrl, site, product }: SiteCredentials,
  days: number,
  publicUrl: string,
): Promise<{ lease: string; kid: string; claims: LeaseClaims }> {
  const snapshot = await readSnapshot(platform, hashKey(platform, licenceKey));
  const isOther = product !== undefined && product !== snapshot?.product;
  if (!snapshot || isOther) throw licenceNotFound();
  const now = platform.clock.now();
  assertActive(snapshot.licence, now, publicUrl);
  if (!snapshot.activeSites.has(site)) {
    const message = `${siteUrl} is not activated. Activate it with POST /licence/activate first.`;
    throw new DomainError('forbidden', 'site_not_activated', message);
  }
  const claims = toLeaseClaims(snapshot.licence, { ...snapshot, site, siteUrl }, days, now);
  const { token, kid } = await signToken(platform, 'pavis-lease+jwt', claims);
  return { lease: token, kid, claims };
}
