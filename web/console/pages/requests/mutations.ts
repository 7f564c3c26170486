import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { useChange } from '../../components/form.tsx';
import { notifyError } from '../../components/notify.ts';
import { caseQuery } from './queries.ts';
import { CASE_STATUSES, type Case } from './types.ts';

/** Changes a request and refreshes what shows it, also if another user has changed its status meanwhile. */
export function useCaseChange({ id, status }: Case, onDone: () => void) {
  const stale = [['case', String(id)], ['cases']];
  return useChange({
    change: (body: object) => write<Case>('PUT', `/dsar/cases/${id}`, body),
    stale,
    done: 'The request was updated.',
    onDone,
    async onFailed(error) {
      const current = caseQuery(String(id));
      const now = await queryClient.fetchQuery({ ...current, staleTime: 0 }).catch(() => null);
      if (!now || now.status === status) return notifyError(error);
      onDone();
      const label = CASE_STATUSES[now.status].toLowerCase();
      notifyError(new Error(`Another user has changed this request. Its status is now ${label}.`));
      for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
