import type { KnownVendor } from '../../vendors/index.ts';
import type { Observation } from '../observation.ts';
import type { Finding, ResourceType } from './finding.ts';
import { getSite } from './party.ts';
import { toPlainUrl } from './plain-url.ts';
import type { VendorLookup } from './vendor-lookup.ts';

/** One observation as a possible finding. Several are merged into one finding. */
export interface Candidate
  extends Pick<
    Finding,
    'url' | 'host' | 'thirdParty' | 'vendor' | 'category' | 'name' | 'details'
  > {
  type: ResourceType;
  /** Identifies the resource within its type. */
  identity: string;
  seen: Observation;
}

/** The page and the data needed to classify its observations. */
export interface PageContext {
  /** As returned by `getSite`. */
  site: string;
  pageUrl: string;
  vendors: VendorLookup;
  /** The vendor that the site proxies at a first-party URL. */
  findProxiedVendor: (url: string) => ProxiedVendor | undefined;
}

/** A vendor whose service the site proxies through its own domain. */
export interface ProxiedVendor {
  vendor: KnownVendor;
  details: { found_by: 'path' } | { found_by: 'cname'; cname: string };
}

/** The plain form of a URL, with its host and party; undefined for URLs outside of the web. */
export function locate(address: string, { site }: PageContext) {
  const url = toPlainUrl(address);
  if (url === undefined) return undefined;
  const { host, hostname, origin } = new URL(url);
  return { url, host, hostname, origin, thirdParty: getSite({ host, hostname }) !== site };
}

/** The vendor fields of a candidate. */
export const belongTo = (vendor: KnownVendor | null, name: string) => ({
  vendor,
  category: vendor?.category ?? null,
  name: vendor?.name ?? name,
});
