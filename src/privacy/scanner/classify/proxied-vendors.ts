import { isLoad, type Observation } from '../observation.ts';
import type { ProxiedVendor } from './candidate.ts';
import { getSite, getSiteOfHost } from './party.ts';
import type { VendorLookup } from './vendor-lookup.ts';

/** CNAME chains by host of the site. */
export type Cnames = ReadonlyMap<string, readonly string[]>;

/**
 * Finds vendors behind first-party URLs: services that the site proxies, and subdomains with a CNAME record to a
 * vendor (CNAME cloaking). Functional vendors, such as delivery networks and hosting, are no finding.
 */
export function createProxiedVendorFinder(
  observations: readonly Observation[],
  site: string,
  vendors: VendorLookup,
  cnames: Cnames,
): (url: string) => ProxiedVendor | undefined {
  const own = observations.filter(isLoad).filter(({ url }) => isOfSite(url, site));
  const byPath = vendors.findByOwnPaths(own.map(({ url }) => url));
  const byHost = new Map<string, ProxiedVendor>();
  for (const [host, chain] of cnames) {
    for (const cname of chain) {
      const vendor = getSiteOfHost(cname) === site ? null : vendors.findByHost(cname);
      if (!vendor || vendor.category === 'functional') continue;
      byHost.set(host, { vendor, details: { found_by: 'cname', cname } });
      break;
    }
  }
  return (url) => {
    const vendor = byPath.get(url);
    if (vendor) return { vendor, details: { found_by: 'path' } };
    return byHost.get(URL.parse(url)?.hostname ?? '');
  };
}

/** The subdomains that a page requests, without its own host and that of the site. */
export function listSubdomains(
  observations: readonly Observation[],
  siteUrl: string,
  pageUrl: string,
): Set<string> {
  const known = new Set([siteUrl, pageUrl].map((url) => new URL(url).hostname));
  const site = getSite(new URL(siteUrl));
  const hosts = observations
    .filter(isLoad)
    .filter(({ url }) => isOfSite(url, site))
    .map(({ url }) => new URL(url).hostname);
  return new Set(hosts.filter((host) => !known.has(host) && host !== `www.${site}`));
}

function isOfSite(text: string, site: string): boolean {
  const url = URL.parse(text);
  return url !== null && getSite(url) === site;
}
