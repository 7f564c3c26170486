import type { CrawlLimit } from '../tables.ts';
import type { Verdict } from '../verdicts/verdict.ts';

/** What of two scans is new in the later, gone since the earlier, and in both; by resourceKey, on whatever page. */
export function compareResources<T extends { resourceKey: string }>(
  earlier: readonly T[],
  later: readonly T[],
): { added: T[]; gone: T[]; same: number } {
  const before = new Set(earlier.map(({ resourceKey }) => resourceKey));
  const after = new Set(later.map(({ resourceKey }) => resourceKey));
  const added = later.filter(({ resourceKey }) => !before.has(resourceKey));
  return {
    added,
    gone: earlier.filter(({ resourceKey }) => !after.has(resourceKey)),
    same: later.length - added.length,
  };
}

/**
 * Resources of both scans whose first verdict differs. Without a verdict in one of them there is nothing to compare, for
 * example in scans without a browser.
 */
export function listChangedVerdicts<T extends { resourceKey: string; verdict: Verdict | null }>(
  earlier: readonly T[],
  later: readonly T[],
): { resource: T; before: Verdict; after: Verdict }[] {
  const verdicts = new Map(earlier.map(({ resourceKey, verdict }) => [resourceKey, verdict]));
  return later.flatMap((resource) => {
    const before = verdicts.get(resource.resourceKey) ?? null;
    const after = resource.verdict;
    return before === null || after === null || before === after
      ? []
      : [{ resource, before, after }];
  });
}

/** What the engine cannot detect, as a message for the site owner; null for a browser. */
export const describeUnseen = (engine: string): string | null =>
  engine === 'html'
    ? 'The pages were scanned without a browser. The results do not include what scripts load or set, the content of frames, and what loads after consent. Resources that only inline code mentions are listed, but not counted as loaded before consent.'
    : null;

/** Messages about limits that keep pages out of a scan. */
export const CRAWL_LIMIT_TEXTS: Record<CrawlLimit, string> = {
  time: 'The crawl reached its time limit, so the scan may lack pages of the site. Scans on the server crawl for 30 seconds, others for 8.',
  max_pages: 'The setting scanner.max_pages limits this scan. The site may have more pages.',
  variants: 'Of pages whose addresses differ only in their query, this scan has ten.',
  sitemaps:
    'The sitemaps of the site were not read completely, so the scan may lack pages. The scanner reads 20 sitemaps, of each up to 5 MB and 10,000 pages, and waits 3 seconds for each.',
};

/** Message about pages that the scan leaves out; null if none are known. */
export function getScanNotice({
  robotsExcluded,
  crawlLimit,
}: {
  robotsExcluded: number;
  crawlLimit: CrawlLimit | null;
}): string | null {
  const notices = [
    robotsExcluded > 0 &&
      `robots.txt excludes ${robotsExcluded === 1 ? '1 page' : `${robotsExcluded} pages`} of the site from this scan. To include them, turn on the setting scanner.ignore_robots or run pavis scan --ignore-robots.`,
    crawlLimit && CRAWL_LIMIT_TEXTS[crawlLimit],
  ];
  return notices.filter(Boolean).join(' ') || null;
}

const PORT = /:\d+$/;

/** How many resources there are; one that several pages load counts once. */
export interface ResourceTally {
  total: number;
  beforeConsent: number;
}

/** Findings of one host. */
export interface HostTally {
  host: string;
  count: number;
  beforeConsent: number;
  resources: ResourceTally;
}

/** Cookies know no port: those of a host join what else comes from it, where that has one. */
export function mergeCookieHosts(tallies: readonly HostTally[]): HostTally[] {
  const joined = tallies.map((tally) => ({ ...tally, resources: { ...tally.resources } }));
  const ported = joined.filter(({ host }) => PORT.test(host));
  const byName = new Map(ported.map((tally) => [tally.host.replace(PORT, ''), tally]));
  for (const cookies of joined) {
    const other = byName.get(cookies.host);
    if (!other) continue;
    other.count += cookies.count;
    other.beforeConsent += cookies.beforeConsent;
    other.resources.total += cookies.resources.total;
    other.resources.beforeConsent += cookies.resources.beforeConsent;
    cookies.count = 0;
  }
  return joined
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.host < b.host ? -1 : 1));
}
