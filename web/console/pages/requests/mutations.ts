import { ApiError, write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { useChange } from '../../components/form.tsx';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { caseQuery } from './queries.ts';
import { CASE_STATUSES, type Case } from './types.ts';

/** Changes a request and refreshes what shows it, also if another user has changed its status meanwhile. */
export function useCaseChange({ id, status }: Case, onDone: () => void) {
  const stale = [['case', String(id)], ['cases']];
  return useChange({
    change: (body: Record<string, unknown>) => write<Case>('PUT', `/dsar/cases/${id}`, body),
    stale,
    done: 'The request was updated.',
    onDone,
    async onFailed(error, body) {
      const current = caseQuery(String(id));
      const now = await queryClient.fetchQuery({ ...current, staleTime: 0 }).catch(() => null);
      if (!now || now.status === status) return notifyError(error);
      onDone();
      const result = `Its status is now ${CASE_STATUSES[now.status].toLowerCase()}.`;
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      if (isRefused && now.status !== body.status)
        notifyError(new Error(`Another user has changed this request. ${result}`));
      // Most likely by this user: the server has done it, and its answer was lost.
      else notifySuccess(`The request was changed. ${result}`);
      for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
