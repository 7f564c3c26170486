import type { Selection, Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { countRows, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import { NotFoundError } from '../../platform/errors.ts';
import type { FindingWithVerdicts } from './classify/finding.ts';
import { chunks, joinVendors, replaceFindings, type SavedFinding } from './findings/store.ts';
import type { ScanState } from './observation.ts';
import type { ScanPageTable, ScanTable } from './tables.ts';
import { isBrokenPromise } from './verdicts/without-consent.ts';
import { type AssessedVisit, hasShortcoming } from './visits/assess.ts';
import { replaceVisits } from './visits/store.ts';

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
  /** Links from the home page; null for pages that only a sitemap or a client names. */
  distance: number | null;
}

export interface ScanCounts {
  pages: number;
  pagesFailed: number;
  pagesPlanned: number;
  findings: number;
  vendors: number;
  beforeConsent: number;
  /** Findings. */
  brokenPromises: number;
  /** Each once, whatever the number of pages that have it. */
  resources: { total: number; beforeConsent: number; brokenPromises: number };
}

type ScanRow = Selection<Database, 'scans', (typeof SCAN_COLUMNS)[number]>;

export interface Scan extends Omit<ScanRow, 'states'> {
  /** In the order of `SCAN_STATES`. */
  states: ScanState[];
}

const SCAN_COLUMNS = [
  'id',
  'status',
  'site_url as siteUrl',
  'depth',
  'engine',
  'started_at as startedAt',
  'completed_at as completedAt',
  'robots_excluded as robotsExcluded',
  'crawl_limit as crawlLimit',
  'runner',
  'error',
  'states',
  'started_by as startedBy',
] as const;

/** The engine of a scan that has not started. */
export const NO_ENGINE = 'none';

const toScan = (row: ScanRow): Scan => ({ ...row, states: JSON.parse(row.states) });

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
      crawl_limit: scan.crawlLimit,
      states: JSON.stringify(scan.states),
      started_by: scan.startedBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertPages(trx, id, pages);
  return id;
}

/** Adds pages to the plan of a scan. Existing ones stay as they are. */
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

const selectScan = (db: Db | Trx, id: number) =>
  db.selectFrom('scans').select(SCAN_COLUMNS).where('id', '=', id);

export async function findScan(db: Db | Trx, id: number): Promise<Scan | undefined> {
  const row = await selectScan(db, id).executeTakeFirst();
  return row && toScan(row);
}

/** Locks the scan's row until the transaction ends. @throws NotFoundError */
export const lockScan = async (trx: Trx, id: number): Promise<Scan> =>
  toScan(
    await lockRows(trx, selectScan(trx, id)).executeTakeFirstOrThrow(
      () => new NotFoundError('The scan'),
    ),
  );

export interface ScanSlice {
  offset: number;
  limit: number;
  /** Default: all, also if it is empty. */
  startedBy?: readonly Scan['startedBy'][];
  /** Default: all, also if it is empty. */
  status?: readonly Scan['status'][];
  siteUrl?: string;
}

/** Newest first. */
export async function listScans(
  db: Db,
  { offset, limit, startedBy, status, siteUrl }: ScanSlice,
): Promise<{ scans: Scan[]; total: number }> {
  let query = db.selectFrom('scans');
  if (startedBy?.length) query = query.where('started_by', 'in', startedBy);
  if (status?.length) query = query.where('status', 'in', status);
  if (siteUrl !== undefined) query = query.where('site_url', '=', siteUrl);
  const total = await countRows(query);
  const rows = await query
    .select(SCAN_COLUMNS)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { scans: rows.map(toScan), total };
}

export async function updateScan(
  trx: Trx,
  id: number,
  changes: Updateable<ScanTable>,
): Promise<void> {
  await trx.updateTable('scans').set(changes).where('id', '=', id).execute();
}

/** Saves a page, in place of its earlier findings and visits. */
export async function replacePage(
  trx: Trx,
  scan: Scan,
  page: ScanPage,
  {
    findings,
    visits,
    now,
  }: {
    findings: readonly FindingWithVerdicts[];
    visits: readonly AssessedVisit[];
    now: number;
  },
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
  const isRemarkable =
    hasShortcoming(visits) || findings.some(({ verdicts }) => isBrokenPromise(verdicts));
  await replaceVisits(trx, { scanId: scan.id, pageId, visits, isRemarkable, now });
  return replaceFindings(trx, { scan, pageId, findings, now });
}

/** All pages of a scan, in the order of its plan. */
export function listPlan(db: Db | Trx, scanId: number): Promise<PlannedPage[]> {
  return db
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
      {
        pages: 0,
        pagesFailed: 0,
        pagesPlanned: 0,
        findings: 0,
        vendors: 0,
        beforeConsent: 0,
        brokenPromises: 0,
        resources: { total: 0, beforeConsent: 0, brokenPromises: 0 },
      },
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
    const of = counts.get(scan_id) as ScanCounts;
    of.pagesPlanned += Number(count);
    if (state === 'scanned') of.pages += Number(count);
    if (state === 'failed') of.pagesFailed += Number(count);
  }
  const findings = await joinVendors(db)
    .where('finding.scan_id', 'in', ids)
    .groupBy('finding.scan_id')
    .select((eb) => [
      'finding.scan_id',
      eb.fn.countAll<number>().as('findings'),
      eb.fn.count<number>('vendor.id').distinct().as('vendors'),
      eb.fn
        .count<number>('finding.id')
        .filterWhere('finding.needs_consent', '=', 1)
        .filterWhere('finding.consent_state', '=', 'before')
        .as('before_consent'),
      eb.fn.sum<number>('finding.broken_promise').as('broken_promises'),
      eb.fn.count<number>('finding.thing').distinct().as('resources'),
      eb.fn
        .count<number>('finding.thing')
        .distinct()
        .filterWhere('finding.needs_consent', '=', 1)
        .filterWhere('finding.consent_state', '=', 'before')
        .as('resources_before_consent'),
      eb.fn
        .count<number>('finding.thing')
        .distinct()
        .filterWhere('finding.broken_promise', '=', 1)
        .as('resources_broken_promises'),
    ])
    .execute();
  for (const { scan_id, ...tallies } of findings) {
    const of = counts.get(scan_id) as ScanCounts;
    of.findings = Number(tallies.findings);
    of.vendors = Number(tallies.vendors);
    of.beforeConsent = Number(tallies.before_consent);
    of.brokenPromises = Number(tallies.broken_promises);
    of.resources = {
      total: Number(tallies.resources),
      beforeConsent: Number(tallies.resources_before_consent),
      brokenPromises: Number(tallies.resources_broken_promises),
    };
  }
  return counts;
}
