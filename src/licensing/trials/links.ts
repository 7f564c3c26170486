import type { Secret } from '../../platform/crypto/secret.ts';
import { HOUR_MS } from '../../platform/durations.ts';

const PURPOSE = 'trial-link';

export const LINK_HOURS = 24;
export const LINK_MS = LINK_HOURS * HOUR_MS;

/** A trial that somebody has asked for. */
export interface TrialGrant {
  email: string;
  siteUrl: string;
  /** The slug of the product. */
  product: string;
  tier: string;
}

/**
 * The token of the link in the email. It holds all that starting the trial needs, so nothing about people is stored
 * before they confirm. It is encrypted, because addresses of pages end up in logs and histories.
 */
export const createTrialToken = (
  secret: Secret,
  { email, siteUrl, product, tier }: TrialGrant,
  now: number,
): string => secret.seal(PURPOSE, JSON.stringify([email, siteUrl, product, tier, now + LINK_MS]));

/** @returns undefined for a token that was not created here or has expired */
export function readTrialToken(secret: Secret, token: string, now: number): TrialGrant | undefined {
  try {
    const [email, siteUrl, product, tier, until] = JSON.parse(secret.unseal(PURPOSE, token));
    return now < until ? { email, siteUrl, product, tier } : undefined;
  } catch {
    return undefined;
  }
}
