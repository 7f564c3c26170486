import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get, listAll } from '../../api/client.ts';
import type {
  BannerPictures,
  ConsentStats,
  ConsentVersion,
  RefusedOrigin,
} from '../../api/types.ts';
import type { Period } from './periods.ts';

export const statsQuery = queryOptions({
  queryKey: ['consent', 'stats'],
  queryFn: () => get<ConsentStats>('/consent/stats'),
});

export const periodStatsQuery = (period: Period) =>
  queryOptions({
    queryKey: ['consent', 'stats', period],
    queryFn: () => get<ConsentStats>('/consent/stats', { ...period }),
    placeholderData: keepPreviousData,
  });

export const versionsQuery = queryOptions({
  queryKey: ['consent-versions'],
  queryFn: () => get<ConsentVersion[]>('/settings/consent-versions'),
});

export const refusedOriginsQuery = queryOptions({
  queryKey: ['refused-origins'],
  queryFn: () => listAll<RefusedOrigin>('/consent/refused-origins'),
});

export const picturesQuery = (version: number, language: string | undefined) =>
  queryOptions({
    queryKey: ['consent', 'pictures', version, language],
    queryFn: () => get<BannerPictures>('/consent/banner/pictures', { version, language }),
  });
