import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { list, listAll, type Query } from '../../api/client.ts';
import type { Script } from '../../api/types.ts';

export const SCRIPTS_PER_PAGE = 25;

export const scriptsQuery = (filter: Query, page: number) =>
  queryOptions({
    queryKey: ['scripts', filter, page],
    queryFn: () => list<Script>('/scripts', { ...filter, page, per_page: SCRIPTS_PER_PAGE }),
    placeholderData: keepPreviousData,
  });

/** The whole registry, inactive scripts included. */
export const registryQuery = queryOptions({
  queryKey: ['scripts', 'all'],
  queryFn: () => listAll<Script>('/scripts'),
});

export const activeScriptsQuery = queryOptions({
  ...registryQuery,
  select: (scripts) => scripts.filter(({ is_active }) => is_active === 1),
});
