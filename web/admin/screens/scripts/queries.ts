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

/** All that wait for consent. */
export const allScriptsQuery = queryOptions({
  queryKey: ['scripts', 'all'],
  queryFn: () => listAll<Script>('/scripts', { is_active: 1 }),
});
