import { SnapshotCache } from '../../platform/cache/snapshot-cache.ts';
import type { Platform } from '../../platform/deps.ts';
import { listInUse } from '../activations/index.ts';
import { describeEntitlement, findLicenceByKeyHash, LICENCE_CHANGED } from '../licences/index.ts';
import { CATALOGUE_CHANGED } from '../products/index.ts';
import type { LicenceSnapshot } from './rules.ts';

/** The contract allows to cache validations on the server for 5 minutes per key. */
const FOUND = { max: 20_000, ttl: 5 * 60_000 };
const MISSING = { max: 10_000, ttl: 30_000 };

/** The licence of a key that works now, from the database. */
export async function readSnapshot(
  { datastore, clock, catalogue }: Platform,
  keyHash: string,
): Promise<LicenceSnapshot | undefined> {
  const found = await findLicenceByKeyHash(datastore.db, keyHash, clock.now());
  if (!found) return undefined;
  const [inUse, plans] = await Promise.all([
    listInUse(datastore.db, found.licence.id),
    catalogue.read([found.licence]),
  ]);
  const { product, features } = describeEntitlement(plans, found.licence);
  return {
    ...found,
    product,
    features,
    activeSites: new Set(inUse.map((activation) => activation.siteKey)),
    sitesUsed: inUse.filter((activation) => activation.takesSlot).length,
  };
}

/**
 * A cache of licence snapshots by key hash. A change of a licence on any node invalidates its entry, a change of a
 * product or plan invalidates all.
 */
export function createSnapshots(platform: Platform): SnapshotCache<LicenceSnapshot> {
  const { datastore, clock } = platform;
  const read = (keyHash: string) => readSnapshot(platform, keyHash);
  const snapshots = new SnapshotCache(read, { found: FOUND, missing: MISSING, clock });
  datastore.onChange(LICENCE_CHANGED, (keyHash) => {
    if (keyHash === undefined) snapshots.clear();
    else snapshots.drop(keyHash);
  });
  // The cache of the catalogue listens first, so snapshots are read from the changed one.
  datastore.onChange(CATALOGUE_CHANGED, () => snapshots.clear());
  return snapshots;
}
