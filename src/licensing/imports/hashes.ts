import type { Platform } from '../../platform/deps.ts';
import { deriveKey, type Licence } from '../licences/index.ts';
import type { ImportedLicence } from './read-entry.ts';
import type { ImportedFields } from './rules.ts';

/** The form in which old keys are stored and looked up. */
export const hashOldKey = ({ secret }: Platform, oldKey: string): string =>
  secret.hash('old-licence-key', oldKey);

/** What makes an imported licence the same one in a later file. */
export const hashIdentity = (
  { secret }: Platform,
  source: string,
  { externalId, oldKey, product }: ImportedLicence,
): string =>
  secret.hash(
    'imported-licence',
    JSON.stringify(externalId === undefined ? ['key', product, oldKey] : [source, externalId]),
  );

/**
 * The new key of a licence with an old key. It can be given to several sites and again after a lost response, although
 * only its hash is stored: it takes the secret, the licence and the old key to derive it.
 */
export const deriveNewKey = (
  { secret }: Platform,
  { mode, publicId }: Pick<Licence, 'mode' | 'publicId'>,
  oldKey: string,
): string => deriveKey(mode, secret.hash('exchanged-licence-key', `${publicId}\n${oldKey}`));

/** An email address as it is compared. */
export const hashEmail = ({ secret }: Platform, email: string): string =>
  secret.hash('imported-email', email);

/** @param sitesAllowed for a source that leaves the number open */
export function toFields(
  platform: Platform,
  licence: ImportedLicence,
  sitesAllowed: number,
): ImportedFields {
  const sites = licence.sites.map(({ site }) => site).sort();
  return {
    email: hashEmail(platform, licence.email),
    product: licence.product,
    mode: licence.mode,
    tier: licence.tier,
    sites_allowed: licence.sitesAllowed ?? sitesAllowed,
    expires_at: licence.expiresAt,
    status: licence.status,
    sites: platform.secret.hash('imported-sites', sites.join('\n')),
  };
}
