import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { ResourceRecord } from '../../../../src/privacy/scanner/resources/schemas.ts';
import { get, list, listAll, type Page, type Query } from '../../api/client.ts';
import type { Scan, ScanDetail, ScanResults, ScanSchedule, Visit } from '../../api/types.ts';

/** A script, cookie, frame or request, with all pages of the scan that have it. */
export type Resource = Static<typeof ResourceRecord>;

type ScheduleStatus = ScanSchedule & { next_run_at: string | null; last_scan: Scan | null };

export const SCANS_PER_PAGE = 20;
export const RESOURCES_PER_PAGE = 50;
const REFRESH_MS = 1_000;

/** Whether the server or `pavis scan` runs the scan or will run it, so that it changes by itself. */
export const isRunning = ({ status, runner }: Pick<Scan, 'status' | 'runner'>): boolean =>
  runner !== 'client' && (status === 'queued' || status === 'started');

/** What starts a scan of the whole site; others check decisions. */
const SITE_SCANS = 'request,schedule';

const scanListQuery = (filter: Query) =>
  queryOptions({
    queryKey: ['scans', filter],
    queryFn: () => list<Scan>('/scanner/scans', { per_page: SCANS_PER_PAGE, ...filter }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? 5 * REFRESH_MS : false),
  });

/** A page of the scans of whole sites, or of those that were started in some ways. */
export const scansQuery = (page = 1, startedBy = SITE_SCANS) =>
  scanListQuery({ page, started_by: startedBy });

/** The latest completed scan of the protected site, and one that runs; followed while it does. */
export const lastScanQuery = queryOptions({
  ...scanListQuery({
    started_by: SITE_SCANS,
    status: 'queued,started,completed',
    protected_site: 'true',
  }),
  select: ({ items }: Page<Scan>) => ({
    last: items.find(({ status }) => status === 'completed'),
    running: items.find(isRunning),
  }),
});

/** The address of the protected site as its scans have it; null before the first one. `pavis scan` can scan others. */
export const scannedSiteQuery = queryOptions({
  queryKey: ['scans', 'site'],
  queryFn: () => list<Scan>('/scanner/scans', { per_page: 1, protected_site: 'true' }),
  select: ({ items: [scan] }: Page<Scan>) => scan?.site_url ?? null,
});

/** The latest check of blocked resources. */
export const latestProofQuery = queryOptions({
  queryKey: ['scans', 'proof'],
  queryFn: () => list<Scan>('/scanner/scans', { per_page: 1, started_by: 'proof' }),
  refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? REFRESH_MS : false),
});

export const scanQuery = (id: string, comparedWith?: string) =>
  queryOptions({
    queryKey: ['scan', id, comparedWith],
    queryFn: () => get<ScanDetail>(`/scanner/scans/${id}`, { compare_with: comparedWith }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? REFRESH_MS : false),
  });

export const scheduleQuery = queryOptions({
  queryKey: ['scan-schedule'],
  queryFn: () => get<ScheduleStatus>('/scanner/schedule'),
});

/** Totals, types, vendors and unknown domains of a scan. */
export const summaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['results', id, 'summary'],
    queryFn: () => get<ScanResults>(`/scanner/results/${id}`, { per_page: 1 }),
  });

/** The visits of all pages of a scan, or of one page. */
export const visitsQuery = (id: string, url?: string) =>
  queryOptions({
    queryKey: ['scan', id, 'visits', url],
    queryFn: () => listAll<Visit>(`/scanner/scans/${id}/visits`, { url }),
  });

export const resourcesQuery = (id: string, filter: Query) =>
  queryOptions({
    queryKey: ['resources', id, filter],
    queryFn: () =>
      list<Resource>(`/scanner/scans/${id}/resources`, { per_page: RESOURCES_PER_PAGE, ...filter }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ proof }) => proof?.pending_scan_id) ? REFRESH_MS : false,
  });

export const allResourcesQuery = (id: string, filter: Query = {}) =>
  queryOptions({
    queryKey: ['resources', id, 'all', filter],
    queryFn: () => listAll<Resource>(`/scanner/scans/${id}/resources`, filter),
  });
