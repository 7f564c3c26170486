import { queryOptions } from '@tanstack/react-query';
import { get, list } from '../../api/client.ts';
import type { Scan, ScanDetail, ScanResults } from '../../api/types.ts';

export const SCANS_PER_PAGE = 20;

export const scansQuery = (page = 1) =>
  queryOptions({
    queryKey: ['scans', page],
    queryFn: () => list<Scan>('/scanner/scans', { per_page: SCANS_PER_PAGE, page }),
  });

export const scanQuery = (id: string, comparedWith?: string) =>
  queryOptions({
    queryKey: ['scan', id, comparedWith],
    queryFn: () => get<ScanDetail>(`/scanner/scans/${id}`, { compare_with: comparedWith }),
  });

export const resultsQuery = (id: string) =>
  queryOptions({
    queryKey: ['results', id],
    queryFn: () => get<ScanResults>(`/scanner/results/${id}`),
  });
