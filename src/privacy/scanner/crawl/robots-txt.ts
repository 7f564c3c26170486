import robots from 'robots-parser';
import { FetchError } from '../net/fetch-error.ts';
import type { Fetch } from '../net/guarded-fetch.ts';
import { isSameSite } from '../site.ts';
import { MAX_SITEMAP_BYTES, readSitemap } from './sitemap.ts';

// The types declare the default export of the CommonJS module one level too deep.
const robotsParser = robots as unknown as typeof robots.default;

const TIMEOUT_MS = 3_000;
/** RFC 9309 §2.5 asks for 500 KiB at least. */
const MAX_ROBOTS_BYTES = 512_000;
const MAX_SITEMAPS = 20;

export type RobotsTxt = Awaited<ReturnType<typeof readRobotsTxt>>;

/** Reads robots.txt (RFC 9309). Without one everything is allowed, because the owner has requested the scan. */
export async function readRobotsTxt({
  home,
  fetch,
  signal,
  userAgent,
}: {
  home: URL;
  fetch: Fetch;
  signal: AbortSignal;
  userAgent: string;
}) {
  async function get(url: string, maxBytes: number): Promise<Buffer | undefined> {
    try {
      const { status, body, externalRedirect } = await fetch(url, {
        signal,
        maxBytes,
        timeoutMs: TIMEOUT_MS,
        stayOn: (next) => isSameSite(next, home),
      });
      return status === 200 && externalRedirect === undefined ? body : undefined;
    } catch (error) {
      if (error instanceof FetchError) return undefined;
      throw error;
    }
  }

  const robotsUrl = new URL('/robots.txt', home).href;
  const body = await get(robotsUrl, MAX_ROBOTS_BYTES);
  const rules = robotsParser(robotsUrl, body?.toString() ?? '');

  return {
    allows: (url: string) => rules.isAllowed(url, userAgent) !== false,

    /** Page URLs of the sitemaps in robots.txt, or of /sitemap.xml. */
    async listSitemapUrls(): Promise<string[]> {
      const named = rules.getSitemaps();
      const waiting = named.length > 0 ? named.slice(0, MAX_SITEMAPS) : ['/sitemap.xml'];
      const asked = new Set<string>();
      const pages: string[] = [];
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const url = URL.parse(next, home);
        if (!url || asked.has(url.href) || !isSameSite(url, home)) continue;
        if (asked.size === MAX_SITEMAPS || signal.aborted) break;
        asked.add(url.href);
        const sitemap = await get(url.href, MAX_SITEMAP_BYTES);
        if (!sitemap) continue;
        const { isIndex, locations } = await readSitemap(sitemap);
        (isIndex ? waiting : pages).push(...locations);
      }
      return pages;
    },
  };
}
