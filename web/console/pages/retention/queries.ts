import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { ChangeRecord } from '../../../../src/privacy/retention/changes/schemas.ts';
import type { HoldRecord } from '../../../../src/privacy/retention/holds/schemas.ts';
import type * as runs from '../../../../src/privacy/retention/runs/schemas.ts';
import type * as schemas from '../../../../src/privacy/retention/schemas.ts';
import { get, getRecord, list, listAll } from '../../api/client.ts';
import { toLabel } from '../../components/format.ts';

export type Policy = Static<typeof schemas.PolicyRecord>;
export type RunAnswer = Static<typeof runs.RunAnswer>;
type PastRun = Static<typeof runs.RunRecord>;
export type Preview = Static<typeof schemas.PreviewRecord>;
export type Change = Static<typeof ChangeRecord>;
type Category = Static<typeof schemas.CategoryRecord>;

export type Hold = Static<typeof HoldRecord>;

export const RUNS_PER_PAGE = 20;
export const HOLDS_PER_PAGE = 20;
export const CHANGES_PER_PAGE = 20;

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: () => listAll<Policy>('/retention/policies'),
});

/** When the next scheduled run starts. */
export const statusQuery = queryOptions({
  queryKey: ['runs', 'status'],
  queryFn: () => get<Static<typeof runs.StatusRecord>>('/retention/status'),
});

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['policy', id],
    queryFn: () => getRecord<Policy>(`/retention/policies/${id}`),
  });

export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['policy', id, 'preview'],
    queryFn: () => get<Preview>(`/retention/policies/${id}/preview`),
  });

export const categoriesQuery = queryOptions({
  queryKey: ['retention-categories'],
  queryFn: () => listAll<Category>('/retention/categories'),
});

/** Labels by the slugs of categories. */
export function useCategoryLabel(): (slug: string) => string {
  const { data } = useQuery(categoriesQuery);
  return (slug) => data?.find((category) => category.slug === slug)?.label ?? toLabel(slug);
}

export const runsQuery = (page: number) =>
  queryOptions({
    queryKey: ['runs', page],
    queryFn: () => list<PastRun>('/retention/runs', { page, per_page: RUNS_PER_PAGE }),
    placeholderData: keepPreviousData,
  });

export const holdsQuery = (page: number) =>
  queryOptions({
    queryKey: ['holds', page],
    queryFn: () => list<Hold>('/retention/holds', { page, per_page: HOLDS_PER_PAGE }),
    placeholderData: keepPreviousData,
  });

/** Under the key of the holds, so that lifting one reads them anew. */
export const liftedHoldsQuery = queryOptions({
  queryKey: ['holds', 'lifted'],
  queryFn: () => list<Hold>('/retention/holds', { status: 'lifted', per_page: HOLDS_PER_PAGE }),
});

export const changesQuery = (page: number) =>
  queryOptions({
    queryKey: ['retention-changes', page],
    queryFn: () => list<Change>('/retention/changes', { page, per_page: CHANGES_PER_PAGE }),
    placeholderData: keepPreviousData,
  });
