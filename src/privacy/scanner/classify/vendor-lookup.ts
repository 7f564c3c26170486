import { getDomainWithoutSuffix } from 'tldts';
import { createOwnPathFinder, createVendorIndex, type KnownVendor } from '../../vendors/index.ts';

export type VendorLookup = ReturnType<typeof createVendorLookup>;

export function createVendorLookup(vendors: readonly KnownVendor[]) {
  const index = createVendorIndex(vendors);
  // Custom vendors also match by name: `acme` matches acme.com and cdn.acme.io.
  const byLabel = new Map<string, KnownVendor>();
  for (const vendor of vendors) {
    if (vendor.isBuiltin) continue;
    for (const label of [vendor.name.toLowerCase(), vendor.slug]) byLabel.set(label, vendor);
  }
  const ofLabel = (host: string) =>
    byLabel.get(getDomainWithoutSuffix(host, { allowPrivateDomains: true }) ?? '') ?? null;

  return {
    /** @param thirdParty first-party URLs are matched by file name only */
    findByUrl(url: string, thirdParty: boolean): KnownVendor | null {
      if (!thirdParty) return index.byFileName(url);
      return index.byUrl(url) ?? ofLabel(new URL(url).hostname);
    },
    findByHost: (host: string) => index.byHost(host) ?? ofLabel(host),
    /** `pattern`: the vendor entry that matches the name. */
    findByCookie(name: string, host: string) {
      const match = index.byCookie(name, { host });
      if (!match) return null;
      const { vendor, cookie } = match;
      return { vendor, pattern: typeof cookie === 'string' ? cookie : cookie.name };
    },
    findByContainer: index.byContainerId,
    findByOwnPaths: createOwnPathFinder(vendors),
  };
}
