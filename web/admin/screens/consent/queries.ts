import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { ConsentStats } from '../../api/types.ts';

export const statsQuery = queryOptions({
  queryKey: ['consent', 'stats'],
  queryFn: () => get<ConsentStats>('/consent/stats'),
});
