import { Button, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import { REQUIRED, useMissing } from '../../components/required.ts';
import { useTypedText } from '../../components/typed-text.ts';
import { Completion } from './completion.tsx';
import { describeHold, HOLD_GROUNDS, listRefusalGrounds } from './grounds.ts';
import { Letters } from './letters.tsx';
import { useCaseChange } from './mutations.ts';
import { isExtensible } from './opt-out.ts';
import type { Case, CaseStatus, Letter, UpdatedCase } from './types.ts';

/** The statuses that can follow each status. */
const TRANSITIONS: Record<CaseStatus, readonly CaseStatus[]> = {
  received: ['in_progress', 'on_hold', 'rejected', 'withdrawn'],
  in_progress: ['completed', 'on_hold', 'rejected', 'withdrawn'],
  on_hold: ['in_progress', 'on_hold', 'rejected', 'withdrawn'],
  completed: ['in_progress'],
  rejected: ['in_progress'],
  withdrawn: ['in_progress'],
};
const ACTION_LABELS: Record<CaseStatus, string> = {
  received: 'Received',
  in_progress: 'Start processing',
  on_hold: 'Pause the request',
  completed: 'Complete',
  rejected: 'Refuse',
  withdrawn: 'Mark as withdrawn',
};
const CHANGE_PAUSE = 'Change the reason for the pause';
const EXTEND = 'Extend the deadline';

type Action = CaseStatus | 'extend';

const getLabel = (action: Action, { status, completed }: Case): string => {
  if (action === 'extend') return EXTEND;
  if (completed !== null) return 'Reopen';
  return action === status ? CHANGE_PAUSE : ACTION_LABELS[action];
};

/** Actions on a request, each of which notifies the requester, or shows what to send without an email address. */
export function CaseActions({ request }: { request: Case }) {
  const [action, setAction] = useState<Action>();
  const [letters, setLetters] = useState<readonly Letter[]>([]);
  const close = () => setAction(undefined);
  const finish = (updated?: UpdatedCase) => {
    close();
    // None from a node of an earlier version, or if the answer was lost.
    setLetters(updated?.letters ?? []);
  };
  const changing = useCaseChange(request, finish);
  const isOpen = request.completed === null;
  const begin = (to: CaseStatus) =>
    isOpen && to === 'in_progress' ? changing.mutate({ status: to }) : setAction(to);
  return (
    <section aria-label="Actions">
      {action && action !== 'completed' && (
        <ActionForm
          key={action}
          request={request}
          action={action}
          onClose={close}
          onDone={finish}
        />
      )}
      {/* Hidden and not removed, so that the focus can return to the button that was pressed. */}
      <Group gap="sm" hidden={action !== undefined && action !== 'completed'}>
        {TRANSITIONS[request.status].map((to, index) => (
          <Button
            key={to}
            variant={index === 0 ? 'filled' : 'default'}
            loading={changing.isPending && index === 0}
            onClick={() => begin(to)}
          >
            {getLabel(to, request)}
          </Button>
        ))}
        {isOpen && isExtensible(request) && (
          <Button variant="default" onClick={() => setAction('extend')}>
            {EXTEND}
          </Button>
        )}
      </Group>
      <Completion
        request={request}
        isOpen={action === 'completed'}
        onClose={close}
        onDone={finish}
      />
      <Letters letters={letters} onClose={() => setLetters([])} />
    </section>
  );
}

/** Asks for the reason of a change, and for the ground of a pause or a refusal. */
function ActionForm({
  request,
  action,
  onClose,
  onDone,
}: {
  request: Case;
  action: Action;
  onClose: () => void;
  onDone: (updated?: UpdatedCase) => void;
}) {
  const isHold = action === 'on_hold';
  const isRefusal = action === 'rejected';
  const [reason, setReason] = useTypedText(action);
  const [ground, setGround] = useState<string>((isHold && request.ground) || '');
  const changing = useCaseChange(request, onDone);
  const needsReason = action === 'extend' || isRefusal || request.completed !== null;
  const missing = useMissing();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing.isMissing(...(isRefusal ? [ground] : []), ...(needsReason ? [reason] : []))) return;
    changing.mutate(
      action === 'extend'
        ? { extend: { reason } }
        : { status: action, ...(reason && { reason }), ...(ground && { ground }) },
    );
  };
  const grounds = isHold ? HOLD_GROUNDS : listRefusalGrounds(request);
  return (
    <Stack component="form" onSubmit={submit}>
      <strong>{getLabel(action, request)}</strong>
      {(isHold || isRefusal) && (
        <NativeSelect
          label="Ground"
          description={isHold && describeHold(ground, reason, request)}
          {...(isRefusal && REQUIRED)}
          error={isRefusal && missing.getError(ground, 'Choose a ground.')}
          value={ground}
          data={[{ value: '', label: isRefusal ? 'Not chosen' : 'Not stated' }, ...grounds]}
          onChange={({ currentTarget }) => setGround(currentTarget.value)}
        />
      )}
      <Textarea
        label={needsReason ? 'Reason' : 'Reason (optional)'}
        description={
          request.email === null
            ? 'Part of the response, which is shown next'
            : 'Sent to the requester'
        }
        {...(needsReason && REQUIRED)}
        error={needsReason && missing.getError(reason, 'Enter a reason.')}
        minRows={3}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Group gap="sm">
        <Button type="submit" loading={changing.isPending}>
          {action === 'extend' ? 'Extend' : getLabel(action, request)}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}

/** Adds an internal note. */
export function Note({ caseId }: { caseId: string }) {
  const [note, setNote] = useTypedText('note');
  const adding = useChange({
    change: () => write('POST', `/dsar/cases/${caseId}/events`, { note }),
    stale: [['case', caseId]],
    onDone: () => setNote(''),
  });
  const missing = useMissing();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing.isMissing(note)) return;
    adding.mutate(undefined);
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Textarea
        label="Note"
        description="Not emailed to the requester, but part of a copy of their data"
        minRows={2}
        aria-required
        error={missing.getError(note, 'Enter a note.')}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <div>
        <Button type="submit" variant="default" loading={adding.isPending}>
          Add note
        </Button>
      </div>
    </Stack>
  );
}
