import type { Db } from '../../../platform/db/index.ts';
import { notFound } from '../../../platform/rest/errors.ts';
import { activeVendors } from '../../data-map/index.ts';
import type { CurrentSettings } from '../../settings/index.ts';
import { type KnownVendor, knownVendors } from '../../vendors/index.ts';
import { countsOf } from '../counts.ts';
import { judgeScan, type VerdictLookup } from '../decisions/service.ts';
import { findScan, type Scan, type ScanCounts, type ScanPage } from '../store.ts';
import { compareThings, type HostTally } from './rules.ts';
import {
  listPages,
  listThings,
  type Thing,
  type TypeTally,
  tallyTypes,
  tallyUnknownHosts,
  tallyVendors,
  type VendorTally,
} from './store.ts';

/** What a scan found, summed up: of the whole scan, whatever a reader filters. */
export interface ScanSummary {
  scan: Scan;
  counts: ScanCounts;
  pages: (ScanPage & { findings: number })[];
  vendors: (VendorTally & { vendor: KnownVendor; inDataMap: boolean })[];
  types: (TypeTally & { open: number })[];
  /** Findings that still need a decision of the owner. */
  open: number;
  verdictOf: VerdictLookup;
  unknownHosts: HostTally[];
}

/** @throws RestError 404 */
export async function summarise(
  db: Db,
  scanId: number,
  current: CurrentSettings,
): Promise<ScanSummary> {
  const scan = await foundScan(db, scanId);
  const known = new Map((await knownVendors(db)).map((vendor) => [vendor.id, vendor]));
  const mapped = await activeVendors(db);
  const tallies = await tallyVendors(db, scanId);
  const { early, verdictOf } = await judgeScan(db, scan, current);
  const open = early.filter((finding) => verdictOf(finding).state === 'open');
  return {
    scan,
    counts: await countsOf(db, scanId),
    pages: await listPages(db, scanId),
    vendors: tallies.flatMap((tally) => {
      const vendor = known.get(tally.vendorId);
      return vendor ? [{ ...tally, vendor, inDataMap: mapped.has(vendor.id) }] : [];
    }),
    types: (await tallyTypes(db, scanId)).map((tally) => ({
      ...tally,
      open: open.filter(({ resourceType }) => resourceType === tally.resourceType).length,
    })),
    open: open.length,
    verdictOf,
    unknownHosts: await tallyUnknownHosts(db, scanId),
  };
}

/** A scan with its pages and, where another is named, with what has changed since that one. */
export interface Detail {
  scan: Scan;
  counts: ScanCounts;
  pages: (ScanPage & { findings: number })[];
  comparison?: { with: number; added: Thing[]; gone: Thing[]; same: number };
}

/** @throws RestError 404 for either scan */
export async function detailOf(
  db: Db,
  scanId: number,
  compareWith: number | undefined,
): Promise<Detail> {
  const scan = await foundScan(db, scanId);
  const detail = {
    scan,
    counts: await countsOf(db, scanId),
    pages: await listPages(db, scanId),
  };
  if (compareWith === undefined) return detail;
  const other = await foundScan(db, compareWith);
  const things = compareThings(await listThings(db, other.id), await listThings(db, scanId));
  return { ...detail, comparison: { with: other.id, ...things } };
}

async function foundScan(db: Db, id: number): Promise<Scan> {
  const scan = await findScan(db, id);
  if (!scan) throw notFound('The scan');
  return scan;
}
