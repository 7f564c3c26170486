import type { Secret } from '../../platform/crypto/secret.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';

const PURPOSE = 'release-download';

/**
 * How long links are valid. `cached` is for updaters that keep an answer: WordPress keeps it for 12 hours
 * (`wp_update_plugins`).
 */
export const LINK_MS = { short: 15 * MINUTE_MS, cached: 13 * HOUR_MS } as const;
export type LinkLifetime = keyof typeof LINK_MS;

/** What a link allows. */
export interface DownloadGrant {
  releaseId: number;
  licenceId: string;
  /** See `toSiteKey`. */
  site: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The token of a download link. It is encrypted, so it tells nothing about the licence and the site. */
export const createDownloadToken = (
  secret: Secret,
  { releaseId, licenceId, site, expiresAt }: DownloadGrant,
): string => secret.seal(PURPOSE, JSON.stringify([releaseId, licenceId, site, expiresAt]));

/** @returns undefined for a token that was not created here; an expired one is returned */
export function readDownloadToken(secret: Secret, token: string): DownloadGrant | undefined {
  try {
    const [releaseId, licenceId, site, expiresAt] = JSON.parse(secret.unseal(PURPOSE, token));
    return { releaseId, licenceId, site, expiresAt };
  } catch {
    return undefined;
  }
}
