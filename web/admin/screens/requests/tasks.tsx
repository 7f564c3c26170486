import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/client.ts';
import { useChange } from '../../parts/form.tsx';
import { counted, words } from '../../parts/format.ts';
import { Tag, type Tone } from '../../parts/tag.tsx';
import type { Task } from './types.ts';

const CLOSED: readonly string[] = ['done', 'skipped'];
/** Those that stand in the way of completing a request without a reason. */
export const openTasks = (tasks: readonly Task[]): Task[] =>
  tasks.filter(({ status }) => !CLOSED.includes(status));

const TONES: Record<string, Tone> = { done: 'good', failed: 'bad', running: 'info' };

/** What is done for the request in each source; each fails alone. */
export function Tasks({ tasks }: { tasks: readonly Task[] }) {
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
        <TaskItem key={task.id} task={task} />
      ))}
    </ul>
  );
}

/** What is done, and what came of it. */
const outcomeOf = ({ label, kind, records, erased, anonymised, kept, ...task }: Task): string =>
  [
    words(kind) !== label && words(kind),
    kind === 'collect' && counted(records, 'record'),
    erased > 0 && `${erased} erased`,
    anonymised > 0 && `${anonymised} anonymised`,
    ...kept.map(({ count, reason }) => `${count} kept: ${reason}`),
    task.last_error,
    task.reason,
  ]
    .filter(Boolean)
    .join(' · ');

function TaskItem({ task }: { task: Task }) {
  const [isLeaving, setIsLeaving] = useState(false);
  const [reason, setReason] = useState('');
  const changing = useChange({
    change: (body: { status: string; reason?: string }) =>
      write('PUT', `/dsar/tasks/${task.id}`, body),
    stale: [['case', String(task.case_id)]],
    onDone: () => setIsLeaving(false),
  });
  const leave = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate({ status: 'skipped', reason });
  };
  const isOpen = openTasks([task]).length > 0 && task.status !== 'running';
  return (
    <li className="notice wraps">
      <div>
        <strong>
          {task.label} <Tag tone={TONES[task.status] ?? 'neutral'}>{words(task.status)}</Tag>
        </strong>
        <span className="soft small">{outcomeOf(task)}</span>
      </div>
      {isOpen && (
        <div className="row buttons" hidden={isLeaving}>
          {task.status === 'failed' && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Try again: ${task.label}`}
              onClick={() => changing.mutate({ status: 'pending' })}
            >
              Try again
            </Button>
          )}
          {task.kind === 'manual' && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Done: ${task.label}`}
              onClick={() => changing.mutate({ status: 'done' })}
            >
              Done
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Leave out: ${task.label}`}
            onClick={() => setIsLeaving(true)}
          >
            Leave out
          </Button>
        </div>
      )}
      {isLeaving && (
        <form className="stack whole" onSubmit={leave}>
          <Textarea
            label={`Why ${task.label} is left out`}
            description="It stays with the request as proof"
            required
            withAsterisk={false}
            autosize
            minRows={2}
            autoFocus
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <div className="row">
            <Button type="submit" loading={changing.isPending}>
              Leave out
            </Button>
            <Button variant="default" onClick={() => setIsLeaving(false)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </li>
  );
}
