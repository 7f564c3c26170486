import { DAY_MS } from '../../platform/durations.ts';
import type { LicenceMode } from './key.ts';
import type { Tier } from './tiers.ts';

/** The `expires_at` of a lifetime licence. */
export const NEVER = Date.parse('9999-12-31T23:59:59.000Z');

export const LICENCE_STATUSES = ['active', 'expired', 'suspended', 'revoked'] as const;
export type LicenceStatus = (typeof LICENCE_STATUSES)[number];

/** A licence as the rest of the product sees it; moments in epoch milliseconds. */
export interface Licence {
  id: number;
  publicId: string;
  customerId: number;
  mode: LicenceMode;
  tier: Tier;
  sitesAllowed: number;
  /** Days after `expiresAt` in which the licence still works. */
  graceDays: number;
  developmentSitesFree: boolean;
  issuedAt: number;
  /** The end of what is paid, before any grace: `paid_until` outside. */
  expiresAt: number;
  suspendedAt: number | null;
  revokedAt: number | null;
  /** When its customer got it from another one; null if it always was theirs. */
  transferredAt: number | null;
  /** Internal notes; the Licence API does not show them. */
  notes: string;
}

/** When the licence stops working: its expiry plus the grace period. */
export const getGraceEnd = ({
  expiresAt,
  graceDays,
}: Pick<Licence, 'expiresAt' | 'graceDays'>): number => expiresAt + graceDays * DAY_MS;

/**
 * What `expires_at` says at a moment: the end of what is paid and, once that has passed, the end of
 * grace. So a licence that is valid never shows an end in the past.
 */
export const getExpiry = (
  licence: Pick<Licence, 'expiresAt' | 'graceDays'>,
  now: number,
): number => (now < licence.expiresAt ? licence.expiresAt : getGraceEnd(licence));

/**
 * What a licence is at a moment. Revoked outweighs suspended outweighs expired, and a licence is
 * expired from its last millisecond on.
 */
export function getLicenceStatus(
  licence: Pick<Licence, 'expiresAt' | 'graceDays' | 'suspendedAt' | 'revokedAt'>,
  now: number,
): LicenceStatus {
  if (licence.revokedAt !== null) return 'revoked';
  if (licence.suspendedAt !== null) return 'suspended';
  return now >= getGraceEnd(licence) ? 'expired' : 'active';
}

/**
 * The page on which the customer of a licence renews it. It asks for a sign-in, so it can stand where
 * others read it: it holds no key.
 * @param publicUrl of the Licence API
 */
export const toRenewalUrl = (publicUrl: string, { publicId }: Pick<Licence, 'publicId'>): string =>
  `${new URL(publicUrl).origin}/account/renew?licence=${publicId}`;

/** For a licence without a free activation. The contract asks for both counts. */
export const describeFullLicence = (used: number, allowed: number): string =>
  used === 1 && allowed === 1
    ? 'The only activation is already in use (1 of 1).'
    : `${used} of ${allowed} activations are in use.`;
