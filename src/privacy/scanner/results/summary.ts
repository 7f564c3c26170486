import type { Db } from '../../../platform/db/index.ts';
import { listActiveVendorIds } from '../../data-map/index.ts';
import type { CurrentSettings } from '../../settings/index.ts';
import { type KnownVendor, listKnownVendors } from '../../vendors/index.ts';
import { type EvaluateFinding, evaluateScan } from '../decisions/service.ts';
import { getScan, getScanCounts } from '../scans.ts';
import type { Scan, ScanCounts, ScanPage } from '../store.ts';
import { compareResources, type HostTally } from './rules.ts';
import {
  listPages,
  listResources,
  type Resource,
  type TypeTally,
  tallyTypes,
  tallyUnknownHosts,
  tallyVendors,
  type VendorTally,
} from './store.ts';

/** The results of a whole scan, whatever the filter of findings. */
export interface ScanSummary {
  scan: Scan;
  counts: ScanCounts;
  pages: (ScanPage & { findings: number })[];
  vendors: (VendorTally & { vendor: KnownVendor; inDataMap: boolean })[];
  types: (TypeTally & { open: number })[];
  /** Findings that still need a decision of the owner. */
  open: number;
  evaluate: EvaluateFinding;
  unknownHosts: HostTally[];
}

/** @throws NotFoundError */
export async function summarise(
  db: Db,
  scanId: number,
  current: CurrentSettings,
): Promise<ScanSummary> {
  const scan = await getScan(db, scanId);
  const known = new Map((await listKnownVendors(db)).map((vendor) => [vendor.id, vendor]));
  const mapped = await listActiveVendorIds(db);
  const tallies = await tallyVendors(db, scanId);
  const { early, evaluate } = await evaluateScan(db, scan, current);
  const open = early.filter((finding) => evaluate(finding).state === 'open');
  return {
    scan,
    counts: await getScanCounts(db, scanId),
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
    evaluate,
    unknownHosts: await tallyUnknownHosts(db, scanId),
  };
}

/** A scan with its pages, and the changes since another scan. */
export interface Detail {
  scan: Scan;
  counts: ScanCounts;
  pages: (ScanPage & { findings: number })[];
  comparison?: { with: number; added: Resource[]; gone: Resource[]; same: number };
}

/** @throws NotFoundError for either scan */
export async function getScanDetail(
  db: Db,
  scanId: number,
  compareWith: number | undefined,
): Promise<Detail> {
  const scan = await getScan(db, scanId);
  const detail = {
    scan,
    counts: await getScanCounts(db, scanId),
    pages: await listPages(db, scanId),
  };
  if (compareWith === undefined) return detail;
  const other = await getScan(db, compareWith);
  const resources = compareResources(
    await listResources(db, other.id),
    await listResources(db, scanId),
  );
  return { ...detail, comparison: { with: other.id, ...resources } };
}
