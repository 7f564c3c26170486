import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { Operations as OperationsSchema } from '../../../src/operations/status/schemas.ts';
import type { SiteLicenceRecord } from '../../../src/privacy/site-licence/schemas.ts';
import { ApiError, get } from '../api/client.ts';

export interface Health {
  isWell: boolean;
  version: string;
  message: string;
  /** Whether this node writes the consent log. */
  isLogWritten: boolean;
}

/** The health of the server. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  async queryFn(): Promise<Health> {
    try {
      const { version, consent_log } = await get<{
        version: string;
        consent_log?: 'ok' | 'failing';
      }>('/console/health');
      return {
        isWell: true,
        version,
        message: 'Connected.',
        isLogWritten: consent_log !== 'failing',
      };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status < 500) throw error;
      return { isWell: false, version: '', message: error.message, isLogWritten: true };
    }
  },
  refetchInterval: 60_000,
});

/** The licence of this site (`/licence`). */
export type SiteLicence = Static<typeof SiteLicenceRecord>;

export const siteLicenceQuery = queryOptions({
  queryKey: ['licence'],
  queryFn: () => get<SiteLicence>('/licence'),
});

export type Operations = Static<typeof OperationsSchema>;

/** The state of the server in detail, for administrators. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: () => get<Operations>('/console/operations'),
  refetchInterval: 30_000,
});
