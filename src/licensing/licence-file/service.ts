import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { CliError } from '../../platform/errors.ts';
import {
  findLicenceWithCustomer,
  getGraceEnd,
  getLicenceStatus,
  getTierFeatures,
} from '../licences/index.ts';
import { deriveSigningKey } from './rules.ts';

/**
 * A file that proves a licence to a site that cannot ask us: a JWT signed with Ed25519 (RFC 8037).
 * It names no customer and holds no key, and ends with the licence or after so many days.
 * @throws CliError if there is no such licence, or it is of no use
 */
export async function createLicenceFile(
  { datastore, secret, clock }: Platform,
  id: string,
  days: number,
): Promise<{ file: string; validUntil: number }> {
  const licence = await findLicenceWithCustomer(datastore.db, id);
  if (!licence) throw new CliError(`no licence has the id ${id}: "pavis licence list" shows them`);
  const now = clock.now();
  const status = getLicenceStatus(licence, now);
  if (status !== 'active') throw new CliError(`${id} is ${status}: no file is made for it`);
  const validUntil = Math.min(now + days * DAY_MS, getGraceEnd(licence));
  const { SignJWT } = await import('jose');
  const { kid, privateKey } = deriveSigningKey(secret);
  const file = await new SignJWT({
    tier: licence.tier,
    mode: licence.mode,
    features: getTierFeatures(licence.tier),
    sites_allowed: licence.sitesAllowed,
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'pavis-licence+jwt', kid })
    .setIssuer('pavis')
    .setSubject(licence.publicId)
    .setIssuedAt(Math.floor(now / 1_000))
    .setExpirationTime(Math.floor(validUntil / 1_000))
    .sign(privateKey);
  return { file, validUntil };
}
