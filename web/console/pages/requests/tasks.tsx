import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/client.ts';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, toLabel } from '../../components/format.ts';
import { awaitsApproval } from './approval.tsx';
import { formatGround, formatKept } from './grounds.ts';
import type { Case, Task } from './types.ts';

const CLOSED: readonly string[] = ['done', 'skipped'];
/** Those that stand in the way of completing a request without a reason. */
const openTasks = (tasks: readonly Task[]): Task[] =>
  tasks.filter(({ status }) => !CLOSED.includes(status));

const TONES: Record<string, Tone> = { done: 'good', failed: 'bad', running: 'info' };

/** What is done for the request in each source; each fails alone. */
export function Tasks({
  tasks,
  requestType,
}: {
  tasks: readonly Task[];
  requestType: Case['request_type'];
}) {
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
        <TaskItem key={task.id} task={task} requestType={requestType} />
      ))}
    </ul>
  );
}

/** What is done, and what came of it. */
const outcomeOf = ({ label, kind, records, erased, anonymised, kept, ...task }: Task): string =>
  [
    toLabel(kind) !== label && toLabel(kind),
    kind === 'collect' && formatCount(records, 'record'),
    erased > 0 && `${erased} erased`,
    anonymised > 0 && `${anonymised} anonymised`,
    ...kept.map(formatKept),
    task.last_error,
    task.ground && formatGround(task.ground),
    task.reason,
    task.result,
  ]
    .filter(Boolean)
    .join(' · ');

/** What a person says about a task. */
type Saying = 'done' | 'skipped';

function TaskItem({ task, requestType }: { task: Task; requestType: Case['request_type'] }) {
  const [saying, setSaying] = useState<Saying>();
  const changing = useChange({
    change: (body: object) => write('PUT', `/dsar/tasks/${task.id}`, body),
    stale: [['case', String(task.case_id)]],
    onDone: () => setSaying(undefined),
  });
  const isOpen = openTasks([task]).length > 0 && task.status !== 'running' && !awaitsApproval(task);
  return (
    <li className="notice wraps">
      <div>
        <strong>
          {task.label}{' '}
          <StatusBadge tone={TONES[task.status] ?? 'neutral'}>
            {awaitsApproval(task) ? 'Awaiting approval' : toLabel(task.status)}
          </StatusBadge>
        </strong>
        <span className="soft small">{outcomeOf(task)}</span>
      </div>
      {isOpen && (
        <div className="row buttons" hidden={saying !== undefined}>
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
              onClick={() => setSaying('done')}
            >
              Done
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Leave out: ${task.label}`}
            onClick={() => setSaying('skipped')}
          >
            Leave out
          </Button>
        </div>
      )}
      {saying && (
        <TaskForm
          label={labelOf(saying, task, requestType)}
          isRequired={saying === 'skipped' || requestType in RESULTS}
          submit={saying === 'done' ? 'Done' : 'Leave out'}
          isBusy={changing.isPending}
          onSubmit={(text) =>
            changing.mutate({
              status: saying,
              ...(text && (saying === 'done' ? { result: text } : { reason: text })),
            })
          }
          onCancel={() => setSaying(undefined)}
        />
      )}
    </li>
  );
}

/** What is asked about a task that a person has done. */
const RESULTS: Partial<Record<Case['request_type'], string>> = {
  rectification: 'What was changed',
  objection: 'What was decided',
};

function labelOf(saying: Saying, { label }: Task, requestType: Case['request_type']): string {
  if (saying === 'skipped') return `Why ${label} is left out`;
  return RESULTS[requestType] ?? `What was done: ${label}`;
}

function TaskForm({
  label,
  isRequired,
  submit,
  isBusy,
  onSubmit,
  onCancel,
}: {
  label: string;
  isRequired: boolean;
  submit: string;
  isBusy: boolean;
  onSubmit: (text: string) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(text.trim());
  };
  return (
    <form className="stack whole" onSubmit={send}>
      <Textarea
        label={label}
        description={
          isRequired ? 'The requester is told this' : 'Optional. The requester is told this'
        }
        required={isRequired}
        withAsterisk={false}
        autosize
        minRows={2}
        autoFocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className="row">
        <Button type="submit" loading={isBusy}>
          {submit}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
