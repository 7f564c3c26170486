import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { Operations as OperationsSchema } from '../../../src/operations/status/schemas.ts';
import type { SiteLicenceRecord } from '../../../src/privacy/site-licence/schemas.ts';
import { describeStatus, get, LICENCE_ROOT } from '../api/client.ts';
import { toLabel } from '../components/format.ts';

export interface Health {
  isWell: boolean;
  version: string;
  message: string;
  /** Whether this node writes the consent log. */
  isLogWritten: boolean;
}

/** The public health of the server. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  async queryFn(): Promise<Health> {
    const health = await fetch(`${LICENCE_ROOT}/health`);
    // Without the Licence API only the probes answer.
    const response = health.status === 404 ? await fetch('/readyz') : health;
    const body = await response.json().catch(() => ({}));
    const { version = '', status, consent_log } = body;
    const { message = status ? toLabel(status) : describeStatus(response.status) } = body;
    return {
      isWell: response.ok,
      version,
      message: response.ok ? 'Connected.' : message,
      isLogWritten: consent_log !== 'failing',
    };
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
