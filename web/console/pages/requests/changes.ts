import { write } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import type { Case } from './types.ts';

/** Changes a request, and reads anew what that concerns. */
export const useCaseChange = ({ id }: Case, onDone: () => void) =>
  useChange({
    change: (body: object) => write<Case>('PUT', `/dsar/cases/${id}`, body),
    stale: [['case', String(id)], ['cases']],
    done: 'The request was changed.',
    onDone,
  });
