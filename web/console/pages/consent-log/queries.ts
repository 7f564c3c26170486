import { queryOptions } from '@tanstack/react-query';
import { get, getText, list } from '../../api/client.ts';
import type { ConsentLog, LogVerification } from '../../api/types.ts';

const REFRESH_MS = 10_000;
const PROGRESS_MS = 1_000;

/** The log grows by itself. */
export const logQuery = queryOptions({
  queryKey: ['consent-log'],
  queryFn: () => get<ConsentLog>('/consent/log'),
  refetchInterval: REFRESH_MS,
});

/** The newest checkpoint, a signed note. It changes when the log grows or a witness cosigns. */
export const checkpointQuery = ({ size, cosigned_checkpoint }: ConsentLog) =>
  queryOptions({
    queryKey: ['consent-log', 'checkpoint', size, cosigned_checkpoint],
    queryFn: () => getText('/consent/log/checkpoint'),
  });

/** The verification that was started last; null before the first. */
export const latestVerificationQuery = queryOptions({
  queryKey: ['consent-log', 'verification'],
  queryFn: async () => {
    const { items } = await list<LogVerification>('/consent/log/verifications', { per_page: 1 });
    return items[0] ?? null;
  },
  refetchInterval: ({ state }) => (state.data?.status === 'running' ? PROGRESS_MS : false),
});
