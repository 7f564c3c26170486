import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { readSettings } from '../settings/index.ts';
import { removeLeftFolders } from './browser/temporary-folder.ts';
import { classifyVisit } from './classify-visit.ts';
import { readCookieLookup } from './cookies/service.ts';
import { getScanCounts, toScanSummary } from './counts.ts';
import type { SavedFinding } from './findings/store.ts';
import type { CnameLookup } from './net/cnames.ts';
import { getAccessError } from './page-access.ts';
import { createPlanner } from './planner.ts';
import { createRuns, type Runs } from './runs/service.ts';
import { setPlanFigures } from './runs/store.ts';
import { createEngine, type EngineSettings, type ScanEngine } from './scan-engine.ts';
import { Semaphore } from './semaphore.ts';
import { toSitePage } from './site.ts';
import { assertStatus } from './status.ts';
import {
  findScan,
  insertPages,
  insertScan,
  listPlan,
  lockScan,
  markCompleted,
  nameEngine,
  replacePage,
  type Scan,
  type ScanCounts,
  type ScanPage,
} from './store.ts';
import { visit } from './visit.ts';

/** Limit for clients that wait for the list of pages. */
const CRAWL_LIMIT_MS = 8_000;
/** Limit for scans on the server. */
const RUN_CRAWL_LIMIT_MS = 30_000;
const STARTS_AT_ONCE = 2;
const STARTS_WAITING = 8;
const PAGES_WAITING = 200;

export interface ScannerSettings extends EngineSettings {
  siteUrl: () => string;
  /** Scans what robots.txt disallows too, whatever the settings say. */
  ignoreRobots?: boolean;
}

/** Result of scanning one page. */
interface ScannedPage {
  findings: SavedFinding[];
  partial: boolean;
  /** Null without a response. */
  httpStatus: number | null;
  banner: ScanPage['banner'];
  /** Pages that its scripts link to, newly added to the plan of the scan. */
  discovered: string[];
  /** Error message, if the page could not be scanned. */
  error?: string;
}

export interface Scanner {
  /**
   * Crawls the site and saves its pages as a new scan.
   * @throws DomainError `site_unreachable`; DomainError `unavailable`
   */
  start(depth: number): Promise<{ scanId: number; urls: string[]; robotsExcluded: number }>;
  /**
   * Scans a page and replaces its earlier findings.
   * @throws NotFoundError for an unknown scan, 400 for a page of another site, 409 when the scan is over;
   * DomainError `unavailable` when too many pages wait already; the signal's reason, with nothing saved, once it ends the visit
   */
  scanPage(scanId: number, url: string, signal?: AbortSignal): Promise<ScannedPage>;
  /**
   * Completes a scan. Only the first call triggers `svc_scan_complete`.
   * @throws NotFoundError; DomainError `conflict` when it was cancelled, interrupted or failed
   */
  complete(scanId: number): Promise<{ scan: Scan; counts: ScanCounts }>;
  readonly runs: Runs;
  close(): Promise<void>;
}

