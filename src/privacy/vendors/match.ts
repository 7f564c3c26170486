import { isGenericCookie } from './generic-cookies.ts';
import { isUnder, normaliseHost, toHosts, walkParentDomains } from './host.ts';
import { NamePatterns } from './name-patterns.ts';

/** Patterns that identify a vendor, built-in or custom. */
export interface VendorPatterns {
  readonly slug: string;
  readonly isBuiltin: boolean;
  readonly domains: readonly string[];
  /** A bare text is a cookie's name without more. */
  readonly cookies: readonly (string | { readonly name: string; readonly domain?: string })[];
  readonly urlPrefixes?: readonly string[];
  readonly idPatterns?: readonly string[];
  readonly fileNames?: readonly string[];
  readonly ownPaths?: readonly string[];
  readonly ownPathsTogether?: readonly string[];
}

interface CookieMatch<V extends VendorPatterns> {
  readonly vendor: V;
  /** The vendor's entry that fits. */
  readonly cookie: V['cookies'][number];
}

export interface VendorIndex<V extends VendorPatterns> {
  /** The vendor that an http(s) or ws(s) URL belongs to: by host and path, else by the name of a file that sites serve themselves. */
  byUrl(url: string): V | null;
  /** The vendor of a script or image that sites serve themselves, by the name of the file alone. */
  byFileName(url: string): V | null;
  /** The vendor with the longest listed domain that the host is or is below. */
  byHost(host: string): V | null;
  /**
   * The vendor of a cookie or storage key. The exact name goes before patterns, a longer literal part
   * before a shorter. Generic names need a host of the vendor. Null where vendors share a name and
   * the host doesn't decide between them.
   * @param options.host the cookie's domain, with or without a leading dot, or the storage's origin host
   */
  byCookie(name: string, options?: { host?: string }): CookieMatch<V> | null;
  /** The vendor of a container or measurement id such as `GTM-ABC123`, in any case. */
  byContainerId(id: string): V | null;
}

/**
 * Prepares vendors for being looked up. Of equally long domains, prefixes and names, those of an
 * installation's own vendors win over built-in ones, and later vendors over earlier. Entries that are
 * no host name, prefix or pattern are never found.
 */
export function createVendorIndex<V extends VendorPatterns>(vendors: readonly V[]): VendorIndex<V> {
  // What comes later replaces what is equal.
  const ordered = [
    ...vendors.filter(({ isBuiltin }) => isBuiltin),
    ...vendors.filter(({ isBuiltin }) => !isBuiltin),
  ];
  const places = indexPlaces(ordered);
  const files = new Map(
    ordered.flatMap((vendor) => (vendor.fileNames ?? []).map((name) => [name, vendor] as const)),
  );
  const ids = ordered
    .flatMap((vendor) =>
      (vendor.idPatterns ?? []).map((text) => ({
        vendor,
        pattern: new RegExp(`^(?:${text})$`, 'i'),
      })),
    )
    .reverse();

  const byFile = ({ pathname }: URL) =>
    files.get(pathname.slice(pathname.lastIndexOf('/') + 1)) ?? null;

  return {
    byUrl(text) {
      const url = URL.parse(text);
      if (!url || !WEB.has(url.protocol)) return null;
      const host = normaliseHost(url.hostname);
      const path = url.pathname + url.search;
      return (host && findPlace(places, host, path)) || byFile(url);
    },
    byFileName(text) {
      const url = URL.parse(text);
      return url && WEB.has(url.protocol) ? byFile(url) : null;
    },
    byHost(text) {
      const host = normaliseHost(text);
      return host === null ? null : findPlace(places, host);
    },
    byCookie: cookieFinder(ordered),
    byContainerId: (id) => ids.find(({ pattern }) => pattern.test(id.trim()))?.vendor ?? null,
  };
}

const WEB = new Set(['http:', 'https:', 'ws:', 'wss:']);

/** What is known of one host name. */
interface Place<V> {
  /** The vendor that owns the domain. */
  owner: V | null;
  /** Starts of paths below it, longest first. */
  prefixes: { path: string; vendor: V }[];
}

type Places<V> = Map<string, Place<V>>;

