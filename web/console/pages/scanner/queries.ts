import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get, list } from '../../api/client.ts';
import type { Scan, ScanDetail, ScanResults } from '../../api/types.ts';

export const SCANS_PER_PAGE = 20;
const REFRESH_MS = 1_000;

/** Whether a server or `pavis scan` is at it, or will be, so that it changes by itself. */
export const isRunning = ({ status, runner }: Pick<Scan, 'status' | 'runner'>): boolean =>
  runner !== 'client' && (status === 'queued' || status === 'started');

export const scansQuery = (page = 1) =>
  queryOptions({
    queryKey: ['scans', page],
    queryFn: () => list<Scan>('/scanner/scans', { per_page: SCANS_PER_PAGE, page }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? 5 * REFRESH_MS : false),
  });

export const scanQuery = (id: string, comparedWith?: string) =>
  queryOptions({
    queryKey: ['scan', id, comparedWith],
    queryFn: () => get<ScanDetail>(`/scanner/scans/${id}`, { compare_with: comparedWith }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? REFRESH_MS : false),
  });

/** What a scan found as a whole; findings themselves are many. */
export const summaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['results', id, 'summary'],
    queryFn: () => get<ScanResults>(`/scanner/results/${id}`, { per_page: 1 }),
  });

export const resultsQuery = (id: string) =>
  queryOptions({
    queryKey: ['results', id],
    queryFn: () => get<ScanResults>(`/scanner/results/${id}`),
  });
