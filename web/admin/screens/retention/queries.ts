import { queryOptions } from '@tanstack/react-query';
import { get, list, listAll } from '../../api/client.ts';

/** Retention, as `/retention` has it. */
export interface Policy {
  id: number;
  name: string;
  data_category: string;
  period_value: number;
  period_unit: 'days' | 'months' | 'years';
  action: 'anonymise' | 'delete';
  is_active: 0 | 1;
  last_run_at: string | null;
}

interface RunResult {
  policy_id: number;
  policy_name: string;
  data_category: string;
  action: Policy['action'];
  due_before: string;
  records_affected: number;
  records_held: number;
  error: string | null;
}

interface Totals {
  results: RunResult[];
  policies_run: number;
  total_affected: number;
  as_of: string;
}

export interface RunAnswer extends Totals {
  dry_run: boolean;
  run_id: number | null;
}

export interface PastRun extends Totals {
  id: number;
  status: 'running' | 'finished' | 'interrupted';
  started_by: string;
  started_at: string;
  finished_at: string | null;
}

export interface Preview {
  policy: Policy;
  as_of: string;
  due_before: string;
  records_affected: number;
  records_held: number;
  oldest: string | null;
  ages: { from_days: number; to_days: number | null; records: number }[];
  sample_ids: number[];
}

interface Category {
  slug: string;
  label: string;
  counted_from: string;
}

export const RUNS_PER_PAGE = 20;

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: () => listAll<Policy>('/retention/policies'),
});

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['policy', id],
    queryFn: () => get<Policy>(`/retention/policies/${id}`),
  });

export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['policy', id, 'preview'],
    queryFn: () => get<Preview>(`/retention/policies/${id}/preview`),
  });

export const categoriesQuery = queryOptions({
  queryKey: ['retention-categories'],
  queryFn: () => get<Category[]>('/retention/categories'),
});

export const runsQuery = (page: number) =>
  queryOptions({
    queryKey: ['runs', page],
    queryFn: () => list<PastRun>('/retention/runs', { page, per_page: RUNS_PER_PAGE }),
  });
