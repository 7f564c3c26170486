import type { Platform } from '../../platform/deps.ts';
import { queueEvents } from '../../webhooks/index.ts';
import { readSettings } from '../settings/index.ts';
import { removeLeftFolders } from './browser/temporary-folder.ts';
import { logScan } from './commitment/store.ts';
import type { OwnAddresses } from './own-service.ts';
import { createPageScan } from './page-scan.ts';
import { createPlanner } from './planner.ts';
import { prepareReport } from './regression/service.ts';
import { createRuns } from './runs/service.ts';
import { createEngine, type EngineSettings, type ScanEngine } from './scan-engine.ts';
import {
  assertStatus,
  getScan,
  getScanCounts,
  type ScanRequest,
  toFinishedScan,
  toScanStates,
  toScanSummary,
} from './scans.ts';
import { Semaphore } from './semaphore.ts';
import { insertPages, insertScan, lockScan, type Scan, updateScan } from './store.ts';
import { removeOldPictures } from './visits/store.ts';

/** Limit for clients that wait for the list of pages. */
const CRAWL_LIMIT_MS = 8_000;
/** Limit for scans on the server. */
const RUN_CRAWL_LIMIT_MS = 30_000;
const STARTS_AT_ONCE = 2;
const STARTS_WAITING = 8;

export interface ScannerSettings extends EngineSettings {
  addresses: () => OwnAddresses & { consoleUrl: string };
  siteUrl: () => string;
  /** Replaces the setting `scanner.ignore_robots`. */
  ignoreRobots?: boolean;
}

export type Scanner = ReturnType<typeof createScanner>;

/** The scanner of one site. Its engine is opened by the first scan. */
export function createScanner(platform: Platform, settings: ScannerSettings) {
  const { datastore, clock, hooks } = platform;
  const { siteUrl } = settings;
  removeLeftFolders().catch((err) =>
    platform.log.warn({ err }, 'folders of earlier browsers could not be removed'),
  );
  const starts = new Semaphore(STARTS_WAITING);
  const readCurrent = () => readSettings(datastore.db, settings.addresses().restRoot);

  let opened: Promise<ScanEngine> | undefined;
  const openEngine = () => {
    if (opened) return opened;
    const opening = createEngine(settings, siteUrl(), platform.log);
    opened = opening;
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  };

  const planner = createPlanner(platform, siteUrl, openEngine);
  const readLimits = async () => {
    const { max_pages: maxPages, ignore_robots } = (await readCurrent()).settings.scanner;
    return { maxPages, ignoreRobots: settings.ignoreRobots ?? ignore_robots };
  };
  const crawl = async (depth: number, deadlineMs: number, signal?: AbortSignal) => {
    const limits = await readLimits();
    const plan = await planner.crawl({ depth, deadlineMs, ...limits, ...(signal && { signal }) });
    const { engine } = await openEngine();
    return { ...plan, engine: engine.name };
  };

  const scanner = {
    /**
     * Crawls the site and saves its pages as a new scan.
     * @throws DomainError `site_unreachable`, `unavailable`
     */
    start: ({ depth, states, startedBy }: Omit<ScanRequest, 'pages'>) =>
      starts.run(STARTS_AT_ONCE, async () => {
        const { pages, robotsExcluded, limit, engine } = await crawl(depth, CRAWL_LIMIT_MS);
        const scan = {
          siteUrl: siteUrl(),
          depth,
          engine,
          startedAt: clock.now(),
          robotsExcluded,
          crawlLimit: limit,
          runner: 'client',
          states: toScanStates(states),
          startedBy,
        } as const;
        const scanId = await datastore.transaction((trx) => insertScan(trx, scan, pages));
        return { scanId, urls: pages.map(({ url }) => url), robotsExcluded, crawlLimit: limit };
      }),

    scanPage: createPageScan(platform, {
      ...{ siteUrl, addresses: settings.addresses },
      ...{ openEngine, planner, readCurrent, readLimits },
    }),

    /**
     * Completes a scan. Only the first call triggers `svc_scan_complete`, reports what got worse and removes pictures of
     * old scans.
     * @throws NotFoundError; DomainError `conflict` when it is queued, was cancelled, interrupted or failed
     */
    async complete(scanId: number) {
      const completed = await getScan(datastore.db, scanId);
      const current = await readCurrent();
      const { consoleUrl } = settings.addresses();
      const report = await prepareReport(platform, completed, current, consoleUrl);
      const { scan, counts, isNew } = await datastore.transaction(async (trx, announce) => {
        const before = await lockScan(trx, scanId);
        assertStatus(before, ['started', 'completed']);
        const now = clock.now();
        const isNew = before.status !== 'completed';
        if (isNew) {
          await updateScan(trx, scanId, { status: 'completed', completed_at: now });
          await report?.(trx, announce);
          await logScan(trx, before, now);
          await removeOldPictures(trx);
        }
        const scan: Scan = isNew ? { ...before, status: 'completed', completedAt: now } : before;
        const counts = await getScanCounts(trx, scanId);
        if (isNew) {
          const event = { type: 'scan.finished', at: now } as const;
          await queueEvents(trx, announce, event, () => [{ data: toFinishedScan(scan, counts) }]);
        }
        return { scan, counts, isNew };
      });
      if (isNew) hooks.announce('svc_scan_complete', () => [toScanSummary(scan, counts)]);
      return { scan, counts };
    },
  };

  const runs = createRuns(platform, {
    siteUrl,
    ...scanner,
    concurrency: async () => (await readCurrent()).settings.scanner.concurrency,
    async plan({ id, depth }, signal) {
      const plan = await crawl(depth, RUN_CRAWL_LIMIT_MS, signal);
      const { pages, robotsExcluded, limit, engine } = plan;
      await datastore.transaction(async (trx) => {
        assertStatus(await lockScan(trx, id), ['started']);
        await insertPages(trx, id, pages);
        const found = { robots_excluded: robotsExcluded, crawl_limit: limit };
        await updateScan(trx, id, { ...found, engine });
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
