import { decodeHtml, isHtml } from '../html/html-text.ts';
import { htmlThread } from '../html/html-thread.ts';
import { FetchError } from '../net/fetch-error.ts';
import type { Fetch, Fetched } from '../net/guarded-fetch.ts';
import { isBelow, isSameSite } from '../site.ts';
import type { PlannedPage } from '../store.ts';
import type { CrawlLimit } from '../tables.ts';
import { PageList } from './page-list.ts';
import { cleanUrl, toPageKey, toPageUrl, toSiteRoot } from './page-url.ts';
import { readRobotsTxt } from './robots-txt.ts';

export interface CrawlOptions {
  siteUrl: string;
  /** 0: the home page only. */
  depth: number;
  maxPages: number;
  fetch: Fetch;
  /** Time limit. Returns the pages found so far. */
  deadlineMs: number;
  userAgent: string;
  /** Ends the crawl, which returns the pages found so far. */
  signal?: AbortSignal;
  /** Includes what robots.txt disallows. */
  ignoreRobots?: boolean;
  /** Links of a page after its scripts have run; none without a browser. */
  listRenderedLinks?: (url: string, signal: AbortSignal) => Promise<string[]>;
}

export interface CrawledSite {
  pages: PlannedPage[];
  /** Pages that robots.txt excludes. */
  robotsExcluded: number;
  /** What kept other pages out, or may have; null if nothing did. */
  limit: CrawlLimit | null;
}

/** The message is for the site owner. */
export class SiteUnreachableError extends Error {
  override readonly name = 'SiteUnreachable';
}

const PAGE_BYTES = 5_000_000;
const PAGE_TIMEOUT_MS = 5_000;
const AT_ONCE = 4;
const RENDER_TIMEOUT_MS = 5_000;
const MAX_EXCLUDED = 10_000;

/**
 * Lists the pages of a site: the home page, then by crawl depth in document order, then other pages of the sitemap.
 * @throws SiteUnreachableError if the home page does not respond with any status, or redirects out of the site
 */
export async function crawlSite(options: CrawlOptions): Promise<CrawledSite> {
  const { siteUrl, depth, maxPages, fetch, deadlineMs, userAgent, ignoreRobots = false } = options;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  const first = await homePage(fetch, siteUrl, signal);
  const home = cleanUrl(new URL(first.url));
  const root = toSiteRoot(siteUrl, home);
  const homeKeys = [root, home].map(toPageKey);
  const list = new PageList([{ url: home.href, distance: 0 }], maxPages);
  if (depth === 0 || maxPages === 1) {
    return { pages: list.pages, robotsExcluded: 0, limit: depth === 0 ? null : 'max_pages' };
  }

  const excluded = new Set<string>();
  const rendered = renderedLinks(options, first, signal);
  const guide = await readRobotsTxt({ home, fetch, signal, userAgent });
  const add = (link: string, base: string, distance: number | null): URL | undefined => {
    const url = toPageUrl(link, base, root);
    if (!url || homeKeys.includes(toPageKey(url))) return undefined;
    if (!ignoreRobots && !guide.allows(url.href)) {
      if (excluded.size < MAX_EXCLUDED) excluded.add(toPageKey(url));
      return undefined;
    }
    return list.add(url, distance) ? url : undefined;
  };
  const follow = async () => {
    let level = [
      { page: first, links: [...(await listLinks(first, signal)), ...(await rendered)] },
    ];
    for (let distance = 1; distance <= depth && level.length > 0; distance++) {
      const found: string[] = [];
      for (const { page, links } of level) {
        for (const link of links) {
          const url = add(link, page.url, distance);
          if (url) found.push(url.href);
        }
      }
      if (distance === depth) break;
      if (list.isFull) {
        if (found.length > 0) list.limit = 'max_pages';
        break;
      }
      const fetched = await fetchAll(found, (url) => fetchPage(fetch, url, signal));
      level = fetched.filter(({ url, page }) => list.keepIfPage(url, page));
    }
  };
  const [sitemaps] = await Promise.all([guide.listSitemapUrls(), follow()]);
  for (const location of sitemaps.urls) add(location, home.href, null);
  // Variants add least: what is missing from sitemaps can be any page.
  const left = sitemaps.isCut && list.limit !== 'max_pages' ? 'sitemaps' : list.limit;
  const limit = deadline.aborted ? 'time' : left;
  return { pages: list.pages, robotsExcluded: excluded.size, limit };
}

/** No links without a browser, for a home page that is no HTML page, and after the time limit. */
async function renderedLinks(
  { listRenderedLinks: render }: CrawlOptions,
  home: Fetched,
  signal: AbortSignal,
): Promise<string[]> {
  if (!render || !isHtml(home) || home.status >= 400) return [];
  return render(home.url, AbortSignal.any([signal, AbortSignal.timeout(RENDER_TIMEOUT_MS)]));
}

async function homePage(fetch: Fetch, siteUrl: string, signal: AbortSignal): Promise<Fetched> {
  const site = new URL(siteUrl);
  let page: Fetched;
  try {
    page = await fetch(siteUrl, {
      signal,
      maxBytes: PAGE_BYTES,
      timeoutMs: PAGE_TIMEOUT_MS,
      stayOn: (next) => isSameSite(next, site),
    });
  } catch (error) {
    if (error instanceof FetchError) throw new SiteUnreachableError(error.message);
    throw error;
  }
  if (page.externalRedirect !== undefined) {
    throw new SiteUnreachableError(
      `${site.host} redirects to another site, ${new URL(page.externalRedirect).host}. To scan that site, set PAVIS_SITE_URL to its address.`,
    );
  }
  const target = new URL(page.url);
  if (!isBelow(target, site)) {
    throw new SiteUnreachableError(
      `${siteUrl} redirects to ${target.origin}${target.pathname}, which is outside its path. To scan that part of the site, set PAVIS_SITE_URL to its address.`,
    );
  }
  return page;
}

/** The links are read at once: when the time limit ends with a slow page, those of the others are known. */
async function fetchPage(
  fetch: Fetch,
  url: string,
  signal: AbortSignal,
): Promise<{ url: string; page: Fetched; links: string[] } | undefined> {
  try {
    const page = await fetch(url, {
      signal,
      maxBytes: PAGE_BYTES,
      timeoutMs: PAGE_TIMEOUT_MS,
      stayOn: (next) => isSameSite(next, new URL(url)),
    });
    return { url, page, links: await listLinks(page, signal) };
  } catch (error) {
    // The page stays on the list. Scanning it reports the error.
    if (error instanceof FetchError) return undefined;
    throw error;
  }
}

/** Results are in the order of the URLs. */
async function fetchAll<T>(
  urls: readonly string[],
  ask: (url: string) => Promise<T | undefined>,
): Promise<T[]> {
  const results: (T | undefined)[] = [];
  const waiting = urls.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [at, url] of waiting) results[at] = await ask(url);
    }),
  );
  return results.filter((result) => result !== undefined);
}

/** No links if the time limit ends first. */
async function listLinks(page: Fetched, signal: AbortSignal): Promise<string[]> {
  if (!isHtml(page)) return [];
  const links = htmlThread.links(decodeHtml(page), page.url);
  const none = new Promise<string[]>((resolve) => {
    if (signal.aborted) resolve([]);
    signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  return Promise.race([links, none]);
}
