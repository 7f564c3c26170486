import { Box, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/client.ts';
import { StatusBadge, type Tone } from '../../components/badges.tsx';
import { useChange } from '../../components/form.tsx';
import { formatCount, toLabel } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { useMissing } from '../../components/required.ts';
import { useTypedText } from '../../components/typed-text.ts';
import { awaitsApproval } from './approval.tsx';
import { formatGround, formatKept } from './grounds.ts';
import type { Case, Task } from './types.ts';

const CLOSED: readonly string[] = ['done', 'skipped'];
/** Tasks that have to be done or left out before a request can be completed. */
const listOpenTasks = (tasks: readonly Task[]): Task[] =>
  tasks.filter(({ status }) => !CLOSED.includes(status));

const TONES: Record<string, Tone> = { done: 'good', failed: 'bad', running: 'info' };

/** What each source has done for the request; sources without data are folded into one line. */
export function Tasks({
  tasks,
  requestType,
}: {
  tasks: readonly Task[];
  requestType: Case['request_type'];
}) {
  if (tasks.length === 0) {
    return (
      <Text c="dimmed">
        Sources are searched once the requester confirms the email address, or you select Start
        processing. Select it only if you are sure who the person is.
      </Text>
    );
  }
  const empty = tasks.filter(isEmpty);
  const shown = tasks.filter((task) => !isEmpty(task));
  return (
    <>
      {shown.length > 0 && <TaskList tasks={shown} requestType={requestType} />}
      {empty.length > 0 && (
        <details>
          <Box component="summary" c="dimmed" py={{ base: 'sm', md: 0 }}>
            {formatCount(empty.length, 'source')} without data about this person
          </Box>
          <TaskList tasks={empty} requestType={requestType} />
        </details>
      )}
    </>
  );
}

function TaskList({
  tasks,
  requestType,
}: {
  tasks: readonly Task[];
  requestType: Case['request_type'];
}) {
  return (
    <ItemList>
      {tasks.map((task) => (
        <TaskItem key={task.id} task={task} requestType={requestType} />
      ))}
    </ItemList>
  );
}

/** Whether a source was searched and holds nothing about the person. */
const isEmpty = ({ kind, status, records, erased, anonymised, kept, ...task }: Task): boolean =>
  (kind === 'collect' || kind === 'erase') &&
  status === 'done' &&
  records + erased + anonymised + kept.length === 0 &&
  !task.last_error &&
  !task.result;

/** The kind of a task and its outcome. */
const formatOutcome = ({ label, kind, records, erased, anonymised, kept, ...task }: Task): string =>
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

/** How a person closes a task. */
type Closing = 'done' | 'skipped';

function TaskItem({ task, requestType }: { task: Task; requestType: Case['request_type'] }) {
  const [closing, setClosing] = useState<Closing>();
  const changing = useChange({
    change: (body: object) => write('PUT', `/dsar/tasks/${task.id}`, body),
    stale: [['case', String(task.case_id)]],
    onDone: () => setClosing(undefined),
  });
  const isOpen =
    listOpenTasks([task]).length > 0 && task.status !== 'running' && !awaitsApproval(task);
  return (
    <Item
      title={
        <>
          {task.label}{' '}
          <StatusBadge tone={TONES[task.status] ?? 'neutral'}>
            {awaitsApproval(task) ? 'Awaiting approval' : toLabel(task.status)}
          </StatusBadge>
        </>
      }
      text={formatOutcome(task)}
      actions={
        isOpen && (
          <Group gap="xs" hidden={closing !== undefined}>
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
                onClick={() => setClosing('done')}
              >
                Done
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`Leave out: ${task.label}`}
              onClick={() => setClosing('skipped')}
            >
              Leave out
            </Button>
          </Group>
        )
      }
    >
      {closing && (
        <TaskForm
          label={getLabel(closing, task, requestType)}
          // The sources report what an accepted visitor id finds.
          isSent={closing === 'skipped' || task.source !== 'visitor_id'}
          isRequired={closing === 'skipped' || requestType in RESULTS}
          submit={closing === 'done' ? 'Done' : 'Leave out'}
          isBusy={changing.isPending}
          onSubmit={(text) =>
            changing.mutate({
              status: closing,
              ...(text && (closing === 'done' ? { result: text } : { reason: text })),
            })
          }
          onCancel={() => setClosing(undefined)}
        />
      )}
    </Item>
  );
}

/** The label of the result of a manual task. */
const RESULTS: Partial<Record<Case['request_type'], string>> = {
  rectification: 'Changes made',
  objection: 'Decision',
};

function getLabel(closing: Closing, { label }: Task, requestType: Case['request_type']): string {
  if (closing === 'skipped') return `Reason for leaving out: ${label}`;
  return RESULTS[requestType] ?? `Result: ${label}`;
}

function TaskForm({
  label,
  isSent,
  isRequired,
  submit,
  isBusy,
  onSubmit,
  onCancel,
}: {
  label: string;
  isSent: boolean;
  isRequired: boolean;
  submit: string;
  isBusy: boolean;
  onSubmit: (text: string) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useTypedText(label);
  const missing = useMissing();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isRequired && missing.isMissing(text)) return;
    onSubmit(text.trim());
  };
  return (
    <Stack component="form" onSubmit={send}>
      <Textarea
        label={label}
        description={`${isRequired ? '' : 'Optional. '}${isSent ? 'Sent' : 'Not sent'} to the requester`}
        aria-required={isRequired}
        minRows={2}
        autoFocus
        error={isRequired && missing.getError(text, 'Enter what to send to the requester.')}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group gap="sm">
        <Button type="submit" loading={isBusy}>
          {submit}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
