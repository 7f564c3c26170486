/** How long what the licence server said holds (contract, "Limits"). */
const KEPT_MS = 12 * 3_600_000;
/** How soon it is asked again when it has not answered. */
const AGAIN_AFTER_MS = 10_000;

const LICENCE_KEY = /^pv_(?:live|test)_[A-Za-z0-9]{32}$/;
const START_LENGTH = 'pv_live_'.length + 4;

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
export type SiteLicenceStatus = (typeof SITE_LICENCE_STATUSES)[number];

/** What the licence server said of the key and this site. */
export interface Verdict {
  status: SiteLicenceStatus;
  valid: boolean;
  tier: string | null;
  features: string[];
  sitesAllowed: number | null;
  sitesUsed: number | null;
  /** ISO, as it was said. */
  expiresAt: string | null;
  /** ISO; absent if a licence server of before has said it. */
  paidUntil?: string | null;
  message: string;
}

/** Whether a text has the format of a licence key (contract, "Licence key"). */
export const isLicenceKey = (text: string): boolean => LICENCE_KEY.test(text);

/** The part of a key that may be shown. */
export const maskKey = (key: string): string => `${key.slice(0, START_LENGTH)}…${key.slice(-4)}`;

interface Checks {
  checkedAt: number | null;
  triedAt: number;
  failingSince: number | null;
}

/** Whether the licence server has to be asked again. */
export function isCheckDue({ checkedAt, triedAt }: Checks, now: number): boolean {
  if (checkedAt !== null && now < checkedAt + KEPT_MS) return false;
  return checkedAt === triedAt || now >= triedAt + AGAIN_AFTER_MS;
}

/** Since when what is known is not sure to be so any more; null: it is. */
export function getStaleSince({ checkedAt, triedAt, failingSince }: Checks, now: number) {
  if (failingSince !== null) return failingSince;
  if (checkedAt === null) return triedAt;
  return now >= checkedAt + KEPT_MS ? checkedAt + KEPT_MS : null;
}

/** Why a site is not active, by the codes of the refusals to activate it. */
const REASONS: Record<string, SiteLicenceStatus> = {
  activation_limit_reached: 'full',
  licence_expired: 'expired',
  licence_suspended: 'suspended',
  licence_revoked: 'revoked',
};

/** The status that a validation, and a refusal to activate if there was one, come to. */
export function toStatus(
  { valid, site_active }: { valid: boolean; site_active: boolean },
  refusal: string | undefined,
): SiteLicenceStatus {
  if (valid && site_active) return 'active';
  return (refusal && REASONS[refusal]) || (valid ? 'inactive' : 'invalid');
}
