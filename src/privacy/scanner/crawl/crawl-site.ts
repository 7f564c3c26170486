import { htmlText, isHtml } from '../html/html-text.ts';
import { htmlThread } from '../html/html-thread.ts';
import { FetchFailed } from '../net/fetch-failed.ts';
import type { Fetch, Fetched } from '../net/guarded-fetch.ts';
import { isSameSite } from '../site.ts';
import { cleanUrl, pageKey, pageOfLink } from './page-url.ts';
import { siteGuide } from './site-guide.ts';

export interface CrawlOptions {
  siteUrl: string;
  /** How many links deep; 0: the home page alone. */
  depth: number;
  maxPages: number;
  fetch: Fetch;
  /** After so many milliseconds the answer is what is known by then. */
  deadlineMs: number;
  /** As robots.txt knows us. */
  userAgent: string;
}

/** The site does not answer; the message is a sentence for its owner. */
export class SiteUnreachable extends Error {
  override readonly name = 'SiteUnreachable';
}

const PAGE_BYTES = 5_000_000;
const PAGE_TIMEOUT_MS = 5_000;
const AT_ONCE = 4;
/** Pages that differ in their query alone, as those of a calendar; more of one kind add nothing. */
const MAX_VARIANTS = 10;

/**
 * The pages of a site, the home page first, then by how many links they are away from it, in the
 * order of the documents, then what else the sitemap names (decision 33).
 * @throws SiteUnreachable if the home page gives no answer at all; any answer will do
 */
export async function crawlSite(options: CrawlOptions): Promise<{ urls: string[] }> {
  const { siteUrl, depth, maxPages, fetch, deadlineMs, userAgent } = options;
  const signal = AbortSignal.timeout(deadlineMs);
  const first = await homePage(fetch, siteUrl, signal);
  const home = cleanUrl(new URL(first.url));
  const pages = new Pages(home, maxPages);
  if (depth === 0 || maxPages === 1) return { urls: pages.urls };

  const guide = await siteGuide({ home, fetch, signal, userAgent });
  const follow = async () => {
    let level = [first];
    for (let distance = 1; distance <= depth && level.length > 0; distance++) {
      const found: string[] = [];
      for (const page of level) {
        for (const link of await linksOf(page, signal)) {
          const url = pageOfLink(link, page.url, home);
          if (url && guide.allows(url.href) && pages.add(url)) found.push(url.href);
        }
      }
      if (distance === depth || pages.isFull) break;
      const fetched = await fetchAll(found, (url) => fetchPage(fetch, url, signal));
      level = fetched.filter(({ url, page }) => pages.turnedOut(url, page)).map(({ page }) => page);
    }
  };
  const [locations] = await Promise.all([guide.sitemapPages(), follow()]);
  for (const location of locations) {
    const url = pageOfLink(location, home.href, home);
    if (url && guide.allows(url.href)) pages.add(url);
  }
  return { urls: pages.urls };
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
    if (error instanceof FetchFailed) throw new SiteUnreachable(error.message);
    throw error;
  }
  if (page.leavesTo !== undefined) {
    throw new SiteUnreachable(
      `${site.host} redirects to another site, ${new URL(page.leavesTo).host}. If that is the one to scan, set PAVIS_SITE_URL to it.`,
    );
  }
  return page;
}

async function fetchPage(
  fetch: Fetch,
  url: string,
  signal: AbortSignal,
): Promise<{ url: string; page: Fetched } | undefined> {
  try {
    const page = await fetch(url, {
      signal,
      maxBytes: PAGE_BYTES,
      timeoutMs: PAGE_TIMEOUT_MS,
      stayOn: (next) => isSameSite(next, new URL(url)),
    });
    return { url, page };
  } catch (error) {
    // It stays on the list: looking at it will tell what is wrong.
    if (error instanceof FetchFailed) return undefined;
    throw error;
  }
}

/** Results in the order of the addresses, a few asked for at a time. */
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

/** None of what is still being read when the time is up. */
async function linksOf(page: Fetched, signal: AbortSignal): Promise<string[]> {
  if (!isHtml(page)) return [];
  const links = htmlThread.links(htmlText(page), page.url);
  const none = new Promise<string[]>((resolve) => {
    if (signal.aborted) resolve([]);
    signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  return Promise.race([links, none]);
}

/** The list as it grows, each page once. */
class Pages {
  readonly #maxPages: number;
  readonly #urls: Set<string>;
  /** What is listed, and where listed pages redirect to. */
  readonly #known: Set<string>;
  readonly #variants = new Map<string, number>();

  constructor(home: URL, maxPages: number) {
    this.#maxPages = maxPages;
    this.#urls = new Set([home.href]);
    this.#known = new Set([pageKey(home)]);
  }

  get urls(): string[] {
    return [...this.#urls];
  }

  get isFull(): boolean {
    return this.#urls.size >= this.#maxPages;
  }

  /** Whether it is new. */
  add(url: URL): boolean {
    const key = pageKey(url);
    if (this.isFull || this.#known.has(key)) return false;
    const variants = (this.#variants.get(url.pathname) ?? 0) + 1;
    if (variants > MAX_VARIANTS) return false;
    this.#variants.set(url.pathname, variants);
    this.#known.add(key);
    this.#urls.add(url.href);
    return true;
  }

  /** Takes from the list what is no page, or redirects to one that is known already; says whether it stays. */
  turnedOut(url: string, page: Fetched): boolean {
    const key = pageKey(cleanUrl(new URL(page.url)));
    const isAnother = key !== pageKey(new URL(url));
    const stays =
      (isHtml(page) || page.leavesTo !== undefined) && !(isAnother && this.#known.has(key));
    this.#known.add(key);
    if (!stays) this.#urls.delete(url);
    return stays;
  }
}
