import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import type { CurrentSettings } from '../settings/index.ts';
import { createVendorLookupCache } from './classify/vendor-lookup-cache.ts';
import { classifyVisit } from './classify-visit.ts';
import { readCookieLookup } from './cookies/service.ts';
import type { PageVisit, ScanState } from './observation.ts';
import { isOwnService, type OwnAddresses } from './own-service.ts';
import { getAccessError } from './page-access.ts';
import type { Planner } from './planner.ts';
import type { ScanEngine } from './scan-engine.ts';
import { assertStatus, getScan } from './scans.ts';
import { Semaphore } from './semaphore.ts';
import { toSitePage } from './site.ts';
import {
  insertPages,
  listPlan,
  lockScan,
  replacePage,
  type Scan,
  type ScanPage,
  updateScan,
} from './store.ts';
import { assessVisits } from './visits/assess.ts';
import { hasEndedEarly } from './visits/rules.ts';

/** Hard limit for each visit of a page. Engines stop earlier and return partial results. */
const VISIT_LIMIT_MS = 20_000;
/** Time to return partial results after the limit. */
const GRACE_MS = 1_000;
const PAGES_WAITING = 200;

interface PageScanContext {
  siteUrl: () => string;
  /** The public URLs of this server. */
  addresses: () => OwnAddresses;
  openEngine: () => Promise<ScanEngine>;
  planner: Planner;
  readCurrent: () => Promise<CurrentSettings>;
  readLimits: () => Promise<{ maxPages: number; ignoreRobots: boolean }>;
}

