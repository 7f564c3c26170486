import { toLargestUnit } from '../../../platform/durations.ts';
import { omitUndefined } from '../../../platform/omit-undefined.ts';
import { isPlatformCookie } from '../../vendors/index.ts';
import type { CookieObservation, StorageObservation } from '../observation.ts';
import { type Candidate, locate, type PageContext } from './candidate.ts';
import { getSite, getSiteOfHost } from './party.ts';
import { toPlainUrl } from './plain-url.ts';
import { toStableName } from './stable-name.ts';

/** Browsers accept names of up to 4,096 bytes. */
const NAME_MAX_LENGTH = 256;
/** The name of a cookie that has none. RFC 6265bis §5.6: a cookie without `=` has a value only. */
export const NO_NAME = '(without a name)';

export function cookieCandidate(
  seen: CookieObservation,
  context: PageContext,
): Candidate | undefined {
  const { site, pageUrl, vendors } = context;
  // A lifetime of zero deletes the cookie.
  if (seen.lifetimeSeconds !== null && seen.lifetimeSeconds <= 0) return undefined;
  const name = seen.name.slice(0, NAME_MAX_LENGTH) || NO_NAME;
  const domain = seen.domain.replace(/^\./, '').toLowerCase();
  const page = new URL(pageUrl);
  const url = toPlainUrl(`${page.protocol}//${domain}${seen.path}`);
  if (url === undefined) return undefined;
  // Cookies have no port: on an IP address or a bare name, a cookie of the page host is first-party.
  const thirdParty = domain !== page.hostname && getSiteOfHost(domain) !== site;
  const known = vendors.findByCookie(seen.name, domain);
  const stable = toStableName(name, known?.pattern);
  const vendor =
    known?.vendor ?? (thirdParty ? vendors.findByHost(domain) : findSetter(seen, context));
  const isOwn = !thirdParty && !vendor && isPlatformCookie(seen.name);
  return {
    type: 'cookie',
    identity: `${stable} ${domain}`,
    url,
    host: domain,
    thirdParty,
    vendor,
    category: vendor?.category ?? (isOwn ? 'functional' : null),
    name,
    details: omitUndefined({
      ...namesUnder(stable, name),
      domain,
      path: seen.path.slice(0, 1_024),
      duration: inWords(seen.lifetimeSeconds),
      duration_seconds: seen.lifetimeSeconds,
      secure: seen.secure,
      http_only: seen.httpOnly,
      same_site: seen.sameSite,
      blocked_reasons: seen.blockedReasons.length > 0 ? seen.blockedReasons : undefined,
      set_by: seen.setBy === undefined ? undefined : toPlainUrl(seen.setBy),
    }),
    seen,
  };
}

/** The vendor whose script set a first-party cookie. Functional vendors only deliver scripts of others. */
function findSetter(
  { setBy }: CookieObservation,
  { site, vendors, findProxiedVendor }: PageContext,
) {
  const url = setBy === undefined ? undefined : toPlainUrl(setBy);
  if (setBy === undefined || url === undefined) return null;
  const thirdParty = getSite(new URL(url)) !== site;
  const behind = thirdParty ? undefined : findProxiedVendor(setBy);
  const vendor = vendors.findByUrl(setBy, thirdParty) ?? behind?.vendor;
  return !vendor || vendor.category === 'functional' ? null : vendor;
}

/** Browser storage is treated like a cookie (ePrivacy Directive Art. 5(3)). */
export function storageCandidate(
  seen: StorageObservation,
  context: PageContext,
): Candidate | undefined {
  const { vendors } = context;
  const place = locate(seen.origin, context);
  if (!place || seen.name === '') return undefined;
  const { url, host, hostname, thirdParty } = place;
  const known = vendors.findByCookie(seen.name, hostname);
  const vendor = known?.vendor ?? (thirdParty ? vendors.findByUrl(url, true) : null);
  const isOwn = !thirdParty && !vendor && isPlatformCookie(seen.name);
  const name = seen.name.slice(0, NAME_MAX_LENGTH);
  const stable = toStableName(name, known?.pattern);
  return {
    type: 'cookie',
    identity: `${seen.area}:${stable} ${host}`,
    url,
    host,
    thirdParty,
    vendor,
    category: vendor?.category ?? (isOwn ? 'functional' : null),
    name,
    details: {
      ...namesUnder(stable, name),
      storage: seen.area,
      duration: seen.area === 'session' ? 'session' : 'until cleared',
    },
    seen,
  };
}

/** Names with variable parts are one finding with a pattern; the seen names are kept. */
const namesUnder = (stable: string, name: string): Record<string, unknown> =>
  stable === name ? {} : { pattern: stable, names: [name] };

/** In the largest unit that the lifetime contains at least twice, or about once. */
function inWords(seconds: number | null): string {
  if (seconds === null) return 'session';
  const { count, unit } = toLargestUnit(seconds);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
