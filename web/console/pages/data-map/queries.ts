import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { Suggestions } from '../../../../src/privacy/data-map/schemas.ts';
import { get, list, listAll, type Query } from '../../api/client.ts';
import type { Entry } from '../../api/types.ts';

export const ENTRIES_PER_PAGE = 25;

export const entriesQuery = (filter: Query, page: number) =>
  queryOptions({
    queryKey: ['data-map', filter, page],
    queryFn: () => list<Entry>('/data-map', { ...filter, page, per_page: ENTRIES_PER_PAGE }),
    placeholderData: keepPreviousData,
  });

export const allEntriesQuery = (filter: Query) =>
  queryOptions({
    queryKey: ['data-map', 'all', filter],
    queryFn: () => listAll<Entry>('/data-map', filter),
    placeholderData: keepPreviousData,
  });

/** How many entries for the processing by Pavis itself can be added. */
export const ownProcessingQuery = queryOptions({
  queryKey: ['data-map', 'own-processing'],
  queryFn: async () => (await get<{ missing: number }>('/data-map/own-processing')).missing,
});

/** Values to choose from in the form of an entry. */
export const suggestionsQuery = queryOptions({
  queryKey: ['data-map', 'suggestions'],
  queryFn: () => get<Static<typeof Suggestions>>('/data-map/suggestions'),
});
