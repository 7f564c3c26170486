import { domainToASCII } from 'node:url';
import { getPublicSuffix } from 'tldts';
import type { CookieObservation } from '../observation.ts';
import { parseCookieDate } from './cookie-date.ts';

/** A cookie without its value. */
export type CookieFacts = Omit<
  CookieObservation,
  'kind' | 'sources' | 'consentState' | 'frameUrl' | 'blockedUntilConsent' | 'setBy'
>;

/** RFC 6265bis §5.5. */
const MAX_LIFETIME_SECONDS = 400 * 86_400;
const MAX_NAME_LENGTH = 256;
const SAME_SITE = ['strict', 'lax', 'none'] as const;

/**
 * Parses a `Set-Cookie` header like browsers (RFC 6265bis §5.6), without the value.
 * @param url of the response
 * @param now epoch milliseconds
 * @returns undefined for deletions, invalid headers, and cookies that every browser rejects for their domain or prefix
 */
export function parseSetCookie(header: string, url: string, now: number): CookieFacts | undefined {
  const facts = readHeader(header, url, now);
  return facts && !isOver(facts) ? facts : undefined;
}

/** Undefined if the header sets a cookie. */
export function parseDeletion(header: string, url: string, now: number): CookieFacts | undefined {
  const facts = readHeader(header, url, now);
  return facts && isOver(facts) ? facts : undefined;
}

const isOver = ({ lifetimeSeconds }: CookieFacts): boolean =>
  lifetimeSeconds !== null && lifetimeSeconds <= 0;

function readHeader(header: string, url: string, now: number): CookieFacts | undefined {
  const [pair = '', ...rest] = header.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const from = URL.parse(url);
  if (name === '' || name.length > MAX_NAME_LENGTH || hasControls(header) || !from) {
    return undefined;
  }
  const attributes = new Map<string, string>();
  for (const text of rest) {
    const [key = '', ...value] = text.split('=');
    attributes.set(key.trim().toLowerCase(), value.join('=').trim());
  }
  const lifetimeSeconds = getLifetime(attributes, now);
  const given = (attributes.get('domain') ?? '').replace(/^\./, '');
  const domain = given === '' ? from.hostname : domainToASCII(given);
  const isWithin = from.hostname === domain || from.hostname.endsWith(`.${domain}`);
  if (!isWithin || (domain !== from.hostname && isPublicSuffix(domain))) return undefined;
  const path = attributes.get('path');
  const secure = attributes.has('secure');
  if (/^__(?:secure|host)-/i.test(name) && !secure) return undefined;
  if (/^__host-/i.test(name) && (given !== '' || path !== '/')) return undefined;
  return {
    name,
    domain,
    path: path?.startsWith('/') ? path : defaultPath(from.pathname),
    lifetimeSeconds,
    secure,
    httpOnly: attributes.has('httponly'),
    sameSite: SAME_SITE.find((each) => each === attributes.get('samesite')?.toLowerCase()) ?? null,
    blockedReasons: secure && !isTrustworthy(from) ? ['SecureOnly'] : [],
  };
}

function getLifetime(attributes: ReadonlyMap<string, string>, now: number): number | null {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) {
    return Math.min(Number(maxAge), MAX_LIFETIME_SECONDS);
  }
  const expires = parseCookieDate(attributes.get('expires') ?? '');
  if (expires === undefined) return null;
  return Math.min(Math.round((expires - now) / 1_000), MAX_LIFETIME_SECONDS);
}

/** Whether browsers store secure cookies of an origin (Secure Contexts, "Is origin potentially trustworthy?"). */
const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

/** RFC 6265bis §5.7: browsers reject cookies of public suffixes. */
const isPublicSuffix = (domain: string): boolean =>
  getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;

const defaultPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const hasControls = (text: string): boolean => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text);
