import { listAllEntries } from '../../data-map/index.ts';
import { listKnownVendors } from '../../vendors/index.ts';
import type { DeclarationScope } from '../service.ts';
import { type FullScan, listFullScans, listSightings, listVendorsOfScans } from '../store.ts';
import { findUndeclared, findUnseen, type Undeclared, type Unseen } from './rules.ts';

/** Scans that are looked at to tell since when a vendor is not seen. */
const SCANS_MAX = 10;

export interface Drift {
  /** The latest completed scan; undefined if there is none. */
  scan: FullScan | undefined;
  undeclared: Undeclared[];
  unseen: Unseen[];
}

/** Where the data map and the latest completed scan of the site differ. */
export async function readDrift({ platform, siteUrl }: DeclarationScope): Promise<Drift> {
  const { db } = platform.datastore;
  const scans = await listFullScans(db, siteUrl(), SCANS_MAX);
  const [scan] = scans;
  if (!scan) return { scan, undeclared: [], unseen: [] };
  const entries = await listAllEntries(db);
  const vendors = new Map((await listKnownVendors(db)).map((vendor) => [vendor.id, vendor]));
  const seen = await listVendorsOfScans(
    db,
    scans.map(({ id }) => id),
  );
  const history = scans.map(({ id, completedAt }) => ({
    completedAt,
    vendors: seen.get(id) ?? new Set<number>(),
  }));
  return {
    scan,
    undeclared: findUndeclared(await listSightings(db, scan.id), vendors, entries),
    unseen: findUnseen(history, vendors, entries),
  };
}
