import type { Engine } from '../engine.ts';
import { FetchError } from '../net/fetch-error.ts';
import type { Fetch, Fetched } from '../net/guarded-fetch.ts';
import type { PageVisit } from '../observation.ts';
import { findBotWall } from '../page-access.ts';
import { isSameSite } from '../site.ts';
import { decodeHtml, isHtml } from './html-text.ts';
import { htmlThread } from './html-thread.ts';

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 15_000;

/** Scans pages without a browser: markup and headers only, no scripts are run. */
export const createHtmlEngine = ({ fetch }: { fetch: Fetch }): Engine => ({
  name: 'html',
  visit: (url, signal) => visit(fetch, url, signal),
  close: async () => {},
});

async function visit(fetch: Fetch, url: string, signal: AbortSignal): Promise<PageVisit> {
  try {
    const page = await fetch(url, {
      signal,
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      stayOn: (next) => isSameSite(next, new URL(url)),
    });
    return await visited(url, page);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { url, finalUrl: url, observations: [], partial: false, error: error.message };
  }
}

async function visited(url: string, page: Fetched): Promise<PageVisit> {
  const answered = { url, finalUrl: page.url, status: page.status, partial: page.truncated };
  const unreadable = findProblem(page);
  if (unreadable !== undefined) {
    return { ...answered, observations: [], partial: false, error: unreadable };
  }
  const html = decodeHtml(page);
  const botWall = findBotWall({ status: page.status, headers: page.headers, html });
  if (botWall !== undefined) return { ...answered, observations: [], botWall };
  const observations = await htmlThread.observe(html, {
    pageUrl: page.url,
    setCookies: page.setCookies,
    headers: page.headers,
  });
  // Undefined if the page exceeds the limits of the parser.
  return observations
    ? { ...answered, observations }
    : { ...answered, observations: [], partial: true };
}

function findProblem(page: Fetched): string | undefined {
  if (page.externalRedirect !== undefined) {
    return `The page redirects to another site, ${new URL(page.externalRedirect).host}. The scanner scans pages of the protected site only.`;
  }
  const type = page.headers['content-type'];
  return isHtml(page)
    ? undefined
    : `The page is not HTML${type ? ` (${type.slice(0, 100)})` : ''}.`;
}
