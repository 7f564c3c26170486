import type { Db } from '../../platform/db/index.ts';
import { listKnownVendors } from './known.ts';
import { createVendorIndex } from './match.ts';

/** What another tool says of a cookie, a script or a service. */
interface Found {
  kind: 'script' | 'cookie' | 'service';
  name: string;
  script_url: string | null;
}

/** A lookup of the slugs of known vendors: by address, by cookie, or by name, for example `google-maps`. */
export async function createVendorFinder(db: Db): Promise<(found: Found) => string | null> {
  const vendors = await listKnownVendors(db);
  const index = createVendorIndex(vendors);
  const named = new Map(
    vendors.flatMap(({ slug, name }) => [slug, name].map((each) => [toKey(each), slug] as const)),
  );
  return ({ kind, name, script_url }) => {
    if (script_url !== null) return index.byUrl(script_url)?.slug ?? null;
    if (kind === 'cookie') return index.byCookie(name)?.vendor.slug ?? null;
    return named.get(toKey(name)) ?? null;
  };
}

const toKey = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
