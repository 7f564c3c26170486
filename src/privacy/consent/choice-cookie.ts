import type { NewConsent } from './recording/store.ts';

const COOKIE = 'pavis_consent';

interface SentChoice {
  visitor_id: string;
  consent_action: string;
  categories_accepted?: string[];
  /** When the visitor decided, in epoch seconds. */
  at?: number;
}

/**
 * Whether the browser holds another choice of this visitor, made at the same time or later. That is so where a
 * banner could not send a decision at once, and the visitor has decided again meanwhile.
 */
export function isSuperseded(sent: SentChoice, cookies: string | undefined): boolean {
  const { at } = sent;
  const text = at === undefined ? undefined : findCookie(cookies);
  if (at === undefined || text === undefined) return false;
  try {
    const held = JSON.parse(decodeURIComponent(text)) as SentChoice;
    if (held.visitor_id !== sent.visitor_id || !(Number(held.at) >= at)) return false;
    return Number(held.at) > at || !isSameChoice(held, sent);
  } catch {
    return false;
  }
}

const findCookie = (cookies: string | undefined): string | undefined =>
  cookies === undefined ? undefined : new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]*)`).exec(cookies)?.[1];

const isSameChoice = (one: SentChoice, other: SentChoice): boolean =>
  one.consent_action === other.consent_action &&
  String(one.categories_accepted) === String(other.categories_accepted);

/**
 * The choice as the banner keeps it, set by the server where site and service share an origin:
 * browsers that let scripts keep a cookie for a week only keep this one until it expires (decision
 * 32). The format is the banner's own, see docs/guides/banner.md.
 */
export function choiceCookie(
  consent: NewConsent & { visitorToken: string | undefined },
  isSecure: boolean,
): string {
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
    ...(consent.visitorToken !== undefined && { visitor_token: consent.visitorToken }),
  };
  const value = encodeURIComponent(JSON.stringify(choice));
  const secure = isSecure ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/; Max-Age=${until - at}; SameSite=Lax${secure}`;
}
