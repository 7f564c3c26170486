import type { NewConsent } from './recording/store.ts';

/**
 * The choice as the banner keeps it, set by the server where site and service share an origin:
 * browsers that let scripts keep a cookie for a week only keep this one until it expires (decision
 * 32). The format is the banner's own, see docs/guides/banner.md.
 */
export function choiceCookie(consent: NewConsent, isSecure: boolean): string {
  const at = Math.floor(consent.createdAt / 1_000);
  const until = Math.floor(consent.expiresAt / 1_000);
  const choice = {
    visitor_id: consent.visitorId,
    consent_action: consent.action,
    categories_accepted: consent.accepted,
    categories_rejected: consent.rejected,
    version: consent.configVersion,
    at,
    until,
    ...(consent.gpc !== null && { gpc: consent.gpc }),
  };
  const value = encodeURIComponent(JSON.stringify(choice));
  const secure = isSecure ? '; Secure' : '';
  return `pavis_consent=${value}; Path=/; Max-Age=${until - at}; SameSite=Lax${secure}`;
}
