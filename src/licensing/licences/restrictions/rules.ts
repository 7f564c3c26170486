/** What stops a licence: a suspension may end, a revocation is meant for good. */
export const RESTRICTION_EFFECTS = ['suspended', 'revoked'] as const;
export type RestrictionEffect = (typeof RESTRICTION_EFFECTS)[number];

/** Why a licence is stopped. `manual` is by hand; all others follow from payments and end with their cause. */
export const RESTRICTION_CAUSES = [
  'manual',
  'disputed',
  'unpaid',
  'paused',
  'dispute_lost',
  'refunded',
] as const;
export type RestrictionCause = (typeof RESTRICTION_CAUSES)[number];

/** A cause for which a licence is stopped. Several can stand at once. */
export interface Restriction {
  effect: RestrictionEffect;
  cause: RestrictionCause;
  /** The purchase whose payments are the cause; null: it was done by hand. */
  purchaseId: number | null;
  /** Epoch milliseconds. */
  since: number;
  actor: string;
}
