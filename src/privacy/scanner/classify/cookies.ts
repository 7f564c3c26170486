import { platformCookie } from '../../vendors/index.ts';
import type { CookieObservation, StorageObservation } from '../observation.ts';
import { type Candidate, given, type Surroundings } from './candidate.ts';
import { siteOf, siteOfHost } from './party.ts';
import { plainUrl } from './plain-url.ts';
import { toStableName } from './stable-name.ts';

/** Browsers take names of 4,096 bytes; nobody reads more than this. */
const NAME_MAX_LENGTH = 256;

/** What a cookie counts as: every one does, its value never. */
export function cookieCandidate(
  seen: CookieObservation,
  surroundings: Surroundings,
): Candidate | undefined {
  const { site, pageUrl, vendors } = surroundings;
  // To set what is over by now is to delete.
  if (seen.lifetimeSeconds !== null && seen.lifetimeSeconds <= 0) return undefined;
  const name = seen.name.slice(0, NAME_MAX_LENGTH);
  const domain = seen.domain.replace(/^\./, '').toLowerCase();
  const page = new URL(pageUrl);
  const url = plainUrl(`${page.protocol}//${domain}${seen.path}`);
  if (url === undefined) return undefined;
  // Cookies know no ports: on an address or a bare name, one of the page's host is the site's own.
  const thirdParty = domain !== page.hostname && siteOfHost(domain) !== site;
  const known = vendors.ofCookie(seen.name, domain);
  const stable = toStableName(name, known?.pattern);
  const vendor =
    known?.vendor ?? (thirdParty ? vendors.ofHost(domain) : setterOf(seen, surroundings));
  const own = thirdParty || vendor ? null : platformCookie(seen.name);
  return {
    type: 'cookie',
    identity: `${stable} ${domain}`,
    url,
    host: domain,
    thirdParty,
    vendor,
    category: vendor?.category ?? own?.category ?? null,
    name,
    details: given({
      ...namesUnder(stable, name),
      domain,
      path: seen.path.slice(0, 1_024),
      duration: inWords(seen.lifetimeSeconds),
      duration_seconds: seen.lifetimeSeconds,
      secure: seen.secure,
      http_only: seen.httpOnly,
      same_site: seen.sameSite,
      blocked_reasons: seen.blockedReasons.length > 0 ? seen.blockedReasons : undefined,
      set_by: seen.setBy === undefined ? undefined : plainUrl(seen.setBy),
    }),
    seen,
  };
}

/** Whose script set a cookie of the site. Who only delivers files or tags for others does not count. */
function setterOf({ setBy }: CookieObservation, { site, vendors, findBehind }: Surroundings) {
  const url = setBy === undefined ? undefined : plainUrl(setBy);
  if (setBy === undefined || url === undefined) return null;
  const thirdParty = siteOf(new URL(url)) !== site;
  const behind = thirdParty ? undefined : findBehind(setBy);
  const vendor = vendors.ofUrl(setBy, thirdParty) ?? behind?.vendor;
  return !vendor || vendor.category === 'functional' ? null : vendor;
}

/** What an entry in a browser's storage, or a database there, counts as: a cookie (ePrivacy Directive Art. 5(3)). */
export function storageCandidate(
  seen: StorageObservation,
  { site, vendors }: Surroundings,
): Candidate | undefined {
  const url = plainUrl(seen.origin);
  if (url === undefined || seen.name === '') return undefined;
  const { host, hostname } = new URL(url);
  const thirdParty = siteOf({ host, hostname }) !== site;
  const known = vendors.ofCookie(seen.name, hostname);
  const vendor = known?.vendor ?? (thirdParty ? vendors.ofUrl(url, true) : null);
  const own = thirdParty || vendor ? null : platformCookie(seen.name);
  const name = seen.name.slice(0, NAME_MAX_LENGTH);
  const stable = toStableName(name, known?.pattern);
  return {
    type: 'cookie',
    identity: `${seen.area}:${stable} ${host}`,
    url,
    host,
    thirdParty,
    vendor,
    category: vendor?.category ?? own?.category ?? null,
    name,
    details: {
      ...namesUnder(stable, name),
      storage: seen.area,
      duration: seen.area === 'session' ? 'session' : 'until cleared',
    },
    seen,
  };
}

/** Names that differ from visit to visit are one finding; those that were seen stay on record. */
const namesUnder = (stable: string, name: string): Record<string, unknown> =>
  stable === name ? {} : { pattern: stable, names: [name] };

const UNITS: [seconds: number, name: string][] = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** A lifetime in the largest unit that it fills at least twice, or once exactly. */
function inWords(seconds: number | null): string {
  if (seconds === null) return 'session';
  const rounded = (unit: number) => Math.round(seconds / unit);
  const [unit, name] =
    UNITS.find(([each]) => seconds >= 2 * each || Math.abs(seconds - each) < each / 50) ??
    ([1, 'second'] as const);
  const count = rounded(unit);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
