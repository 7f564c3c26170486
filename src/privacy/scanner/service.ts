import type { Platform } from '../../platform/deps.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { invalidParam, notFound, RestError } from '../../platform/rest/errors.ts';
import { readSettings } from '../settings/index.ts';
import { removeLeftFolders } from './browser/temporary-folder.ts';
import { type EngineSettings, type Eyes, openEyes } from './engines.ts';
import type { SavedFinding } from './findings/store.ts';
import { judge } from './judge.ts';
import type { PageVisit } from './observation.ts';
import { pageOfSite } from './site.ts';
import {
  countScans,
  findScan,
  insertScan,
  lockScan,
  markCompleted,
  nameEngine,
  replacePage,
  type Scan,
  type ScanCounts,
} from './store.ts';
import { Turnstile } from './turnstile.ts';

/** A start is answered within seconds: what is found of the site by then is the plan. */
const CRAWL_LIMIT_MS = 8_000;
const STARTS_AT_ONCE = 2;
const STARTS_WAITING = 8;
/** Beyond what an engine allows itself, against one that hangs. */
const PAGE_LIMIT_MS = 30_000;
const PAGES_WAITING = 200;

export interface ScannerSettings extends EngineSettings {
  siteUrl: () => string;
}

/** What a look at one page has brought. */
interface ScannedPage {
  findings: SavedFinding[];
  partial: boolean;
  /** Why the page could not be looked at, in a sentence. */
  error?: string;
}

export interface Scanner {
  /**
   * Finds out which pages there are, and writes them down as a new scan.
   * @throws RestError 502 `site_unreachable`; ApiError 503
   */
  start(depth: number): Promise<{ scanId: number; urls: string[] }>;
  /**
   * Looks at a page and keeps what it has in place of what an earlier look found.
   * @throws RestError 404 for an unknown scan, 400 for a page of another site, 409 `scan_completed`;
   * ApiError 503 when too many pages wait already
   */
  scanPage(scanId: number, url: string): Promise<ScannedPage>;
  /**
   * Ends a scan; whoever ends it fires `svc_scan_complete`, and nobody after them.
   * @throws RestError 404
   */
  complete(scanId: number): Promise<{ scan: Scan; counts: ScanCounts }>;
  close(): Promise<void>;
}

/** The scanner of one site. Its engine is opened by the first scan. */
export function createScanner(platform: Platform, settings: ScannerSettings): Scanner {
  const { datastore, clock, hooks } = platform;
  const { siteUrl } = settings;
  removeLeftFolders().catch((err) =>
    platform.log.warn({ err }, 'folders of earlier browsers could not be removed'),
  );
  const starts = new Turnstile(STARTS_WAITING);
  const pages = new Turnstile(PAGES_WAITING);
  const limits = async () => (await readSettings(datastore.db, siteUrl())).settings.scanner;

  let opened: Promise<Eyes> | undefined;
  const eyes = () => {
    if (opened) return opened;
    const opening = openEyes(settings, siteUrl(), platform.log);
    opened = opening;
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  };

  async function crawl(depth: number): Promise<string[]> {
    const { crawlSite, SiteUnreachable } = await import('./crawl/crawl-site.ts');
    const { fetch, userAgent } = await eyes();
    const { max_pages: maxPages } = await limits();
    try {
      const crawled = await crawlSite({
        siteUrl: siteUrl(),
        depth,
        maxPages,
        fetch,
        userAgent,
        deadlineMs: CRAWL_LIMIT_MS,
      });
      return crawled.urls;
    } catch (error) {
      if (!(error instanceof SiteUnreachable)) throw error;
      const message = `The site ${siteUrl()} cannot be reached. ${error.message}`;
      throw new RestError(502, 'site_unreachable', message);
    }
  }

  async function visit(url: string): Promise<PageVisit & { engine?: string }> {
    try {
      const { engine } = await eyes();
      const visited = await engine.visit(url, AbortSignal.timeout(PAGE_LIMIT_MS));
      // Asked for now: a browser knows what it is, or that there is none, when it has been started.
      return { ...visited, engine: engine.name };
    } catch (err) {
      platform.log.error({ err }, 'an engine of the scanner failed');
      const error = 'The scanner itself failed on this page. It has been logged.';
      return { url, finalUrl: url, observations: [], partial: true, error };
    }
  }

  return {
    start: (depth) =>
      starts.pass(STARTS_AT_ONCE, async () => {
        const urls = await crawl(depth);
        const { engine } = await eyes();
        const scan = {
          siteUrl: siteUrl(),
          depth,
          engine: engine.name,
          startedAt: clock.now(),
        };
        const scanId = await datastore.transaction((trx) => insertScan(trx, scan, urls));
        return { scanId, urls };
      }),

    async scanPage(scanId, address) {
      const scan = await findScan(datastore.db, scanId);
      if (!scan) throw notFound('The scan');
      const url = pageOfSite(address, siteUrl());
      if (url === undefined) throw invalidParam('url', `url is not a page of ${siteUrl()}.`);
      // Letters beyond ASCII take up to nine characters each by now.
      if (url.length > URL_MAX_LENGTH) {
        throw invalidParam('url', `url is longer than ${URL_MAX_LENGTH} characters when encoded.`);
      }
      assertStarted(scan);
      const { concurrency } = await limits();
      return pages.pass(concurrency, async () => {
        const visited = await visit(url);
        const { error } = visited;
        const { findings, cut } =
          error === undefined ? await judge(platform, scan, visited) : { findings: [], cut: false };
        const partial = visited.partial || cut;
        const page = {
          url,
          state: error === undefined ? 'scanned' : 'failed',
          partial,
          error: error ?? null,
        } as const;
        const saved = await datastore.transaction(async (trx) => {
          const current = await lockScan(trx, scanId);
          if (!current) throw notFound('The scan');
          assertStarted(current);
          if (visited.engine !== undefined) await nameEngine(trx, scanId, visited.engine);
          return replacePage(trx, current, page, findings, clock.now());
        });
        return { findings: saved, partial, ...(error !== undefined && { error }) };
      });
    },

    async complete(scanId) {
      const { scan, counts, isNew } = await datastore.transaction(async (trx) => {
        const before = await lockScan(trx, scanId);
        if (!before) throw notFound('The scan');
        const now = clock.now();
        const isNew = before.status !== 'completed';
        if (isNew) await markCompleted(trx, scanId, now);
        const scan: Scan = isNew ? { ...before, status: 'completed', completedAt: now } : before;
        return { scan, counts: await countsOf(trx, scanId), isNew };
      });
      if (isNew) await hooks.doAction('svc_scan_complete', summaryOf(scan, counts));
      return { scan, counts };
    },

    async close() {
      const open = await opened?.catch(() => undefined);
      await open?.engine.close();
    },
  };
}

/** A scan and its counts as `complete` answers and as hooks get it (decision 36). */
export const summaryOf = ({ id, status }: Scan, { pages, findings, vendors }: ScanCounts) => ({
  scan_id: id,
  status,
  pages,
  findings,
  vendors,
});

export async function countsOf(
  db: Parameters<typeof countScans>[0],
  scanId: number,
): Promise<ScanCounts> {
  const counts = (await countScans(db, [scanId])).get(scanId);
  if (!counts) throw notFound('The scan');
  return counts;
}

function assertStarted({ status }: Scan): void {
  if (status === 'completed') {
    throw new RestError(409, 'scan_completed', 'The scan is completed. Start another one.');
  }
}
