import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { ConsentStats, ConsentVersion } from '../../api/types.ts';

export const statsQuery = queryOptions({
  queryKey: ['consent', 'stats'],
  queryFn: () => get<ConsentStats>('/consent/stats'),
});

export const versionsQuery = queryOptions({
  queryKey: ['consent-versions'],
  queryFn: () => get<ConsentVersion[]>('/settings/consent-versions'),
});
