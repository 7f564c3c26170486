import { Button, NativeSelect, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import { useCaseChange } from './changes.ts';
import { Completion } from './completion.tsx';
import { HOLD_GROUNDS, listRefusalGrounds } from './grounds.ts';
import type { Case, CaseStatus } from './types.ts';

/** Where a request may go from where it is. */
const MOVES: Record<CaseStatus, readonly CaseStatus[]> = {
  received: ['in_progress', 'on_hold', 'rejected', 'withdrawn'],
  in_progress: ['completed', 'on_hold', 'rejected', 'withdrawn'],
  on_hold: ['in_progress', 'on_hold', 'rejected', 'withdrawn'],
  completed: ['in_progress'],
  rejected: ['in_progress'],
  withdrawn: ['in_progress'],
};
const WORDS: Record<CaseStatus, string> = {
  received: 'Received',
  in_progress: 'Work on it',
  on_hold: 'Pause the request',
  completed: 'Complete',
  rejected: 'Refuse',
  withdrawn: 'Mark as withdrawn',
};
const CHANGE_HOLD = 'Change the reason of the pause';
const EXTEND = 'Extend the deadline';

type Action = CaseStatus | 'extend';

const nameOf = (action: Action, { status, completed }: Case): string => {
  if (action === 'extend') return EXTEND;
  if (completed !== null) return 'Open it again';
  return action === status ? CHANGE_HOLD : WORDS[action];
};

/** What can be done with a request; the requester is told. */
export function CaseActions({ request }: { request: Case }) {
  const [action, setAction] = useState<Action>();
  const close = () => setAction(undefined);
  const changing = useCaseChange(request, close);
  const isOpen = request.completed === null;
  const begin = (to: CaseStatus) =>
    isOpen && to === 'in_progress' ? changing.mutate({ status: to }) : setAction(to);
  return (
    <section className="card stack">
      <h2 style={{ margin: 0 }}>Actions</h2>
      {action && action !== 'completed' && (
        <ActionForm key={action} request={request} action={action} onClose={close} />
      )}
      {/* Out of sight it stays: what was pressed takes the focus again. */}
      <div className="stack" hidden={action !== undefined && action !== 'completed'}>
        {MOVES[request.status].map((to, index) => (
          <Button
            key={to}
            variant={index === 0 ? 'filled' : 'default'}
            loading={changing.isPending && index === 0}
            onClick={() => begin(to)}
          >
            {nameOf(to, request)}
          </Button>
        ))}
        {isOpen && !request.extended && request.regime !== 'lgpd' && (
          <Button variant="default" onClick={() => setAction('extend')}>
            {EXTEND}
          </Button>
        )}
      </div>
      <Completion request={request} isOpen={action === 'completed'} onClose={close} />
    </section>
  );
}

/** What a change needs to be told: a reason, and of a pause or a refusal its ground. */
function ActionForm({
  request,
  action,
  onClose,
}: {
  request: Case;
  action: Action;
  onClose: () => void;
}) {
  const isHold = action === 'on_hold';
  const isRefusal = action === 'rejected';
  const [reason, setReason] = useState('');
  const [ground, setGround] = useState<string>((isHold && request.ground) || '');
  const changing = useCaseChange(request, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate(
      action === 'extend'
        ? { extend: { reason } }
        : { status: action, ...(reason && { reason }), ...(ground && { ground }) },
    );
  };
  const needsReason = action === 'extend' || isRefusal || request.completed !== null;
  const grounds = isHold ? HOLD_GROUNDS : listRefusalGrounds(request.request_type);
  return (
    <form className="stack" onSubmit={submit}>
      <strong>{nameOf(action, request)}</strong>
      {(isHold || isRefusal) && (
        <NativeSelect
          label="Ground"
          description={isHold && describeHold(ground, reason, request)}
          required={isRefusal}
          value={ground}
          data={[{ value: '', label: isRefusal ? 'Choose a ground' : 'Not stated' }, ...grounds]}
          onChange={({ currentTarget }) => setGround(currentTarget.value)}
        />
      )}
      <Textarea
        label={needsReason ? 'Reason' : 'Reason (optional)'}
        description="The requester is told this"
        required={needsReason}
        autosize
        minRows={3}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div className="row">
        <Button type="submit" loading={changing.isPending}>
          {action === 'extend' ? 'Extend' : nameOf(action, request)}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** What a pause means for the deadline and for the requester (GDPR Art. 12(6)). */
function describeHold(ground: string, reason: string, { regime }: Case): string {
  const pauses = ground === 'identity' && regime === 'gdpr';
  const asks =
    ground === 'identity' || ground === 'clarification' || (ground === '' && reason !== '');
  return [
    pauses ? 'The deadline is paused.' : 'The deadline keeps running.',
    asks
      ? 'The requester is asked to answer.'
      : 'The requester is told that they need not do anything.',
  ].join(' ');
}

/** A note that only the console shows. */
export function Note({ caseId }: { caseId: string }) {
  const [note, setNote] = useState('');
  const adding = useChange({
    change: () => write('POST', `/dsar/cases/${caseId}/events`, { note }),
    stale: [['case', caseId]],
    onDone: () => setNote(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate(undefined);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Textarea
        label="Add a note"
        description="For you and your colleagues"
        autosize
        minRows={2}
        required
        withAsterisk={false}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <div>
        <Button type="submit" variant="default" loading={adding.isPending}>
          Add the note
        </Button>
      </div>
    </form>
  );
}