function indexPlaces<V extends VendorPatterns>(vendors: readonly V[]): Places<V> {
  const places: Places<V> = new Map();
  const getPlace = (text: string): Place<V> | null => {
    const host = normaliseHost(text);
    if (host === null) return null;
    const place = places.get(host) ?? { owner: null, prefixes: [] };
    places.set(host, place);
    return place;
  };
  for (const vendor of vendors) {
    for (const domain of vendor.domains) {
      const place = getPlace(domain);
      if (place) place.owner = vendor;
    }
    for (const prefix of vendor.urlPrefixes ?? []) {
      const slash = prefix.indexOf('/');
      if (slash < 0) continue;
      getPlace(prefix.slice(0, slash))?.prefixes.unshift({ path: prefix.slice(slash), vendor });
    }
  }
  for (const { prefixes } of places.values()) {
    prefixes.sort((a, b) => b.path.length - a.path.length);
  }
  return places;
}

function findPlace<V>(places: Places<V>, host: string, path = ''): V | null {
  let best: V | null = null;
  let length = 0;
  for (const name of walkParentDomains(host)) {
    const place = places.get(name);
    if (!place) continue;
    const prefix = place.prefixes.find((each) => startsWith(path, each.path));
    // A prefix on a domain further up can be longer than a whole host name, and then wins.
    const found = prefix
      ? { vendor: prefix.vendor, length: name.length + prefix.path.length }
      : { vendor: place.owner, length: name.length };
    if (found.vendor && found.length > length) {
      best = found.vendor;
      length = found.length;
    }
  }
  return best;
}

/** `/maps/` also means `/maps` itself, as in `/maps?q=Bern`. */
function startsWith(path: string, prefix: string): boolean {
  if (path.startsWith(prefix)) return true;
  if (!prefix.endsWith('/')) return false;
  const folder = prefix.slice(0, -1);
  return path === folder || path.startsWith(`${folder}?`);
}

interface Claim<V extends VendorPatterns> extends CookieMatch<V> {
  /** Where given, the only host that the claim is about; null if it can't be one. */
  readonly domain?: string | null;
}

function cookieFinder<V extends VendorPatterns>(vendors: readonly V[]): VendorIndex<V>['byCookie'] {
  const names = new NamePatterns<Claim<V>>();
  const domains = new Map<V, readonly string[]>();
  for (const vendor of vendors) {
    domains.set(vendor, toHosts(vendor.domains));
    for (const cookie of vendor.cookies) {
      const { name, domain } = typeof cookie === 'string' ? { name: cookie } : cookie;
      names.add(name, {
        vendor,
        cookie,
        ...(domain !== undefined && { domain: normaliseHost(domain) }),
      });
    }
  }

  return (name, options = {}) => {
    const host = options.host === undefined ? null : normaliseHost(options.host);
    const atHome = ({ vendor, domain }: Claim<V>): boolean =>
      host !== null &&
      (domain !== undefined
        ? domain !== null && isUnder(host, domain)
        : (domains.get(vendor) ?? []).some((listed) => isUnder(host, listed)));
    const generic = isGenericCookie(name);
    for (const claims of names.find(name)) {
      const fit = claims.filter(
        (claim) => (!generic && claim.domain === undefined) || atHome(claim),
      );
      if (fit.length > 0) return chooseMatch(fit, atHome);
    }
    return null;
  };
}

/** One of several claims of equal weight. An installation's own vendor wins; between built-in ones the host decides, and a claim about just this host goes first. */
function chooseMatch<V extends VendorPatterns>(
  claims: readonly Claim<V>[],
  atHome: (claim: Claim<V>) => boolean,
): CookieMatch<V> | null {
  const own = claims.findLast(({ vendor }) => !vendor.isBuiltin);
  const local = claims.filter(atHome);
  const rest = local.length > 0 ? local : claims;
  const chosen =
    own ??
    rest.find(({ domain }) => domain !== undefined) ??
    (sameVendor(rest) ? rest[0] : undefined);
  return chosen ? { vendor: chosen.vendor, cookie: chosen.cookie } : null;
}

const sameVendor = (claims: readonly Claim<VendorPatterns>[]): boolean =>
  new Set(claims.map(({ vendor }) => vendor.slug)).size === 1;
