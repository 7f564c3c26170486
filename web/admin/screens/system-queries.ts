import { queryOptions } from '@tanstack/react-query';
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
export interface SiteLicence {
  /** Masked; null without one. */
  key: string | null;
  status: string;
  valid: boolean;
  tier: string | null;
  features: string[];
  sites_allowed: number | null;
  sites_used: number | null;
  expires_at: string | null;
  site_url: string | null;
  checked_at: string | null;
  stale: boolean;
  message: string;
}

export const siteLicenceQuery = queryOptions({
  queryKey: ['licence'],
  queryFn: () => get<SiteLicence>('/licence'),
});
