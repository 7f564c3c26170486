import type { KnownVendor } from '../../vendors/index.ts';
import type { Observation } from '../observation.ts';
import type { ResourceType } from './finding.ts';
import type { VendorLookup } from './vendor-lookup.ts';

/** One observation as a possible finding. Several are merged into one finding. */
export interface Candidate {
  type: ResourceType;
  identity: string;
  url: string;
  host: string;
  thirdParty: boolean;
  vendor: KnownVendor | null;
  category: string | null;
  name: string;
  details: Record<string, unknown>;
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

export const omitUndefined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
