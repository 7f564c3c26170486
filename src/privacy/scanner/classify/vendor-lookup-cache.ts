import type { Platform } from '../../../platform/deps.ts';
import { listKnownVendors, VENDORS_CHANGED } from '../../vendors/index.ts';
import type { VendorLookup } from './vendor-lookup.ts';

/** Caches the lookup until the vendors change on any node: preparing it for each page would block the server for 10 ms. */
export function createVendorLookupCache({
  datastore,
}: Pick<Platform, 'datastore'>): () => Promise<VendorLookup> {
  let prepared: Promise<VendorLookup> | undefined;
  datastore.onChange(VENDORS_CHANGED, () => {
    prepared = undefined;
  });

  const prepare = async () => {
    // Loaded here, so that a start of the server does not wait for it.
    const { createVendorLookup } = await import('./vendor-lookup.ts');
    return createVendorLookup(await listKnownVendors(datastore.db));
  };

  return () => {
    if (prepared) return prepared;
    const preparing = prepare();
    prepared = preparing;
    preparing.catch(() => {
      if (prepared === preparing) prepared = undefined;
    });
    return preparing;
  };
}
