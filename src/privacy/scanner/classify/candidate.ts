import type { KnownVendor } from '../../vendors/index.ts';
import type { Observation } from '../observation.ts';
import type { ResourceType } from './finding.ts';
import type { VendorLookup } from './vendor-lookup.ts';

/** What one observation says of a thing; several make a finding. */
export interface Candidate {
  type: ResourceType;
  /** What tells it from others of its type. */
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

/** What has to be known to judge a page. */
export interface PageContext {
  /** What the site's own hosts belong to, as `siteOf` gives it. */
  site: string;
  /** The page's address. */
  pageUrl: string;
  vendors: VendorLookup;
  /** Who is behind a URL of the site itself, where somebody else is. */
  findProxiedVendor: (url: string) => ProxiedVendor | undefined;
}

/** A vendor whose service a site passes on from its own domain. */
export interface ProxiedVendor {
  vendor: KnownVendor;
  /** How it was found: by the path, or by where DNS leads. */
  details: { found_by: 'path' } | { found_by: 'cname'; cname: string };
}

/** The fields that have a value. */
export const omitUndefined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
