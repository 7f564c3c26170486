import type { Platform } from '../../platform/deps.ts';
import type { FindingWithVerdicts } from './classify/finding.ts';
import type { VendorLookup } from './classify/vendor-lookup.ts';
import type { CookieLookup } from './cookies/service.ts';
import type { CnameLookup } from './net/cnames.ts';
import { isLoad, type PageVisit } from './observation.ts';
import type { Scan } from './store.ts';

/** The format of ids of consent categories. */
const CATEGORY = /^[a-z][a-z0-9_-]{0,63}$/;

/** Data beside the page that affects its findings. */
export interface ClassificationContext {
  vendors: VendorLookup;
  /** Looks up CNAME records of subdomains. */
  lookUpCnames: CnameLookup;
  /** Slugs of vendors that the owner of the site has ruled strictly necessary. */
  necessaryVendors: readonly string[];
  /** Ids of the consent categories that are strictly necessary, besides `functional`. */
  necessaryCategories: readonly string[];
  /** Whether a URL is one that this server offers to the visitors of sites. */
  isOwnService: (url: string) => boolean;
  /** The owner's classifications of first-party cookies. */
  lookUpCookie: CookieLookup;
}

/** Turns a page visit into findings and applies the filters of extensions. */
export async function classifyVisit(
  { hooks }: Platform,
  scan: Scan,
  visited: PageVisit,
  {
    vendors,
    lookUpCnames,
    necessaryVendors,
    necessaryCategories,
    isOwnService,
    lookUpCookie,
  }: ClassificationContext,
): Promise<{ findings: FindingWithVerdicts[]; cut: boolean }> {
  // Loaded here, so that a start of the server does not wait for it.
  const [{ classify }, { listSubdomains }, { loadVendorNames }, { applyVerdicts, listReached }] =
    await Promise.all([
      import('./classify/classify.ts'),
      import('./classify/proxied-vendors.ts'),
      import('./classify/suggested-vendor.ts'),
      import('./verdicts/rules.ts'),
    ]);
  const reached = listReached(visited.visits ?? []);
  const subdomains = listSubdomains(visited.observations, scan.siteUrl, visited.finalUrl);
  const cnames = subdomains.size > 0 ? await lookUpCnames(subdomains) : new Map();
  // The banner obtains the consent, so it is no resource of a third party, whatever its address.
  const observations = visited.observations.filter(
    (seen) => !(isLoad(seen) && isOwnService(seen.url)),
  );
  const { findings, cut } = classify({ ...visited, observations }, scan.siteUrl, vendors, cnames);
  const getVendorName = await loadVendorNames();
  const filtered = await Promise.all(
    findings.map(async (finding) => {
      const suggested =
        finding.thirdParty && !finding.vendor ? getVendorName(finding.url) : undefined;
      const owner = lookUpCookie(finding);
      const isNecessary = (category: string | null) =>
        owner?.isNecessary ||
        (finding.vendor && necessaryVendors.includes(finding.vendor.slug)) ||
        (category !== null && necessaryCategories.includes(category));
      const decide = (category: string | null) => {
        const details = {
          ...finding.details,
          ...(suggested && { suggested_vendor: suggested }),
          ...(owner && { purpose: owner.purpose }),
          ...(isNecessary(category) && { necessary: true }),
        };
        return applyVerdicts({ ...finding, details, category }, reached);
      };
      const known = decide(owner?.category ?? finding.category);
      const { category, keep } = await hooks.applyFilters('svc_scan_finding', {
        scan_id: scan.id,
        resource_type: finding.resourceType,
        url: finding.url,
        host: finding.host,
        third_party: finding.thirdParty,
        category: known.category,
        name: finding.name,
        page_url: visited.url,
        details: known.details,
        states: known.evidence.map(({ state }) => state),
        verdict: known.verdicts[0] ?? null,
      });
      if (keep === false) return [];
      const isCategory =
        category === null || (typeof category === 'string' && CATEGORY.test(category));
      if (!isCategory || category === known.category) return [known];
      return [decide(category)];
    }),
  );
  return { findings: filtered.flat(), cut };
}
