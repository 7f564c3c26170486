import { LRUCache } from 'lru-cache';
import type { NewConsent } from './recording/store.ts';
import { isEarlierChoice } from './shared-choices/rules.ts';

const COOKIE = 'pavis_consent';
/** The longest that browsers keep a cookie. How long a refusal holds is decided by its age, see web/banner/consent.ts. */
const REFUSAL_KEPT_S = 400 * 86_400;
const CLOCK_TOLERANCE_S = 5;

interface SentChoice {
  visitor_id: string;
  consent_action: string;
  categories_accepted?: string[];
  vendors_accepted?: string[];
  vendors_rejected?: string[];
  /** The time of the choice in epoch seconds. */
  at?: number;
  /** When an opt-out by Global Privacy Control was recorded after it. */
  opted_out?: number;
  source?: string;
  /** See web/banner/sharing.ts. */
  shared?: string;
  unshared?: boolean;
  visitor_token?: string | boolean;
}

/**
 * Whether the browser has another choice of this visitor that is as new or newer. This happens if the banner could
 * not send a choice at once and the visitor chose again.
 */
export function isSuperseded(sent: SentChoice, cookies: string | undefined): boolean {
  const { at } = sent;
  const held = at === undefined ? undefined : readCookie(cookies);
  if (at === undefined || !held) return false;
  const heldAt = Math.max(held.at ?? Number.NaN, held.opted_out ?? 0);
  if (held.visitor_id !== sent.visitor_id || !(heldAt >= at)) return false;
  return heldAt > at || !isSameChoice(held, sent);
}

/** The visitor token that the browser has. */
export function findHeldToken(cookies: string | undefined): string | undefined {
  const token = readCookie(cookies)?.visitor_token;
  return typeof token === 'string' ? token : undefined;
}

/** The choice that the browser has. Scripts of the page and visitors can write anything into the cookie. */
function readCookie(cookies: string | undefined): Partial<SentChoice> | undefined {
  const text = cookies && new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]*)`).exec(cookies)?.[1];
  if (!text) return undefined;
  try {
    const held: Partial<SentChoice> | null = JSON.parse(decodeURIComponent(text));
    return held && isChoice(held) ? held : undefined;
  } catch {
    return undefined;
  }
}

const isChoice = (held: Partial<SentChoice>): boolean =>
  [held.at, held.opted_out].every((time) => time === undefined || typeof time === 'number') &&
  [held.categories_accepted, held.vendors_accepted, held.vendors_rejected].every(isListOrAbsent);

const isListOrAbsent = (list: unknown = []): boolean =>
  Array.isArray(list) && list.every((each) => typeof each === 'string');

const isSameChoice = (one: Partial<SentChoice>, other: SentChoice): boolean =>
  one.consent_action === other.consent_action &&
  String(one.categories_accepted) === String(other.categories_accepted) &&
  String(one.vendors_accepted ?? '') === String(other.vendors_accepted ?? '') &&
  String(one.vendors_rejected ?? '') === String(other.vendors_rejected ?? '');

/**
 * The consent cookie of the banner, set by the server if site and service share an origin:
 * some browsers limit cookies that scripts set to seven days, but not those of the server. The format
 * is that of the banner, see docs/guides/banner.md.
 */
export function formatChoiceCookie(
  consent: NewConsent & { visitorToken: string | undefined },
  sent: SentChoice,
  isSecure: boolean,
): string {
  const { visitor_id, consent_action, categories_accepted, categories_rejected, gpc } = consent;
  const { vendors_accepted, vendors_rejected } = consent;
  const now = Math.floor(consent.created_at / 1_000);
  const at = getTime(sent, now);
  const expiry = Math.floor(consent.expires_at / 1_000);
  const until = categories_rejected.length > 0 ? Math.max(expiry, at + REFUSAL_KEPT_S) : expiry;
  const decided = {
    consent_action,
    categories_accepted,
    categories_rejected,
    ...(vendors_accepted && { vendors_accepted }),
    ...(vendors_rejected && { vendors_rejected }),
    version: consent.config_version,
  };
  const own = {
    at,
    until,
    ...(gpc !== null && { gpc: gpc === 1 }),
    ...(/^[\w-]{8}\.\d{1,12}$/.test(sent.shared ?? '') && { shared: sent.shared }),
    ...(sent.unshared && { unshared: true }),
    ...(consent.visitorToken !== undefined && { visitor_token: consent.visitorToken }),
  };
  const members = [encodeMembers({ visitor_id }), encodeDecided(decided), encodeMembers(own)];
  const value = `%7B${members.join('%2C')}%7D`;
  const secure = isSecure ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=/; Max-Age=${until - now}; SameSite=Lax${secure}`;
}

/**
 * The time of a choice. One of another device is as old as there, and one that is sent again as old as it was. The clock
 * of the browser orders the choices of its tabs, unless it is wrong or the choice was sent late.
 */
function getTime({ at, source }: SentChoice, now: number): number {
  if (at === undefined) return now;
  if (isEarlierChoice(source)) return Math.min(at, now);
  return Math.abs(at - now) <= CLOCK_TOLERANCE_S ? at : now;
}

/** The members of an object as JSON, encoded for a cookie. */
const encodeMembers = (members: object): string =>
  encodeURIComponent(JSON.stringify(members).slice(1, -1));

const DECISIONS_REMEMBERED = 500;
const encoded = new LRUCache<string, string>({ max: DECISIONS_REMEMBERED });

/** Visitors decide in a few ways, and encoding takes longer than looking one up. */
function encodeDecided(decided: object): string {
  const json = JSON.stringify(decided);
  let known = encoded.get(json);
  if (known === undefined) {
    known = encodeURIComponent(json.slice(1, -1));
    encoded.set(json, known);
  }
  return known;
}
