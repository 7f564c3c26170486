import { queryOptions } from '@tanstack/react-query';
import { get, list } from '../../../api/client.ts';
import { getDownloadUrl } from '../../../api/downloads.ts';
import type { Scan, Visit } from '../../../api/types.ts';

/** The site of the latest scan, and a picture of its first page without a banner. */
export interface SitePage {
  url?: string;
  picture?: string;
}

const SCANS = { per_page: 5, started_by: 'request,schedule', protected_site: 'true' };
/** After a choice, no banner covers the page. */
const WITHOUT_BANNER: readonly Visit['state'][] = ['rejected', 'accepted', 'withdrawn'];

export const sitePageQuery = queryOptions({
  queryKey: ['scans', 'site-page'],
  async queryFn(): Promise<SitePage> {
    const { items } = await list<Scan>('/scanner/scans', SCANS);
    const scan = items.find(({ completed_at }) => completed_at !== null);
    if (!scan) return {};
    const { site_url: url } = scan;
    const path = `/scanner/scans/${scan.scan_id}/visits`;
    // In the order of the scan, which begins with the start page.
    const visits = await get<Visit[]>(path, { per_page: 20 });
    const seen = visits.find(
      ({ state, outcome, has_picture }) =>
        has_picture && outcome === 'reached' && WITHOUT_BANNER.includes(state),
    );
    return { url, ...(seen && { picture: getDownloadUrl(`/scanner/visits/${seen.id}/picture`) }) };
  },
  staleTime: 60_000,
});
