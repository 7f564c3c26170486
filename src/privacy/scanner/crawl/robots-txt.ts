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
  /** Cut: some of it is missing, or all because there was no answer. */
  async function get(url: string, maxBytes: number): Promise<{ body?: Buffer; isCut: boolean }> {
    try {
      const { status, body, externalRedirect, truncated } = await fetch(url, {
        signal,
        maxBytes,
        timeoutMs: TIMEOUT_MS,
        stayOn: (next) => isSameSite(next, home),
      });
      const isFound = status === 200 && externalRedirect === undefined;
      return isFound ? { body, isCut: truncated } : { isCut: false };
    } catch (error) {
      if (error instanceof FetchError) return { isCut: true };
      throw error;
    }
  }

  const robotsUrl = new URL('/robots.txt', home).href;
  const { body } = await get(robotsUrl, MAX_ROBOTS_BYTES);
  const rules = robotsParser(robotsUrl, body?.toString() ?? '');

  return {
    allows: (url: string) => rules.isAllowed(url, userAgent) !== false,

    /** Page URLs of the sitemaps in robots.txt, or of /sitemap.xml, and whether some were not read. */
    async listSitemapUrls(): Promise<{ urls: string[]; isCut: boolean }> {
      const named = rules.getSitemaps();
      const waiting = named.length > 0 ? named : ['/sitemap.xml'];
      const asked = new Set<string>();
      const urls: string[] = [];
      let isCut = false;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const url = URL.parse(next, home);
        if (!url || asked.has(url.href) || !isSameSite(url, home)) continue;
        if (asked.size === MAX_SITEMAPS || signal.aborted) {
          isCut = true;
          break;
        }
        asked.add(url.href);
        const answer = await get(url.href, MAX_SITEMAP_BYTES);
        if (answer.isCut) isCut = true;
        if (!answer.body) continue;
        const sitemap = await readSitemap(answer.body);
        if (sitemap.isCut) isCut = true;
        (sitemap.isIndex ? waiting : urls).push(...sitemap.locations);
      }
      return { urls, isCut };
    },
  };
}
