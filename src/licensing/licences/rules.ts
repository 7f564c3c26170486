import type { LicenceMode } from '../../platform/crypto/licence-key.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { type Catalogue, getPlan, getProduct, NEVER, resolveFeatures } from '../products/index.ts';

/** The `sites_allowed` of a licence without a limit, and the most that one can have. */
export const UNLIMITED_SITES = 1_000_000;

export const LICENCE_STATUSES = ['active', 'expired', 'suspended', 'revoked'] as const;
export type LicenceStatus = (typeof LICENCE_STATUSES)[number];

/** Moments are in epoch milliseconds. */
export interface Licence {
  id: number;
  publicId: string;
  customerId: number;
  mode: LicenceMode;
  productId: number;
  /** The plan of the product. */
  tier: string;
  sitesAllowed: number;
  /** Days after `expiresAt` during which the licence still works. */
  graceDays: number;
  developmentSitesFree: boolean;
  issuedAt: number;
  /** End of the paid period, before the grace period; `paid_until` in the APIs. */
  expiresAt: number;
  suspendedAt: number | null;
  revokedAt: number | null;
  /** When it was transferred to its customer; null if it never was. */
  transferredAt: number | null;
  /** A trial without a card that has not been bought. */
  isTrial: boolean;
  /** Internal notes; the Licence API does not show them. */
  notes: string;
  /** Names of features beside those of the plan. */
  featuresAdded: readonly string[];
  /** Names of features that the plan has and the licence lacks. */
  featuresRemoved: readonly string[];
}

/** When the licence stops working: its expiry plus the grace period, which does not prolong a lifetime licence. */
export const getGraceEnd = ({
  expiresAt,
  graceDays,
}: Pick<Licence, 'expiresAt' | 'graceDays'>): number =>
  expiresAt < NEVER ? Math.min(NEVER, expiresAt + graceDays * DAY_MS) : expiresAt;

/**
 * `expires_at` of the APIs: the end of the paid period, or of the grace period once it runs. So a valid licence
 * never shows an expiry in the past.
 */
export const getExpiry = (
  licence: Pick<Licence, 'expiresAt' | 'graceDays'>,
  now: number,
): number => (now < licence.expiresAt ? licence.expiresAt : getGraceEnd(licence));

/** Revoked outweighs suspended, and suspended outweighs expired. */
export function getLicenceStatus(
  licence: Pick<Licence, 'expiresAt' | 'graceDays' | 'suspendedAt' | 'revokedAt'>,
  now: number,
): LicenceStatus {
  if (licence.revokedAt !== null) return 'revoked';
  if (licence.suspendedAt !== null) return 'suspended';
  return now >= getGraceEnd(licence) ? 'expired' : 'active';
}

/**
 * The page on which the customer of a licence renews it. It contains no key and requires a sign-in, so others may
 * see the URL.
 * @param publicUrl of the Licence API
 */
export const toRenewalUrl = (publicUrl: string, { publicId }: Pick<Licence, 'publicId'>): string =>
  `${new URL(publicUrl).origin}/account/renew?licence=${publicId}`;

/** The product and the features of a licence. An archived plan keeps its features. */
export function describeEntitlement(
  catalogue: Catalogue,
  {
    productId,
    tier,
    featuresAdded: added,
    featuresRemoved: removed,
  }: Pick<Licence, 'productId' | 'tier' | 'featuresAdded' | 'featuresRemoved'>,
): { product: string; plan: string; features: string[] } {
  const product = getProduct(catalogue, productId);
  const { label, features } = getPlan(product, tier);
  return {
    product: product.slug,
    plan: label,
    features: resolveFeatures(features, { added, removed }),
  };
}

/** @throws InvalidFieldError for a feature that a licence both adds to those of its plan and lacks */
export function assertDistinctFeatures(added: readonly string[], removed: readonly string[]): void {
  const both = added.filter((name) => removed.includes(name));
  if (both.length === 0) return;
  throw new InvalidFieldError(
    'features_removed',
    `A feature is either added or removed, not both: ${both.join(', ')}.`,
  );
}

/**
 * For a licence without a free activation slot. The contract requires both numbers. More sites than allowed are active
 * after the limit was lowered: then deactivating one frees no slot.
 */
export function describeFullLicence(used: number, allowed: number): string {
  const numbers =
    used === 1 && allowed === 1
      ? 'The only activation is already in use (1 of 1).'
      : `${used} of ${allowed} activations are in use.`;
  const toEnd = used - allowed + 1;
  return `${numbers} Deactivate ${toEnd === 1 ? 'a site' : `${toEnd} sites`} to free one.`;
}