/** The scanner of one site. Its engine is opened by the first scan. */
export function createScanner(platform: Platform, settings: ScannerSettings): Scanner {
  const { datastore, clock, hooks } = platform;
  const { siteUrl } = settings;
  removeLeftFolders().catch((err) =>
    platform.log.warn({ err }, 'folders of earlier browsers could not be removed'),
  );
  const starts = new Semaphore(STARTS_WAITING);
  const pages = new Semaphore(PAGES_WAITING);
  const lookUpCnames: CnameLookup = async (hosts) => (await eyes()).lookUpCnames(hosts);
  const readCurrent = () => readSettings(datastore.db, siteUrl());
  const limits = async () => (await readCurrent()).settings.scanner;

  let opened: Promise<ScanEngine> | undefined;
  const eyes = () => {
    if (opened) return opened;
    const opening = createEngine(settings, siteUrl(), platform.log);
    opened = opening;
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  };

  const planner = createPlanner(platform, siteUrl, eyes);
  const planLimits = async () => {
    const { max_pages: maxPages, ignore_robots: ignoreRobots } = await limits();
    return { maxPages, ignoreRobots: settings.ignoreRobots ?? ignoreRobots };
  };

  const scanner: Omit<Scanner, 'runs' | 'close'> = {
    start: (depth) =>
      starts.run(STARTS_AT_ONCE, async () => {
        const { pages: plan, robotsExcluded } = await planner.crawl({
          depth,
          deadlineMs: CRAWL_LIMIT_MS,
          ...(await planLimits()),
        });
        const { engine } = await eyes();
        const scan = {
          siteUrl: siteUrl(),
          depth,
          engine: engine.name,
          startedAt: clock.now(),
          robotsExcluded,
          runner: 'client',
        } as const;
        const scanId = await datastore.transaction((trx) => insertScan(trx, scan, plan));
        return { scanId, urls: plan.map(({ url }) => url), robotsExcluded };
      }),

    async scanPage(scanId, address, signal) {
      const scan = await findScan(datastore.db, scanId);
      if (!scan) throw new NotFoundError('The scan');
      const url = toSitePage(address, siteUrl());
      if (url === undefined)
        throw new InvalidFieldError('url', `url must be a page of ${siteUrl()}.`);
      // Encoding makes non-ASCII characters longer.
      if (url.length > URL_MAX_LENGTH) {
        throw new InvalidFieldError(
          'url',
          `url must have at most ${URL_MAX_LENGTH} characters when encoded.`,
        );
      }
      assertStatus(scan, ['started']);
      const { concurrency, necessary_vendors: necessaryVendors } = await limits();
      return pages.run(concurrency, async () => {
        const visited = await visit(url, eyes, platform.log, signal);
        signal?.throwIfAborted();
        const accessError = getAccessError(visited);
        const error = accessError ?? visited.error;
        // Findings of a page that crashed the browser are kept.
        const lookUpCookie = await readCookieLookup(datastore.db, await readCurrent());
        const { findings, cut } =
          accessError === undefined
            ? await classifyVisit(platform, scan, visited, {
                lookUpCnames,
                necessaryVendors,
                lookUpCookie,
              })
            : { findings: [], cut: false };
        const { maxPages, ignoreRobots } = await planLimits();
        const linked =
          error === undefined
            ? await planner.findLinkedPages(scan, visited, { ignoreRobots })
            : { urls: [], distance: 0 };
        const partial = visited.partial || cut;
        const httpStatus = visited.status ?? null;
        const banner = (error === undefined ? visited.banner : undefined) ?? null;
        const page = {
          url,
          state: error === undefined ? 'scanned' : 'failed',
          partial,
          error: error ?? null,
          httpStatus,
          banner,
        } as const;
        const { saved, discovered } = await datastore.transaction(async (trx) => {
          const current = await lockScan(trx, scanId);
          if (!current) throw new NotFoundError('The scan');
          assertStatus(current, ['started']);
          if (visited.engine !== undefined) await nameEngine(trx, scanId, visited.engine);
          return {
            saved: await replacePage(trx, current, page, findings, clock.now()),
            discovered: await addToPlan(trx, scanId, linked, maxPages),
          };
        });
        return {
          findings: saved,
          partial,
          httpStatus,
          banner,
          discovered,
          ...(error !== undefined && { error }),
        };
      });
    },

    async complete(scanId) {
      const { scan, counts, isNew } = await datastore.transaction(async (trx) => {
        const before = await lockScan(trx, scanId);
        if (!before) throw new NotFoundError('The scan');
        assertStatus(before, ['queued', 'started', 'completed']);
        const now = clock.now();
        const isNew = before.status !== 'completed';
        if (isNew) await markCompleted(trx, scanId, now);
        const scan: Scan = isNew ? { ...before, status: 'completed', completedAt: now } : before;
        return { scan, counts: await getScanCounts(trx, scanId), isNew };
      });
      if (isNew) hooks.announce('svc_scan_complete', () => [toScanSummary(scan, counts)]);
      return { scan, counts };
    },
  };

  const runs = createRuns(platform, {
    siteUrl,
    ...scanner,
    concurrency: async () => (await limits()).concurrency,
    async plan({ id, depth }, signal) {
      const { pages: plan, robotsExcluded } = await planner.crawl({
        depth,
        deadlineMs: RUN_CRAWL_LIMIT_MS,
        signal,
        ...(await planLimits()),
      });
      const { engine } = await eyes();
      await datastore.transaction(async (trx) => {
        const current = await lockScan(trx, id);
        if (!current) throw new NotFoundError('The scan');
        assertStatus(current, ['started']);
        await insertPages(trx, id, plan);
        await setPlanFigures(trx, id, { robotsExcluded, engine: engine.name });
      });
    },
  });

  return {
    ...scanner,
    runs,
    async close() {
      await runs.stop();
      const open = await opened?.catch(() => undefined);
      await open?.engine.close();
    },
  };
}

/** Puts pages on the plan of a scan that are not on it, as far as there is room; gives their addresses. */
async function addToPlan(
  trx: Trx,
  scanId: number,
  { urls, distance }: { urls: readonly URL[]; distance: number },
  maxPages: number,
): Promise<string[]> {
  if (urls.length === 0) return [];
  const { PageList } = await import('./crawl/page-list.ts');
  const list = new PageList(await listPlan(trx, scanId), maxPages);
  const added = urls.filter((url) => list.add(url, distance)).map(({ href }) => href);
  const pages = added.map((url) => ({ url, distance }));
  await insertPages(trx, scanId, pages);
  return added;
}
