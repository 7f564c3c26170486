import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import {
  ApiFailure,
  getTagged,
  listAll,
  readHasAdministrator,
  readSession,
  type Tagged,
} from './client.ts';
import type { Settings, Vendor } from './types.ts';

/** Told when the server no longer knows who is there; the router sends them to the door. */
let onSignedOut = () => {};
export const onSessionExpired = (listener: () => void): void => {
  onSignedOut = listener;
};

/** Told when the user must set up a second factor first, for example after a reset. */
let onFactorMissing = () => {};
export const onSecondFactorMissing = (listener: () => void): void => {
  onFactorMissing = listener;
};
const isSecondFactorMissing = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'second_factor_setup_required';

/** Whether a session has ended; a wrong password, code or passkey at sign-in ends none. */
export const isSessionExpired = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status === 401 && error.code.startsWith('rest_');

/** Whether this server has no such part. */
export const isMissingRoute = (error: unknown): boolean =>
  error instanceof ApiFailure && error.code === 'rest_no_route';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      if (isSessionExpired(error) && queryKey[0] !== 'session') onSignedOut();
      if (isSecondFactorMissing(error)) onFactorMissing();
    },
  }),
  mutationCache: new MutationCache({
    onError(error) {
      if (isSessionExpired(error)) onSignedOut();
      if (isSecondFactorMissing(error)) onFactorMissing();
    },
  }),
  defaultOptions: {
    queries: {
      // The server may be on this very machine, which needs no network.
      networkMode: 'always',
      staleTime: 15_000,
      // A refusal stays one; only silence may end.
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiFailure && error.status > 0 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

export const hasAdministratorQuery = queryOptions({
  queryKey: ['administrator'],
  queryFn: readHasAdministrator,
});

/** The settings with their entity tag, for forms. */
export const taggedSettingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => getTagged<Settings>('/settings', signal),
});

export const settingsQuery = queryOptions({
  ...taggedSettingsQuery,
  select: ({ value }: Tagged<Settings>) => value,
});

/** The whole library, for choosing from. */
export const vendorNamesQuery = queryOptions({
  queryKey: ['vendors', 'all'],
  queryFn: () => listAll<Vendor>('/vendors'),
  staleTime: 60_000,
});
