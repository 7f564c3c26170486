/** A suspension may end, a revocation is permanent. */
export const RESTRICTION_EFFECTS = ['suspended', 'revoked'] as const;
export type RestrictionEffect = (typeof RESTRICTION_EFFECTS)[number];

/** `manual` is set by hand. The others follow from payments and end with their cause. */
export const RESTRICTION_CAUSES = [
  'manual',
  'disputed',
  'unpaid',
  'paused',
  'dispute_lost',
  'refunded',
] as const;
export type RestrictionCause = (typeof RESTRICTION_CAUSES)[number];

/** A reason why a licence is suspended or revoked. It can have several. */
export interface Restriction {
  effect: RestrictionEffect;
  cause: RestrictionCause;
  /** The purchase whose payments are the cause; null if done by hand. */
  purchaseId: number | null;
  /** Epoch milliseconds. */
  since: number;
  actor: string;
}
