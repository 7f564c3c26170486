import { isRecent } from '../../platform/clock.ts';
import { formatSiteKey } from '../../platform/http/site-key.ts';
import type { SiteLicenceTable } from './tables.ts';

/** The answer of the licence server is valid for 12 hours (contract, "Limits"), if the licence does not end before. */
const VALID_MS = 12 * 3_600_000;
const RETRY_AFTER_MS = 10_000;

export const SITE_LICENCE_STATUSES = [
  'none',
  'unverified',
  'active',
  'inactive',
  'full',
  'expired',
  'suspended',
  'revoked',
  'invalid',
  'unknown_key',
] as const;
type SiteLicenceStatus = (typeof SITE_LICENCE_STATUSES)[number];

/** What the licence server answered about the key and this site. */
export interface Verdict {
  status: SiteLicenceStatus;
  valid: boolean;
  tier: string | null;
  features: string[];
  sitesAllowed: number | null;
  sitesUsed: number | null;
  /** ISO 8601, as in the answer. */
  expiresAt: string | null;
  /** ISO 8601; absent if the licence server is of an earlier version. */
  paidUntil?: string | null;
  message: string;
}

/** A verdict without a licence. */
export const createEmptyVerdict = (status: SiteLicenceStatus, message: string): Verdict => ({
  status,
  valid: false,
  tier: null,
  features: [],
  sitesAllowed: null,
  sitesUsed: null,
  expiresAt: null,
  message,
});

/** Whether a licence server counts two URLs as one site. */
export const isSameSite = (one: string, other: string): boolean =>
  formatSiteKey(new URL(one)) === formatSiteKey(new URL(other));

interface Checks extends Pick<SiteLicenceTable, 'checked_at' | 'tried_at' | 'failing_since'> {
  verdict: Verdict | null;
}

/** For how long the answer of a moment is current. */
function getValidMs(checkedAt: number, verdict: Verdict | null): number {
  const left = Date.parse(verdict?.expiresAt ?? '') - checkedAt;
  return left > 0 ? Math.min(left, VALID_MS) : VALID_MS;
}

/** Whether the licence server has to be asked again. */
export function isCheckDue({ checked_at, tried_at, verdict }: Checks, now: number): boolean {
  if (checked_at !== null && isRecent(checked_at, getValidMs(checked_at, verdict), now))
    return false;
  return checked_at === tried_at || !isRecent(tried_at, RETRY_AFTER_MS, now);
}

/** Since when the stored verdict can be outdated; null if it is current. */
export function getStaleSince(
  { checked_at, tried_at, failing_since, verdict }: Checks,
  now: number,
): number | null {
  if (failing_since !== null) return failing_since;
  if (checked_at === null) return tried_at;
  const end = checked_at + getValidMs(checked_at, verdict);
  return now >= end ? end : null;
}

/** By the error code of the activation. */
const INACTIVE_STATUSES: Record<string, SiteLicenceStatus> = {
  activation_limit_reached: 'full',
  licence_expired: 'expired',
  licence_suspended: 'suspended',
  licence_revoked: 'revoked',
};

/** @param refusal the error code if the activation was refused */
export function toStatus(
  { valid, site_active }: { valid: boolean; site_active: boolean },
  refusal: string | undefined,
): SiteLicenceStatus {
  if (valid && site_active) return 'active';
  return (refusal && INACTIVE_STATUSES[refusal]) || (valid ? 'inactive' : 'invalid');
}
