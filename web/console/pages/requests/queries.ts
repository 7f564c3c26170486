import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get, list, listAll, type Query, write } from '../../api/client.ts';
import type {
  Case,
  CaseEvent,
  CompletionPreview,
  Deletion,
  ErasurePreview,
  Mail,
  Task,
} from './types.ts';

export const CASES_PER_PAGE = 25;

export const casesQuery = (filter: Query) =>
  queryOptions({
    queryKey: ['cases', filter],
    queryFn: () => list<Case>('/dsar/cases', { per_page: CASES_PER_PAGE, ...filter }),
  });

/** The open requests, which the API lists first, by deadline. */
export const openRequestsQuery = queryOptions({
  queryKey: ['cases', 'open'],
  async queryFn() {
    const open: Case[] = [];
    for (let page = 1; ; page += 1) {
      const { items } = await list<Case>('/dsar/cases', { per_page: 100, page });
      open.push(...items.filter(({ completed }) => completed === null));
      if (items.length < 100 || open.length < 100 * page) return { items: open };
    }
  },
});

/** The logins of those who may handle requests. */
export const assigneesQuery = queryOptions({
  queryKey: ['users', 'assignees'],
  queryFn: async () =>
    (await listAll<{ login: string }>('/dsar/assignees')).map(({ login }) => login),
});

export const caseQuery = (id: string) =>
  queryOptions({ queryKey: ['case', id], queryFn: () => get<Case>(`/dsar/cases/${id}`) });

export const eventsQuery = (id: string) =>
  queryOptions({
    queryKey: ['case', id, 'events'],
    queryFn: () => listAll<CaseEvent>(`/dsar/cases/${id}/events`),
  });

export const emailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['case', id, 'emails'],
    queryFn: () => listAll<Mail>('/mail', { about: `dsar/cases/${id}` }),
  });

/** Emails that could not be delivered. */
export const deadMailsQuery = queryOptions({
  queryKey: ['emails', 'dead'],
  queryFn: () => listAll<Mail>('/mail', { status: 'dead' }),
});

/** Tasks of each source, which the server works on. */
export const tasksQuery = (id: string) =>
  queryOptions({
    queryKey: ['case', id, 'tasks'],
    queryFn: () => listAll<Task>(`/dsar/cases/${id}/tasks`),
    refetchInterval: ({ state }) =>
      state.data?.some(
        ({ status, attempts }) => status === 'running' || (status === 'pending' && attempts === 0),
      )
        ? 2_000
        : false,
  });

/** What an erasure would do in each source that awaits approval. */
export const erasureQuery = (id: string) =>
  queryOptions({
    queryKey: ['case', id, 'erasure'],
    queryFn: () => get<ErasurePreview[]>(`/dsar/cases/${id}/erasure`),
  });

/**
 * The email that completing a request sends; open tasks are left out for the given reason. It is sent as a body: it
 * would be too long for a URL, and proxies log URLs.
 */
export const completionQuery = (id: string, reason: string) =>
  queryOptions({
    queryKey: ['case', id, 'completion', reason],
    queryFn: () =>
      write<CompletionPreview>(
        'POST',
        `/dsar/cases/${id}/completion?_method=GET`,
        reason ? { reason } : {},
      ),
    placeholderData: keepPreviousData,
    // Sources may answer meanwhile.
    refetchInterval: ({ state }) => (state.data?.open.length ? 2_000 : false),
  });

export const deletionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['deletions', page],
    queryFn: () => list<Deletion>('/dsar/deletions', { page, per_page: CASES_PER_PAGE }),
    placeholderData: keepPreviousData,
  });
