import type { Db, Trx } from '../../platform/db/index.ts';
import { type BuiltinVendor, listBuiltinVendors } from './library.ts';
import type { VendorPatterns } from './match.ts';
import { listAllVendors, type Vendor } from './store.ts';

/** A vendor of this installation, with what it is recognised by. */
export type KnownVendor = Omit<Vendor, 'cookies'> & VendorPatterns;

/** Every vendor as it is now; of built-in ones the library tells what the table has no room for. */
export async function listKnownVendors(db: Db | Trx): Promise<KnownVendor[]> {
  const library = new Map(listBuiltinVendors().map((vendor) => [vendor.slug, vendor]));
  return (await listAllVendors(db)).map((vendor) => {
    const builtin = vendor.isBuiltin ? library.get(vendor.slug) : undefined;
    return builtin ? addLibraryPatterns(vendor, builtin) : vendor;
  });
}

/** Domains and cookies are as the installation has them; a cookie that the library limits to a host stays limited. */
function addLibraryPatterns(vendor: Vendor, builtin: BuiltinVendor): KnownVendor {
  const cookies = [...new Set(vendor.cookies)].flatMap((name): KnownVendor['cookies'] => {
    const listed = builtin.cookies.filter((cookie) => cookie.name === name);
    return listed.length > 0 ? listed : [name];
  });
  const { urlPrefixes, idPatterns, fileNames, ownPaths, ownPathsTogether } = builtin;
  return {
    ...vendor,
    cookies,
    urlPrefixes,
    idPatterns,
    fileNames,
    ownPaths,
    ...(ownPathsTogether && { ownPathsTogether }),
  };
}
