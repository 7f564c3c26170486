import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { SiteLicenceRecord } from '../../../src/privacy/licence/schemas.ts';
import { get, LICENCE_ROOT } from '../api/client.ts';

export interface Health {
  isWell: boolean;
  version: string;
  message: string;
}

/** How the server itself says it is. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  async queryFn(): Promise<Health> {
    const response = await fetch(`${LICENCE_ROOT}/health`);
    const body = await response.json();
    return {
      isWell: response.ok,
      version: body.version ?? '',
      message: response.ok ? 'The database answers.' : body.message,
    };
  },
  refetchInterval: 60_000,
});

/** This site's own licence, as `/licence` has it. */
export type SiteLicence = Static<typeof SiteLicenceRecord>;

export const siteLicenceQuery = queryOptions({
  queryKey: ['licence'],
  queryFn: () => get<SiteLicence>('/licence'),
});
