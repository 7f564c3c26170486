import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { SecurityEventRecord } from '../../../../src/identity/security-log/schemas.ts';
import { list, type Query } from '../../api/client.ts';

export type SecurityEvent = Static<typeof SecurityEventRecord>;

export const EVENTS_PER_PAGE = 50;

export const securityEventsQuery = (filter: Query, page: number) =>
  queryOptions({
    queryKey: ['security-log', filter, page],
    queryFn: () =>
      list<SecurityEvent>('/security-log', { ...filter, page, per_page: EVENTS_PER_PAGE }),
    placeholderData: keepPreviousData,
  });
