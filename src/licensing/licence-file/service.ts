import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { DomainError, NotFoundError } from '../../platform/errors.ts';
import {
  describeEntitlement,
  findLicenceWithCustomer,
  getGraceEnd,
  getLicenceStatus,
} from '../licences/index.ts';
import { signToken } from '../signing-keys/index.ts';

/**
 * A licence file for sites without access to the Licence API: a JWT signed with Ed25519 (RFC 8037).
 * It names no customer and contains no key. It ends with the licence or after `days`, whichever is earlier.
 * @throws NotFoundError; DomainError `not_possible` if the licence is not active
 */
export async function createLicenceFile(
  platform: Platform,
  id: string,
  days: number,
): Promise<{ file: string; validUntil: number }> {
  const { datastore, clock, catalogue } = platform;
  const licence = await findLicenceWithCustomer(datastore.db, id);
  if (!licence) throw new NotFoundError(`Licence ${id}`);
  const now = clock.now();
  const status = getLicenceStatus(licence, now);
  if (status !== 'active') {
    const message = `Licence ${id} is ${status}. Licence files are created for active licences only.`;
    throw new DomainError('conflict', 'not_possible', message);
  }
  const validUntil = Math.min(now + days * DAY_MS, getGraceEnd(licence));
  const { product, features } = describeEntitlement(await catalogue.read([licence]), licence);
  const { token: file } = await signToken(platform, 'pavis-licence+jwt', {
    // One key signs for all products.
    product,
    tier: licence.tier,
    mode: licence.mode,
    features,
    sites_allowed: licence.sitesAllowed,
    sub: licence.publicId,
    iat: Math.floor(now / 1_000),
    exp: Math.floor(validUntil / 1_000),
  });
  return { file, validUntil };
}
