import { SnapshotCache } from '../../platform/cache/snapshot-cache.ts';
import type { Platform } from '../../platform/deps.ts';
import { listInUse } from '../activations/index.ts';
import { findLicenceByKeyHash, LICENCE_CHANGED } from '../licences/index.ts';
import type { LicenceSnapshot } from './rules.ts';

/** The contract allows to cache validations on the server for 5 minutes per key. */
const FOUND = { max: 20_000, ttl: 5 * 60_000 };
const MISSING = { max: 10_000, ttl: 30_000 };

/** A cache of licence snapshots by key hash. A change of a licence on any node invalidates its entry. */
export function createSnapshots(platform: Platform): SnapshotCache<LicenceSnapshot> {
  const { datastore, clock } = platform;
  const read = async (keyHash: string): Promise<LicenceSnapshot | undefined> => {
    const found = await findLicenceByKeyHash(datastore.db, keyHash, clock.now());
    if (!found) return undefined;
    const inUse = await listInUse(datastore.db, found.licence.id);
    return {
      ...found,
      activeSites: new Set(inUse.map((activation) => activation.siteKey)),
      sitesUsed: inUse.filter((activation) => activation.takesSlot).length,
    };
  };
  const snapshots = new SnapshotCache(read, { found: FOUND, missing: MISSING, clock });
  datastore.onChange(LICENCE_CHANGED, (keyHash) => {
    if (keyHash === undefined) snapshots.clear();
    else snapshots.drop(keyHash);
  });
  return snapshots;
}