export function createPageScan(
  platform: Platform,
  { siteUrl, addresses, openEngine, planner, readCurrent, readLimits }: PageScanContext,
) {
  const { datastore, clock, log } = platform;
  const pages = new Semaphore(PAGES_WAITING);
  const getVendorLookup = createVendorLookupCache(platform);

  const classifyPage = async (scan: Scan, visited: PageVisit) => {
    const current = await readCurrent();
    return classifyVisit(platform, scan, visited, {
      vendors: await getVendorLookup(),
      lookUpCnames: async (hosts) => (await openEngine()).lookUpCnames(hosts),
      necessaryVendors: current.settings.scanner.necessary_vendors,
      necessaryCategories: current.settings.consent.categories
        .filter(({ id, required }) => required && id !== 'functional')
        .map(({ id }) => id),
      isOwnService: (url) => isOwnService(url, addresses()),
      lookUpCookie: await readCookieLookup(datastore.db, current),
    });
  };

  /**
   * Scans a page and replaces its earlier findings.
   * @throws NotFoundError for an unknown scan; InvalidFieldError for a page of another site; DomainError `conflict` when
   * the scan is over, `unavailable` when too many pages wait; the reason of the signal, with nothing saved
   */
  return async (scanId: number, address: string, signal?: AbortSignal) => {
    const scan = await getScan(datastore.db, scanId);
    const url = toSitePage(address, siteUrl());
    if (url === undefined)
      throw new InvalidFieldError('url', `url must be a page of ${siteUrl()}.`);
    // Encoding makes non-ASCII characters longer.
    if (url.length > URL_MAX_LENGTH) {
      const message = `url must have at most ${URL_MAX_LENGTH} characters when encoded.`;
      throw new InvalidFieldError('url', message);
    }
    assertStatus(scan, ['started']);
    const { concurrency } = (await readCurrent()).settings.scanner;
    return pages.run(concurrency, async () => {
      const { engine, ...visited } = await visitPage(url, scan.states, signal);
      signal?.throwIfAborted();
      const accessError = getAccessError(visited);
      const error = accessError ?? visited.error;
      // Findings of a page that crashed the browser are kept.
      const { findings, cut } =
        accessError === undefined
          ? await classifyPage(scan, visited)
          : { findings: [], cut: false };
      const visits = accessError === undefined ? await assessVisits(visited.visits ?? []) : [];
      const { maxPages, ignoreRobots } = await readLimits();
      const linked =
        error === undefined
          ? await planner.findLinkedPages(scan, visited, { ignoreRobots })
          : { urls: [], distance: 0 };
      const page: ScanPage = {
        url,
        state: error === undefined ? 'scanned' : 'failed',
        partial: visited.partial || cut,
        error: error ?? null,
        httpStatus: visited.status ?? null,
        banner: (error === undefined ? visited.banner : undefined) ?? null,
      };
      const saved = await datastore.transaction(async (trx) => {
        const current = await lockScan(trx, scanId);
        assertStatus(current, ['started']);
        if (engine !== undefined && engine !== current.engine) {
          await updateScan(trx, scanId, { engine });
        }
        return {
          findings: await replacePage(trx, current, page, { findings, visits, now: clock.now() }),
          /** Pages that its scripts link to, newly added to the plan of the scan. */
          discovered: await addToPlan(trx, current, linked, maxPages),
        };
      });
      const { partial, httpStatus, banner } = page;
      const isComplete = error === undefined && !partial && !hasEndedEarly(visits);
      const answer = { ...saved, partial, httpStatus, banner, isComplete };
      return { ...answer, ...(error !== undefined && { error }) };
    });
  };

  /** Answers within the limit once the engine has started, whatever it does. */
  async function visitPage(
    url: string,
    states: readonly ScanState[],
    cancelled?: AbortSignal,
  ): Promise<PageVisit & { engine?: string }> {
    const failed = (error: string) =>
      ({ url, finalUrl: url, observations: [], partial: true, error }) satisfies PageVisit;
    const overdue = Promise.withResolvers<PageVisit>();
    let timer: NodeJS.Timeout | undefined;
    try {
      const { engine } = await openEngine();
      // A busy machine can take ten seconds to unpack and start a browser.
      await engine.start?.();
      const limitMs = VISIT_LIMIT_MS * countVisits(states);
      timer = setTimeout(() => {
        const error = `The page took longer than ${limitMs / 1_000} seconds to scan.`;
        overdue.resolve(failed(error));
      }, limitMs + GRACE_MS);
      const limit = AbortSignal.timeout(limitMs);
      const signal = cancelled ? AbortSignal.any([limit, cancelled]) : limit;
      const visited = await Promise.race([engine.visit(url, signal, states), overdue.promise]);
      // Read after the visit: the name is known once the browser has started.
      return { ...visited, engine: engine.name };
    } catch (err) {
      log.error({ err }, 'an engine of the scanner failed');
      return failed('The scanner failed on this page. See the server log for details.');
    } finally {
      clearTimeout(timer);
    }
  }
}

/** `before` and `accepted` share one visit. */
const countVisits = (states: readonly ScanState[]): number =>
  1 + states.filter((state) => state !== 'before' && state !== 'accepted').length;

/** Adds pages to the plan of a scan that are not in it, up to its limits. Returns their URLs. */
async function addToPlan(
  trx: Trx,
  { id: scanId, crawlLimit }: Scan,
  { urls, distance }: { urls: readonly URL[]; distance: number },
  maxPages: number,
): Promise<string[]> {
  if (urls.length === 0) return [];
  const { PageList } = await import('./crawl/page-list.ts');
  const list = new PageList(await listPlan(trx, scanId), maxPages);
  const added = urls.filter((url) => list.add(url, distance)).map(({ href: url }) => url);
  await insertPages(
    trx,
    scanId,
    added.map((url) => ({ url, distance })),
  );
  // The owner can change the limit of pages: it comes before what else keeps pages out, as in the crawl.
  const isFirst = crawlLimit === null || (list.limit === 'max_pages' && crawlLimit !== 'time');
  if (list.limit && isFirst) await updateScan(trx, scanId, { crawl_limit: list.limit });
  return added;
}
