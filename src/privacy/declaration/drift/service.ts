import { type DeclarationScope, readKnowledge } from '../service.ts';
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
export async function readDrift(scope: DeclarationScope): Promise<Drift> {
  const { db } = scope.platform.datastore;
  const scans = await listFullScans(db, scope.siteUrl(), SCANS_MAX);
  const [scan] = scans;
  if (!scan) return { scan, undeclared: [], unseen: [] };
  const { vendors, ...knowledge } = await readKnowledge(scope);
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
    undeclared: findUndeclared(await listSightings(db, scan.id), vendors, knowledge),
    unseen: findUnseen(history, vendors, knowledge.entries),
  };
}
