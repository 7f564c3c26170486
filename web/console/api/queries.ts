import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import {
  ApiError,
  getTagged,
  listAll,
  readHasAdministrator,
  readSession,
  type Tagged,
} from './client.ts';
import type { Settings, Vendor } from './types.ts';

/** Called when the session has expired. The router then shows the sign-in page. */
let onSignedOut = () => {};
export const onSessionExpired = (listener: () => void): void => {
  onSignedOut = listener;
};

/** Called when the user must set up a second factor first, for example after a reset. */
let onFactorMissing = () => {};
export const onSecondFactorMissing = (listener: () => void): void => {
  onFactorMissing = listener;
};
const isSecondFactorMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second_factor_setup_required';

/** Whether a session has expired. A wrong password, code or passkey at sign-in has other error codes. */
export const isSessionExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && error.code.startsWith('rest_');

/** Whether this server does not have the route, because the service is switched off. */
export const isMissingRoute = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rest_no_route';

/** Follows what an error says about the session. */
function followSession(error: unknown): void {
  if (isSessionExpired(error)) onSignedOut();
  if (isSecondFactorMissing(error)) onFactorMissing();
  // An administrator can have changed the role. The console then shows what the new one permits.
  if (error instanceof ApiError && error.code === 'rest_forbidden' && error.status === 403)
    void queryClient.invalidateQueries(sessionQuery);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey, state }) {
      // The routes show the sign-in page if there is no session at first.
      if (queryKey[0] !== 'session' || state.data) followSession(error);
    },
  }),
  mutationCache: new MutationCache({ onError: followSession }),
  defaultOptions: {
    queries: {
      // A server on the same machine is reachable without a network.
      networkMode: 'always',
      staleTime: 15_000,
      // Client errors would only repeat.
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiError && error.status > 0 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
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

/** All vendors, for select fields. */
export const vendorNamesQuery = queryOptions({
  queryKey: ['vendors', 'all'],
  queryFn: () => listAll<Vendor>('/vendors'),
  staleTime: 60_000,
});
