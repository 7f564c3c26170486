import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { ResourceRecord } from '../../../../src/privacy/scanner/resources/schemas.ts';
import { get, list, listAll, type Query } from '../../api/client.ts';
import type { Scan, ScanDetail, ScanResults } from '../../api/types.ts';

/** A script, cookie, frame or request, with all pages of the scan that have it. */
export type Resource = Static<typeof ResourceRecord>;

export const SCANS_PER_PAGE = 20;
export const RESOURCES_PER_PAGE = 50;
const REFRESH_MS = 1_000;

/** Whether the server or `pavis scan` runs the scan or will run it, so that it changes by itself. */
export const isRunning = ({ status, runner }: Pick<Scan, 'status' | 'runner'>): boolean =>
  runner !== 'client' && (status === 'queued' || status === 'started');

/** A page of all scans; without a number, the latest scans of the whole site, without scans that check decisions. */
export const scansQuery = (page?: number) =>
  queryOptions({
    queryKey: ['scans', page ?? 'site'],
    queryFn: () =>
      list<Scan>('/scanner/scans', {
        per_page: SCANS_PER_PAGE,
        ...(page === undefined ? { started_by: 'request,schedule' } : { page }),
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? 5 * REFRESH_MS : false),
  });

export const scanQuery = (id: string, comparedWith?: string) =>
  queryOptions({
    queryKey: ['scan', id, comparedWith],
    queryFn: () => get<ScanDetail>(`/scanner/scans/${id}`, { compare_with: comparedWith }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? REFRESH_MS : false),
  });

/** Totals, types, vendors and unknown domains of a scan. */
export const summaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['results', id, 'summary'],
    queryFn: () => get<ScanResults>(`/scanner/results/${id}`, { per_page: 1 }),
  });

export const resourcesQuery = (id: string, filter: Query) =>
  queryOptions({
    queryKey: ['resources', id, filter],
    queryFn: () =>
      list<Resource>(`/scanner/scans/${id}/resources`, { per_page: RESOURCES_PER_PAGE, ...filter }),
    placeholderData: keepPreviousData,
  });

export const allResourcesQuery = (id: string, filter: Query = {}) =>
  queryOptions({
    queryKey: ['resources', id, 'all', filter],
    queryFn: () => listAll<Resource>(`/scanner/scans/${id}/resources`, filter),
  });
