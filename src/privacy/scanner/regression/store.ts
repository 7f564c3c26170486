import type { Db } from '../../../platform/db/index.ts';
import { selectUnknownHosts, tallyUnknownHosts } from '../results/store.ts';
import type { Scan } from '../store.ts';
import { listReached, type ReachedStates } from '../verdicts/rules.ts';
import type { UnknownHost } from './rules.ts';

/**
 * The id of the latest earlier scan of the same site with which a scan can be compared: completed, of the whole site,
 * at least as deep, and also with or without a browser.
 */
export async function findComparableScan(
  db: Db,
  { id, siteUrl, depth, engine }: Scan,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('scans')
    .select('id')
    .where('id', '<', id)
    .where('site_url', '=', siteUrl)
    .where('status', '=', 'completed')
    .where('started_by', '!=', 'proof')
    .where('depth', '>=', depth)
    .where('engine', engine === 'html' ? '=' : '!=', 'html')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('scan_pages as page')
          .select('page.id')
          .whereRef('page.scan_id', '=', 'scans.id')
          .where('page.state', '=', 'scanned'),
      ),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** The pages of a scan that failed, or that it ended before. */
export async function listUnscannedUrls(db: Db, scanId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scan_pages')
    .select('url')
    .where('scan_id', '=', scanId)
    .where('state', '!=', 'scanned')
    .execute();
  return rows.map(({ url }) => url);
}

/** The pages of a scan that were read in part in the visit of `before` and `accepted`, or have more findings than are kept. */
export async function listPartialUrls(db: Db, scanId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scan_pages')
    .select('url')
    .where('scan_id', '=', scanId)
    .where('partial', '=', 1)
    .execute();
  return rows.map(({ url }) => url);
}

/** The states that each page of a scan reached, by URL; none without a browser. */
export async function listReachedStates(
  db: Db,
  scanId: number,
): Promise<ReadonlyMap<string, ReachedStates>> {
  const rows = await db
    .selectFrom('scan_pages as page')
    .leftJoin('scan_visits as visit', 'visit.page_id', 'page.id')
    .where('page.scan_id', '=', scanId)
    .select(['page.url', 'visit.state', 'visit.outcome', 'visit.error'])
    .execute();
  const pages = [...Map.groupBy(rows, ({ url }) => url)];
  const toVisit = ({ state, outcome, error }: (typeof rows)[number]) =>
    state && outcome ? [{ state, outcome, ...(error !== null && { error }) }] : [];
  return new Map(pages.map(([url, visits]) => [url, listReached(visits.flatMap(toVisit))]));
}

/** Where a scan found third-party hosts without a known vendor: on which pages, and in which states at work. */
export async function listUnknownHostPages(db: Db, scanId: number): Promise<UnknownHost[]> {
  // As the results list them.
  const hosts = new Set((await tallyUnknownHosts(db, scanId)).map(({ host }) => host));
  const rows = await selectUnknownHosts(db, scanId)
    .innerJoin('scan_pages as page', 'page.id', 'finding.page_id')
    .select(['finding.host', 'page.url as pageUrl', 'finding.states'])
    .distinct()
    .orderBy('finding.host')
    .execute();
  return rows
    .filter(({ host }) => hosts.has(host))
    .map(({ states, ...row }) => ({ ...row, states: JSON.parse(states) }));
}
