import { write } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import type { Case } from './types.ts';

/** Changes a request and refreshes what shows it. */
export const useCaseChange = ({ id }: Case, onDone: () => void) =>
  useChange({
    change: (body: object) => write<Case>('PUT', `/dsar/cases/${id}`, body),
    stale: [['case', String(id)], ['cases']],
    done: 'The request was updated.',
    onDone,
  });
