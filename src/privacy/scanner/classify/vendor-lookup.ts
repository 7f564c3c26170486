import { getDomainWithoutSuffix } from 'tldts';
import {
  createOwnPathFinder,
  createVendorIndex,
  type KnownVendor,
  type VendorIndex,
} from '../../vendors/index.ts';

export interface VendorLookup {
  /** @param thirdParty first-party URLs are matched by file name only */
  findByUrl(url: string, thirdParty: boolean): KnownVendor | null;
  findByHost(host: string): KnownVendor | null;
  /** `pattern`: the vendor entry that matches the name. */
  findByCookie(name: string, host: string): { vendor: KnownVendor; pattern: string } | null;
  findByContainer(id: string): KnownVendor | null;
  /** Vendors recognised by path among the first-party URLs of a page. */
  findByOwnPaths(urls: readonly string[]): Map<string, KnownVendor>;
}

export function createVendorLookup(vendors: readonly KnownVendor[]): VendorLookup {
  const index: VendorIndex<KnownVendor> = createVendorIndex(vendors);
  // Custom vendors also match by name: `acme` matches acme.com and cdn.acme.io.
  const byLabel = new Map<string, KnownVendor>();
  for (const vendor of vendors) {
    if (vendor.isBuiltin) continue;
    for (const label of [vendor.name.toLowerCase(), vendor.slug]) byLabel.set(label, vendor);
  }
  const ofLabel = (host: string) =>
    byLabel.get(getDomainWithoutSuffix(host, { allowPrivateDomains: true }) ?? '') ?? null;

  return {
    findByUrl(url, thirdParty) {
      if (!thirdParty) return index.byFileName(url);
      return index.byUrl(url) ?? ofLabel(new URL(url).hostname);
    },
    findByHost: (host) => index.byHost(host) ?? ofLabel(host),
    findByCookie(name, host) {
      const match = index.byCookie(name, { host });
      if (!match) return null;
      const { vendor, cookie } = match;
      return { vendor, pattern: typeof cookie === 'string' ? cookie : cookie.name };
    },
    findByContainer: (id) => index.byContainerId(id),
    findByOwnPaths: createOwnPathFinder(vendors),
  };
}
