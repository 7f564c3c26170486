import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { Declaration, Drift } from '../../api/types.ts';

export const driftQuery = queryOptions({
  queryKey: ['data-map', 'drift'],
  queryFn: () => get<Drift>('/declaration/drift'),
});

export const declarationQuery = (language: string | undefined) =>
  queryOptions({
    queryKey: ['declaration', language],
    queryFn: () => get<Declaration>('/declaration', { language }),
  });
