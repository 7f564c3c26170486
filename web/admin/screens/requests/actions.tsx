import { Button, NativeSelect, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { write } from '../../api/client.ts';
import { useChange } from '../../parts/form.tsx';
import { counted, words } from '../../parts/format.ts';
import type { Case, CaseStatus } from './types.ts';
import { GROUNDS } from './types.ts';

/** Where a request may go from where it is. */
const MOVES: Record<CaseStatus, readonly CaseStatus[]> = {
  received: ['in_progress', 'on_hold', 'rejected', 'withdrawn'],
  in_progress: ['completed', 'on_hold', 'rejected', 'withdrawn'],
  on_hold: ['in_progress', 'rejected', 'withdrawn'],
  completed: ['in_progress'],
  rejected: ['in_progress'],
  withdrawn: ['in_progress'],
};
const WORDS: Record<CaseStatus, string> = {
  received: 'Received',
  in_progress: 'Work on it',
  on_hold: 'Put on hold',
  completed: 'Complete',
  rejected: 'Refuse',
  withdrawn: 'Note as withdrawn',
};

/** What can be done with a request; the one who asked is told. */
export function CaseActions({ request, open }: { request: Case; open: number }) {
  const id = String(request.id);
  const isOpen = request.completed === null;
  const [move, setMove] = useState<CaseStatus>();
  const [reason, setReason] = useState('');
  const [ground, setGround] = useState('');
  const [isExtending, setIsExtending] = useState(false);
  const close = () => {
    setMove(undefined);
    setIsExtending(false);
    setReason('');
    setGround('');
  };
  const changing = useChange({
    change: (body: object) => write<Case>('PUT', `/dsar/cases/${id}`, body),
    stale: [['case', id], ['cases']],
    done: 'The request was changed.',
    onDone: close,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isExtending) changing.mutate({ extend: { reason } });
    else changing.mutate({ status: move, ...(reason && { reason }), ...(ground && { ground }) });
  };
  const needsReason = isExtending || move === 'rejected' || move === 'completed' || !isOpen;
  const takesGround = move === 'on_hold' || move === 'rejected';
  return (
    <section className="card stack">
      <h2 style={{ margin: 0 }}>What next</h2>
      {(move || isExtending) && (
        <form className="stack" onSubmit={submit}>
          <strong>{isExtending ? 'Extend the deadline' : move && WORDS[move]}</strong>
          {move === 'completed' && (
            <p className="small" style={{ margin: 0 }}>
              {counted(open, 'source')} not done yet: say why the request is complete without.
            </p>
          )}
          {takesGround && (
            <NativeSelect
              label="Ground"
              value={ground}
              data={[
                { value: '', label: 'Not said' },
                ...GROUNDS.map((value) => ({ value, label: words(value) })),
              ]}
              onChange={({ currentTarget }) => setGround(currentTarget.value)}
            />
          )}
          <Textarea
            label={needsReason ? 'Reason' : 'Reason, if there is one'}
            description="The one who asked is told"
            required={needsReason}
            autosize
            minRows={3}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <div className="row">
            <Button type="submit" loading={changing.isPending}>
              {isExtending ? 'Extend' : move && WORDS[move]}
            </Button>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
          </div>
        </form>
      )}
      {/* Out of sight it stays: what was pressed takes the focus again. */}
      <div className="stack" hidden={isExtending || move !== undefined}>
        {MOVES[request.status].map((to, index) => (
          <Button
            key={to}
            variant={index === 0 ? 'filled' : 'default'}
            loading={changing.isPending && index === 0}
            onClick={() =>
              isOpen && (to === 'in_progress' || (to === 'completed' && open === 0))
                ? changing.mutate({ status: to })
                : setMove(to)
            }
          >
            {isOpen ? WORDS[to] : 'Open it again'}
          </Button>
        ))}
        {isOpen && !request.extended && request.regime !== 'lgpd' && (
          <Button variant="default" onClick={() => setIsExtending(true)}>
            Extend the deadline
          </Button>
        )}
      </div>
    </section>
  );
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
