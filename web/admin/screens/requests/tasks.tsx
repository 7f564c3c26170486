import { Button } from '@mantine/core';
import { write } from '../../api/client.ts';
import { useChange } from '../../parts/form.tsx';
import { counted, words } from '../../parts/format.ts';
import { Tag, type Tone } from '../../parts/tag.tsx';
import type { Task } from './types.ts';

const TONES: Record<string, Tone> = { done: 'good', failed: 'bad', running: 'info' };

/** What is done for the request in each source; each fails alone. */
export function Tasks({ caseId, tasks }: { caseId: string; tasks: readonly Task[] }) {
  const changing = useChange({
    change: ({ id, ...body }: { id: number; status: string; reason?: string }) =>
      write('PUT', `/dsar/tasks/${id}`, body),
    stale: [['case', caseId]],
  });
  if (tasks.length === 0) {
    return (
      <p className="soft">
        Nothing is to be collected or erased yet. It begins when the request is in progress and the
        address is confirmed.
      </p>
    );
  }
  return (
    <ul className="plain">
      {tasks.map((task) => (
        <li className="notice" key={task.id}>
          <div>
            <strong>
              {task.label} <Tag tone={TONES[task.status] ?? 'neutral'}>{words(task.status)}</Tag>
            </strong>
            <span className="soft small">
              {words(task.kind)}
              {task.kind === 'collect' && ` · ${counted(task.records, 'record')}`}
              {task.erased > 0 && ` · ${task.erased} erased`}
              {task.anonymised > 0 && ` · ${task.anonymised} anonymised`}
              {task.kept.map(({ count, reason }) => ` · ${count} kept: ${reason}`)}
              {task.last_error && ` · ${task.last_error}`}
              {task.reason && ` · ${task.reason}`}
            </span>
          </div>
          {task.status === 'failed' && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Try again: ${task.label}`}
              onClick={() => changing.mutate({ id: task.id, status: 'pending' })}
            >
              Try again
            </Button>
          )}
          {task.kind === 'manual' && task.status === 'pending' && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Done: ${task.label}`}
              onClick={() => changing.mutate({ id: task.id, status: 'done' })}
            >
              Done
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
