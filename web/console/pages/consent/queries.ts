import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get, listAll } from '../../api/client.ts';
import type {
  BannerLanguage,
  BannerLanguageTexts,
  BannerPictures,
  ConsentStats,
  ConsentVersion,
  RefusedOrigin,
  Regimes,
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

export const regimesQuery = queryOptions({
  queryKey: ['consent', 'regimes'],
  queryFn: () => get<Regimes>('/consent/regimes'),
});

export const picturesQuery = (version: number, language: string | undefined) =>
  queryOptions({
    queryKey: ['consent', 'pictures', version, language],
    queryFn: () => get<BannerPictures>('/consent/banner/pictures', { version, language }),
  });

/** The languages in which Pavis has texts. They change only with an update. */
export const languagesQuery = queryOptions({
  queryKey: ['consent', 'languages'],
  queryFn: () => get<BannerLanguage[]>('/consent/languages'),
  staleTime: Number.POSITIVE_INFINITY,
});

export const languageTextsQuery = (language: string) =>
  queryOptions({
    queryKey: ['consent', 'languages', language],
    queryFn: () => get<BannerLanguageTexts>(`/consent/languages/${language}`),
    staleTime: Number.POSITIVE_INFINITY,
  });
