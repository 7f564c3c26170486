import type { Selectable } from 'kysely';
import { type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import type { Finding } from './classify/finding.ts';
import { chunks, replaceFindings, type SavedFinding } from './findings/store.ts';
import type { ScanPageTable, ScanTable } from './tables.ts';

export interface Scan {
  id: number;
  status: ScanTable['status'];
  siteUrl: string;
  depth: number;
  engine: string;
  startedAt: number;
  completedAt: number | null;
  /** Pages that robots.txt keeps out of the scan. */
  robotsExcluded: number;
  /** What runs the scan. */
  runner: Selectable<ScanTable>['runner'];
  /** Error message, if it failed or was interrupted. */
  error: string | null;
}

export interface ScanPage {
  url: string;
  state: ScanPageTable['state'];
  partial: boolean;
  /** Error message, if it could not be scanned. */
  error: string | null;
  /** Null without a response. */
  httpStatus: number | null;
  /** State of the consent banner; null if the scan did not look for one. */
  banner: ScanPageTable['banner'];
}

/** A page in the plan of a scan. */
export interface PlannedPage {
  url: string;
  /** How many links it is away from the home page; null if it is only known by name. */
  distance: number | null;
}

/** Counts of a scan. */
export interface ScanCounts {
  pages: number;
  pagesFailed: number;
  pagesPlanned: number;
  findings: number;
  vendors: number;
  beforeConsent: number;
}

const toScan = (row: Selectable<ScanTable>): Scan => ({
  id: row.id,
  status: row.status,
  siteUrl: row.site_url,
  depth: row.depth,
  engine: row.engine,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  robotsExcluded: row.robots_excluded,
  runner: row.runner,
  error: row.error,
});

/** Inserts a scan and its planned pages. */
export async function insertScan(
  trx: Trx,
  scan: Omit<Scan, 'id' | 'status' | 'completedAt' | 'error'> & Partial<Pick<Scan, 'status'>>,
  pages: readonly PlannedPage[],
): Promise<number> {
  const { id } = await trx
    .insertInto('scans')
    .values({
      status: scan.status ?? 'started',
      runner: scan.runner,
      site_url: scan.siteUrl,
      depth: scan.depth,
      engine: scan.engine,
      started_at: scan.startedAt,
      completed_at: null,
      robots_excluded: scan.robotsExcluded,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertPages(trx, id, pages);
  return id;
}

/** Adds pages to the plan of a scan; one that it has already stays as it is. */
export async function insertPages(
  trx: Trx,
  scanId: number,
  pages: readonly PlannedPage[],
): Promise<void> {
  for (const part of chunks(pages)) {
    await trx
      .insertInto('scan_pages')
      .values(
        part.map(
          ({ url, distance }) =>
            ({
              scan_id: scanId,
              url,
              state: 'planned',
              partial: 0,
              error: null,
              http_status: null,
              distance,
            }) as const,
        ),
      )
      .onConflict((conflict) => conflict.columns(['scan_id', 'url']).doNothing())
      .execute();
  }
}

export async function findScan(db: Db | Trx, id: number): Promise<Scan | undefined> {
  const row = await db.selectFrom('scans').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toScan(row);
}

/** As findScan, with a row lock until the transaction ends. */
export async function lockScan(trx: Trx, id: number): Promise<Scan | undefined> {
  const query = trx.selectFrom('scans').selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toScan(row);
}

/** A page of the scans, newest first, and how many there are. */
export async function listScans(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ scans: Scan[]; total: number }> {
  const { total } = await db
    .selectFrom('scans')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('scans')
    .selectAll()
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { scans: rows.map(toScan), total: Number(total) };
}

/** Saves the name of the engine. */
export async function nameEngine(trx: Trx, id: number, engine: string): Promise<void> {
  await trx
    .updateTable('scans')
    .set({ engine })
    .where('id', '=', id)
    .where('engine', '!=', engine)
    .execute();
}

export async function markCompleted(trx: Trx, id: number, now: number): Promise<void> {
  await trx
    .updateTable('scans')
    .set({ status: 'completed', completed_at: now })
    .where('id', '=', id)
    .execute();
}

/**
 * Puts what was found on a page in the place of what an earlier look had found.
 * @returns the findings as they are kept
 */
export async function replacePage(
  trx: Trx,
  scan: Scan,
  page: ScanPage,
  findings: readonly Finding[],
  now: number,
): Promise<SavedFinding[]> {
  const state = {
    state: page.state,
    partial: page.partial ? 1 : 0,
    error: page.error,
    http_status: page.httpStatus,
    banner: page.banner,
  } as const;
  const { id: pageId } = await trx
    .insertInto('scan_pages')
    .values({ scan_id: scan.id, url: page.url, distance: null, ...state })
    .onConflict((conflict) => conflict.columns(['scan_id', 'url']).doUpdateSet(state))
    .returning('id')
    .executeTakeFirstOrThrow();
  return replaceFindings(trx, { scan, pageId, findings, now });
}

/** How many links a page of a scan is away from the home page; null if that is not known. */
export async function findPageDistance(
  db: Db,
  scanId: number,
  url: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('scan_pages')
    .select('distance')
    .where('scan_id', '=', scanId)
    .where('url', '=', url)
    .executeTakeFirst();
  return row?.distance ?? null;
}

/** The address of the home page of a scan. */
export async function findHomePage(db: Db, scanId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('scan_pages')
    .select('url')
    .where('scan_id', '=', scanId)
    .where('distance', '=', 0)
    .executeTakeFirst();
  return row?.url;
}

/** All pages of a scan, in the order of its plan. */
export function listPlan(trx: Trx, scanId: number): Promise<PlannedPage[]> {
  return trx
    .selectFrom('scan_pages')
    .select(['url', 'distance'])
    .where('scan_id', '=', scanId)
    .orderBy('id')
    .execute();
}

/** Counts of several scans, by scan ID. */
export async function countScans(
  db: Db | Trx,
  ids: readonly number[],
): Promise<Map<number, ScanCounts>> {
  const counts = new Map<number, ScanCounts>(
    ids.map((id) => [
      id,
      { pages: 0, pagesFailed: 0, pagesPlanned: 0, findings: 0, vendors: 0, beforeConsent: 0 },
    ]),
  );
  if (ids.length === 0) return counts;
  const pages = await db
    .selectFrom('scan_pages')
    .where('scan_id', 'in', ids)
    .groupBy(['scan_id', 'state'])
    .select((eb) => ['scan_id', 'state', eb.fn.countAll<number>().as('count')])
    .execute();
  for (const { scan_id, state, count } of pages) {
    const of = counts.get(scan_id);
    if (!of) continue;
    of.pagesPlanned += Number(count);
    if (state === 'scanned') of.pages += Number(count);
    if (state === 'failed') of.pagesFailed += Number(count);
  }
  const findings = await db
    .selectFrom('scan_findings as finding')
    .leftJoin('vendors as vendor', 'vendor.id', 'finding.vendor_id')
    .where('finding.scan_id', 'in', ids)
    .groupBy('finding.scan_id')
    .select((eb) => [
      'finding.scan_id',
      eb.fn.countAll<number>().as('findings'),
      eb.fn.count<number>('vendor.id').distinct().as('vendors'),
      eb.fn.sum<number>('finding.needs_consent').as('before_consent'),
    ])
    .execute();
  for (const row of findings) {
    const of = counts.get(row.scan_id);
    if (!of) continue;
    of.findings = Number(row.findings);
    of.vendors = Number(row.vendors);
    of.beforeConsent = Number(row.before_consent);
  }
  return counts;
}
