import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { useChange } from '../../components/form.tsx';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import { caseQuery } from './queries.ts';
import { CASE_STATUSES, type Case, type UpdatedCase } from './types.ts';

/**
 * Changes a request and refreshes what shows it, also if another user has changed its status meanwhile.
 * @param onDone without the request if the answer was lost
 */
export function useCaseChange({ id, status }: Case, onDone: (updated?: UpdatedCase) => void) {
  const stale = [['case', String(id)], ['cases']];
  return useChange({
    change: (body: Record<string, unknown>) => write<UpdatedCase>('PUT', `/dsar/cases/${id}`, body),
    stale,
    done: 'The request was updated.',
    onDone,
    async onFailed(error, body) {
      const current = caseQuery(String(id));
      const now = await queryClient.fetchQuery({ ...current, staleTime: 0 }).catch(() => null);
      if (!now || now.status === status) return notifyError(error);
      const isDone = now.status === body.status;
      // The form for a request that is still open keeps its input.
      if (isDone || now.completed !== null) onDone();
      const result = `Its status is now ${CASE_STATUSES[now.status].toLowerCase()}.`;
      // Most likely by this user: the server has done it, and its answer was lost.
      if (isDone) notifySuccess(`The request was changed. ${result}`);
      else notifyError(new Error(`Another user has changed this request. ${result}`));
      for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
