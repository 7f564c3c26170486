import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { ConfirmButton, useChange } from '../../components/form.tsx';
import { Ask } from './ask.tsx';
import { EditLicence } from './edit.tsx';
import {
  DESK,
  endOf,
  type KeyShown,
  type LicenceDetail,
  NEVER,
  STALE,
  type TaggedLicence,
} from './queries.ts';

type Asking = 'edit' | 'extend' | 'transfer' | 'reroll';

/** What can be done with a licence in the state it is in. */
export function LicenceActions({
  licence,
  onRerolled,
}: {
  licence: TaggedLicence;
  onRerolled: (shown: KeyShown) => void;
}) {
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const changing = useChange({
    change: ({ verb, ...body }: { verb: string } & Record<string, unknown>) =>
      write<LicenceDetail & Partial<KeyShown>>('POST', `${DESK}/${licence.id}/${verb}`, body),
    stale: STALE,
    done: 'The licence was changed.',
    onDone(changed) {
      close();
      if (changed.licence_key) onRerolled({ ...changed, licence_key: changed.licence_key });
    },
  });
  const { status } = licence;
  if (status === 'revoked') {
    return (
      <section className="card">
        <h2>Revoked</h2>
        <p style={{ margin: 0 }}>
          It is revoked for good. To let the customer go on, issue a new licence.
        </p>
      </section>
    );
  }
  const asked = { isBusy: changing.isPending, onCancel: close };
  return (
    <section className="card stack actions-list">
      <h2 style={{ margin: 0 }}>What next</h2>
      {asking === 'edit' && <EditLicence licence={licence} onClose={close} />}
      {asking === 'extend' && (
        <MoveEnd
          {...asked}
          end={licence.paid_until}
          onSend={(expires_at) => changing.mutate({ verb: 'extend', expires_at })}
        />
      )}
      {asking === 'transfer' && (
        <Transfer {...asked} onSend={(email) => changing.mutate({ verb: 'transfer', email })} />
      )}
      {asking === 'reroll' && (
        <Reroll {...asked} onSend={(asked) => changing.mutate({ verb: 'reroll', ...asked })} />
      )}
      {/* Out of sight it stays: what was pressed takes the focus again. */}
      <div className="stack actions-list" hidden={asking !== undefined}>
        <Button variant="default" onClick={() => setAsking('edit')}>
          Edit
        </Button>
        <Button variant="default" onClick={() => setAsking('extend')}>
          Move its end
        </Button>
        <Button variant="default" onClick={() => setAsking('reroll')}>
          Give it a new key
        </Button>
        <Button variant="default" onClick={() => setAsking('transfer')}>
          Give it to another customer
        </Button>
        {status === 'suspended' ? (
          <Button
            loading={changing.isPending}
            onClick={() => changing.mutate({ verb: 'reinstate' })}
          >
            Reinstate
          </Button>
        ) : (
          <ConfirmButton
            title="Suspend this licence?"
            text="Its sites are told so at their next check. They keep their slots, and go on when you reinstate it."
            confirm="Suspend"
            isBusy={changing.isPending}
            onConfirm={() => changing.mutate({ verb: 'suspend' })}
            button={(open) => (
              <Button variant="default" onClick={open}>
                Suspend
              </Button>
            )}
          />
        )}
        <ConfirmButton
          title="Revoke this licence for good?"
          text="Its sites are told so at their next check. This cannot be undone: to stop it for a while, suspend it."
          confirm="Revoke"
          isBusy={changing.isPending}
          onConfirm={() => changing.mutate({ verb: 'revoke' })}
          button={(open) => (
            <Button variant="subtle" color="red" onClick={open}>
              Revoke for good
            </Button>
          )}
        />
      </div>
    </section>
  );
}

interface Asked<T> {
  isBusy: boolean;
  onSend: (value: T) => void;
  onCancel: () => void;
}

function MoveEnd({ end, onSend, ...asked }: Asked<string> & { end: string }) {
  const [isPerpetual, setPerpetual] = useState(end === NEVER);
  const [day, setDay] = useState(end === NEVER ? '' : end.slice(0, 10));
  return (
    <Ask
      {...asked}
      title="Move its end"
      save="Move"
      onSubmit={() => onSend(isPerpetual ? NEVER : endOf(day))}
    >
      <TextInput
        type="date"
        label="Last day"
        description="It works through this day (UTC)"
        required={!isPerpetual}
        disabled={isPerpetual}
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <Switch
        label="Without an end"
        checked={isPerpetual}
        onChange={({ currentTarget }) => setPerpetual(currentTarget.checked)}
      />
    </Ask>
  );
}

function Transfer({ onSend, ...asked }: Asked<string>) {
  const [email, setEmail] = useState('');
  return (
    <Ask
      {...asked}
      title="Give it to another customer"
      save="Give"
      onSubmit={() => onSend(email.trim())}
    >
      <TextInput
        type="email"
        label="E-mail"
        description="The key and the active sites stay, and the new customer sees the addresses of these sites. Deactivate sites first that they must not see. Rotate the key if the former customer must not use it."
        required
        autoComplete="off"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
    </Ask>
  );
}

function Reroll({ onSend, ...asked }: Asked<{ overlap_hours: number; mail: boolean }>) {
  const [hours, setHours] = useState('0');
  const [isMailed, setMailed] = useState(true);
  return (
    <Ask
      {...asked}
      title="Give it a new key"
      save="Make a new key"
      onSubmit={() => onSend({ overlap_hours: Number(hours), mail: isMailed })}
    >
      <NativeSelect
        label="The old key"
        description="The new one is shown once. Sites keep their slots and need the new key."
        value={hours}
        data={[
          { value: '0', label: 'ends at once' },
          { value: '1', label: 'works for another hour' },
          { value: '24', label: 'works for another day' },
        ]}
        onChange={({ currentTarget }) => setHours(currentTarget.value)}
      />
      <Switch
        label="Email the new key to the customer"
        checked={isMailed}
        onChange={({ currentTarget }) => setMailed(currentTarget.checked)}
      />
    </Ask>
  );
}
