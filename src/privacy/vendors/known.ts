import type { Db, Trx } from '../../platform/db/index.ts';
import { findBuiltinVendor, findPrivacyUrl, type VendorCookie } from './library.ts';
import type { VendorPatterns } from './match.ts';
import { listAllVendors, type Vendor } from './store.ts';

/** A vendor of this installation, with the patterns that identify it. */
export type KnownVendor = Omit<Vendor, 'cookies' | 'privacyUrl'> &
  Omit<VendorPatterns, 'cookies'> & {
    readonly cookies: readonly (string | VendorCookie)[];
    /** The library's, unless the installation has entered another. */
    readonly privacyUrl?: string | null | undefined;
  };

/** All vendors. Built-in ones have the patterns of the library, which the table has no columns for. */
export const listKnownVendors = async (db: Db | Trx): Promise<KnownVendor[]> =>
  (await listAllVendors(db)).map(addLibraryPatterns);

/** Domains and cookies are those of the installation. A cookie that the library limits to a host stays limited. */
function addLibraryPatterns(vendor: Vendor): KnownVendor {
  const builtin = vendor.isBuiltin && findBuiltinVendor(vendor.slug);
  if (!builtin) return vendor;
  const cookies = [...new Set(vendor.cookies)].flatMap((name): KnownVendor['cookies'] => {
    const listed = builtin.cookies.filter((cookie) => cookie.name === name);
    return listed.length > 0 ? listed : [name];
  });
  return { ...builtin, ...vendor, cookies, privacyUrl: findPrivacyUrl(vendor) };
}
