import { getDomainWithoutSuffix } from 'tldts';
import {
  createOwnPathFinder,
  createVendorIndex,
  type KnownVendor,
  type VendorIndex,
} from '../../vendors/index.ts';

/** Finds vendors by URL, host, cookie or container. */
export interface VendorLookup {
  /** @param thirdParty of the site's own files only the name tells */
  findByUrl(url: string, thirdParty: boolean): KnownVendor | null;
  findByHost(host: string): KnownVendor | null;
  /** With the vendor's entry that the name fits, where `*` stands for any text. */
  findByCookie(name: string, host: string): { vendor: KnownVendor; pattern: string } | null;
  findByContainer(id: string): KnownVendor | null;
  /** Vendors recognised by path among the first-party URLs of a page. */
  findByOwnPaths(urls: readonly string[]): Map<string, KnownVendor>;
}

/** Prepares the vendors of an installation for being looked up. */
export function createVendorLookup(vendors: readonly KnownVendor[]): VendorLookup {
  const index: VendorIndex<KnownVendor> = createVendorIndex(vendors);
  // Somebody who adds a vendor need not list its hosts: `acme` means acme.com and cdn.acme.io.
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
