import { LRUCache } from 'lru-cache';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { CrawledSite, CrawlOptions } from './crawl/crawl-site.ts';
import type { RobotsTxt } from './crawl/robots-txt.ts';
import type { PageVisit } from './observation.ts';
import type { ScanEngine } from './scan-engine.ts';
import { listPlan, type Scan } from './store.ts';

const ROBOTS_LIMIT_MS = 5_000;
/** The number of scans whose robots.txt is kept. */
const ROBOTS_MAX = 10;

type PlanOptions = Pick<
  CrawlOptions,
  'depth' | 'maxPages' | 'deadlineMs' | 'ignoreRobots' | 'signal'
>;

export type Planner = ReturnType<typeof createPlanner>;

/** Decides which pages a scan has. */
export function createPlanner(
  { datastore: { db }, log }: Platform,
  siteUrl: () => string,
  openEngine: () => Promise<ScanEngine>,
) {
  const robots = new LRUCache<number, Promise<RobotsTxt>>({ max: ROBOTS_MAX });

  async function listRenderedLinks(url: string, signal: AbortSignal): Promise<string[]> {
    try {
      const { engine } = await openEngine();
      if (engine.name === 'html') return [];
      const { links } = await engine.visit(url, signal);
      return (await links?.()) ?? [];
    } catch (err) {
      log.warn({ err }, 'the home page could not be opened in the browser to read its links');
      return [];
    }
  }

  async function getRobots(scanId: number, home: URL): Promise<RobotsTxt> {
    const { readRobotsTxt } = await import('./crawl/robots-txt.ts');
    const known = robots.get(scanId);
    if (known) return known;
    const { fetch, userAgent } = await openEngine();
    const signal = AbortSignal.timeout(ROBOTS_LIMIT_MS);
    const reading = readRobotsTxt({ home, fetch, signal, userAgent });
    reading.catch(() => robots.delete(scanId));
    robots.set(scanId, reading);
    return reading;
  }

  return {
    /** @throws DomainError `site_unreachable` */
    async crawl(options: PlanOptions): Promise<CrawledSite> {
      const { crawlSite, SiteUnreachableError } = await import('./crawl/crawl-site.ts');
      const { fetch, userAgent } = await openEngine();
      try {
        return await crawlSite({
          ...options,
          siteUrl: siteUrl(),
          fetch,
          userAgent,
          listRenderedLinks,
        });
      } catch (error) {
        if (!(error instanceof SiteUnreachableError)) throw error;
        const message = `The site ${siteUrl()} cannot be reached. ${error.message}`;
        throw new DomainError('upstream_failed', 'site_unreachable', message);
      }
    },

    /** Pages within the crawl depth that a visited page links to. A crawl does not see links of scripts. */
    async findLinkedPages(
      scan: Scan,
      visited: PageVisit,
      { ignoreRobots }: { ignoreRobots: boolean },
    ): Promise<{ urls: URL[]; distance: number }> {
      const none = { urls: [], distance: 0 };
      if (!visited.links) return none;
      const plan = await listPlan(db, scan.id);
      const at = plan.find(({ url }) => url === visited.url)?.distance ?? null;
      const homePage = plan.find(({ distance }) => distance === 0);
      if (at === null || at >= scan.depth || !homePage) return none;
      const { toPageKey, toPageUrl, toSiteRoot } = await import('./crawl/page-url.ts');
      const home = new URL(homePage.url);
      const root = toSiteRoot(scan.siteUrl, home);
      const rules = ignoreRobots ? undefined : await getRobots(scan.id, home);
      const urls = (await visited.links())
        .map((link) => toPageUrl(link, visited.finalUrl, root))
        .filter((url) => url !== undefined)
        .filter((url) => toPageKey(url) !== toPageKey(root))
        .filter((url) => rules?.allows(url.href) ?? true);
      return { urls, distance: at + 1 };
    },
  };
}
