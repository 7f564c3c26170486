import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { SiteLicenceRecord } from '../../../src/privacy/site-licence/schemas.ts';
import { get, LICENCE_ROOT } from '../api/client.ts';
import { toLabel } from '../components/format.ts';

export interface Health {
  isWell: boolean;
  version: string;
  message: string;
}

/** How the server itself says it is. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  async queryFn(): Promise<Health> {
    const health = await fetch(`${LICENCE_ROOT}/health`);
    // Without the Licence API only the probes say so.
    const response = health.status === 404 ? await fetch('/readyz') : health;
    const { version = '', status, message = toLabel(status) } = await response.json();
    return {
      isWell: response.ok,
      version,
      message: response.ok ? 'The database answers.' : message,
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
