import type { Db } from '../../platform/db/index.ts';
import type { Sighting } from './rules.ts';

export interface FullScan {
  id: number;
  startedAt: number;
  completedAt: number;
  /** Pages scanned. */
  pages: number;
  engine: string;
}

/** The latest completed scans of a site, newest first. Scans of one page after a decision and scans without a scanned page do not count. */
export async function listFullScans(db: Db, siteUrl: string, limit: number): Promise<FullScan[]> {
  const rows = await db
    .selectFrom('scans')
    .innerJoin('scan_pages as page', 'page.scan_id', 'scans.id')
    .where('scans.site_url', '=', siteUrl)
    .where('scans.status', '=', 'completed')
    .where('scans.started_by', '!=', 'proof')
    .where('page.state', '=', 'scanned')
    .groupBy('scans.id')
    .select((eb) => [
      'scans.id',
      'scans.started_at as startedAt',
      'scans.completed_at as completedAt',
      'scans.engine',
      eb.fn.countAll<number>().as('pages'),
    ])
    .orderBy('scans.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ completedAt, pages, ...scan }) => ({
    ...scan,
    completedAt: completedAt ?? scan.startedAt,
    pages: Number(pages),
  }));
}

/** What a scan found, without the pages. */
export async function listSightings(db: Db, scanId: number): Promise<Sighting[]> {
  const rows = await db
    .selectFrom('scan_findings')
    .where('scan_id', '=', scanId)
    .groupBy([
      'resource_type',
      'host',
      'third_party',
      'vendor_id',
      'category',
      'name',
      'sources',
      'details',
    ])
    .select((eb) => [
      'resource_type as resourceType',
      'host',
      'third_party',
      'vendor_id as vendorId',
      'category',
      'name',
      'sources',
      'details',
      eb.fn.min<number>('first_seen').as('firstSeen'),
    ])
    .orderBy('host')
    .orderBy('name')
    .execute();
  return rows.map(({ third_party, sources, details, firstSeen, ...row }) => ({
    ...row,
    thirdParty: third_party === 1,
    sources: JSON.parse(sources),
    details: JSON.parse(details),
    firstSeen: Number(firstSeen),
  }));
}

/** The vendors of scans, by scan. */
export async function listVendorsOfScans(
  db: Db,
  scanIds: readonly number[],
): Promise<Map<number, Set<number>>> {
  const vendors = new Map(scanIds.map((id) => [id, new Set<number>()]));
  if (scanIds.length === 0) return vendors;
  const rows = await db
    .selectFrom('scan_findings')
    .where('scan_id', 'in', scanIds)
    .where('vendor_id', 'is not', null)
    .select(['scan_id', 'vendor_id'])
    .distinct()
    .execute();
  for (const { scan_id, vendor_id } of rows) {
    if (vendor_id !== null) vendors.get(scan_id)?.add(vendor_id);
  }
  return vendors;
}
