import type { Db } from '../../../platform/db/index.ts';
import { listActiveVendorIds } from '../../data-map/index.ts';
import type { CurrentSettings } from '../../settings/index.ts';
import { type KnownVendor, listKnownVendors } from '../../vendors/index.ts';
import { evaluateScan } from '../decisions/service.ts';
import { getScan, getScanCounts } from '../scans.ts';
import { tallyShortcomings } from '../visits/rules.ts';
import { listShortcomings, tallyOutcomes } from '../visits/store.ts';
import { compareResources, type HostTally, listChangedVerdicts } from './rules.ts';
import {
  listPages,
  listResources,
  tallyTypes,
  tallyUnknownHosts,
  tallyVendors,
  tallyVerdicts,
} from './store.ts';

export type ScanSummary = Awaited<ReturnType<typeof summarise>>;

/** The results of a whole scan, whatever the filter of findings. @throws NotFoundError */
export async function summarise(db: Db, scanId: number, current: CurrentSettings) {
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
    /** Findings that need a decision of the owner. */
    open: open.length,
    openResources: new Set(open.map(({ resourceKey }) => resourceKey)).size,
    evaluate,
    verdicts: await tallyVerdicts(db, scanId),
    shortcomings: tallyShortcomings(await listShortcomings(db, scanId)),
    outcomes: await tallyOutcomes(db, scanId),
    unknownHosts: await withoutAssigned(await tallyUnknownHosts(db, scanId), [...known.values()]),
  };
}

/** Without hosts that a vendor has been added for since, to which the next scan assigns them. */
async function withoutAssigned(
  hosts: readonly HostTally[],
  vendors: readonly KnownVendor[],
): Promise<HostTally[]> {
  if (hosts.length === 0) return [];
  // Loaded here, so that a start of the server does not wait for it.
  const { createVendorLookup } = await import('../classify/vendor-lookup.ts');
  const { findByHost } = createVendorLookup(vendors);
  return hosts.filter(({ host }) => findByHost(host) === null);
}

export type Detail = Awaited<ReturnType<typeof getScanDetail>>;

/** A scan with its pages, and the changes since another scan. @throws NotFoundError for either scan */
export async function getScanDetail(db: Db, scanId: number, compareWith: number | undefined) {
  const scan = await getScan(db, scanId);
  const detail = {
    scan,
    counts: await getScanCounts(db, scanId),
    pages: await listPages(db, scanId),
  };
  if (compareWith === undefined) return { ...detail, comparison: undefined };
  const other = await getScan(db, compareWith);
  const earlier = await listResources(db, other.id);
  const later = await listResources(db, scanId);
  return {
    ...detail,
    comparison: {
      with: other.id,
      ...compareResources(earlier, later),
      changed: listChangedVerdicts(earlier, later),
    },
  };
}
