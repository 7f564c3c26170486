import {
  Alert,
  Button,
  Card,
  NativeSelect,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { useChange } from '../../components/form.tsx';
import { formatCount } from '../../components/format.ts';
import { ConfirmWithReasonButton } from '../../components/reason.tsx';
import { REQUIRED, useMissing } from '../../components/required.ts';
import { Section } from '../../components/section.tsx';
import { useKeptInput, useTypedText } from '../../components/typed-text.ts';
import { ActionForm } from './action-form.tsx';
import { EditLicence } from './edit.tsx';
import {
  ADMIN_PATH,
  type KeyShown,
  type LicenceDetail,
  NEVER,
  STALE,
  type TaggedLicence,
  toEndOfDay,
} from './queries.ts';

const REASON_MAX_LENGTH = 5_000;

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
      write<LicenceDetail & Partial<KeyShown>>('POST', `${ADMIN_PATH}/${licence.id}/${verb}`, body),
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
      <Card component="section">
        <Title order={2}>Revoked</Title>
        <Text>
          This licence is revoked permanently. Issue a new licence if the customer needs one.
        </Text>
        {licence.renews && (
          <Alert color="yellow" mt="sm" title="A subscription still pays for it">
            Cancel the subscription in Stripe, and refund what was paid since.
          </Alert>
        )}
      </Card>
    );
  }
  const asked = { isBusy: changing.isPending, onCancel: close };
  return (
    <Section title="Actions">
      {asking === 'edit' && <EditLicence licence={licence} onClose={close} />}
      {asking === 'extend' && (
        <MoveEnd
          {...asked}
          end={licence.paid_until}
          graceDays={licence.grace_days}
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
      <Stack gap="sm" hidden={asking !== undefined}>
        <Button variant="default" onClick={() => setAsking('edit')}>
          Edit
        </Button>
        <Button variant="default" onClick={() => setAsking('extend')}>
          Change expiry
        </Button>
        <Button variant="default" onClick={() => setAsking('reroll')}>
          Rotate key
        </Button>
        <Button variant="default" onClick={() => setAsking('transfer')}>
          Transfer
        </Button>
        {status === 'suspended' ? (
          <Button
            loading={changing.isPending}
            onClick={() => changing.mutate({ verb: 'reinstate' })}
          >
            Reinstate
          </Button>
        ) : (
          <ConfirmWithReasonButton
            field="suspend"
            title="Suspend this licence?"
            text="Sites stop validating with their next check. Their activations are kept until you reinstate the licence."
            label="Reason"
            isOptional
            maxLength={REASON_MAX_LENGTH}
            confirm="Suspend"
            isBusy={changing.isPending}
            onConfirm={(reason, then) => changing.mutate({ verb: 'suspend', reason }, then)}
            button={(open) => (
              <Button variant="default" onClick={open}>
                Suspend
              </Button>
            )}
          />
        )}
        <ConfirmWithReasonButton
          field="revoke"
          title="Revoke this licence permanently?"
          text={`Sites stop validating with their next check. This cannot be undone. To stop it temporarily, suspend it.${licence.renews ? ' The customer goes on paying: cancel the subscription in Stripe as well.' : ''}`}
          label="Reason"
          isOptional
          maxLength={REASON_MAX_LENGTH}
          confirm="Revoke"
          isBusy={changing.isPending}
          onConfirm={(reason, then) => changing.mutate({ verb: 'revoke', reason }, then)}
          button={(open) => (
            <Button variant="subtle" color="red" onClick={open}>
              Revoke permanently
            </Button>
          )}
        />
      </Stack>
    </Section>
  );
}

interface Asked<T> {
  isBusy: boolean;
  onSend: (value: T) => void;
  onCancel: () => void;
}

const isChanged = (input: object, initial: object): boolean =>
  JSON.stringify(input) !== JSON.stringify(initial);

function MoveEnd({
  end,
  graceDays,
  onSend,
  ...asked
}: Asked<string> & { end: string; graceDays: number }) {
  // Of when the form was opened: the licence can be fetched again meanwhile.
  const [initial] = useState(() => ({
    isPerpetual: end === NEVER,
    day: end === NEVER ? '' : end.slice(0, 10),
  }));
  const [{ isPerpetual, day }, setInput] = useKeptInput('extend', initial, (input) =>
    isChanged(input, initial),
  );
  const missing = useMissing();
  return (
    <ActionForm
      {...asked}
      title="Change expiry"
      save="Save expiry"
      onSubmit={() => {
        if (isPerpetual) onSend(NEVER);
        else if (!missing.isMissing(day)) onSend(toEndOfDay(day));
      }}
    >
      <TextInput
        type="date"
        label="Paid until"
        description={`Until the end of this day (UTC)${graceDays > 0 ? `, then a grace period of ${formatCount(graceDays, 'day')}` : ''}`}
        {...(!isPerpetual && REQUIRED)}
        error={!isPerpetual && missing.getError(day, 'Enter a day.')}
        disabled={isPerpetual}
        value={day}
        onChange={({ currentTarget }) => setInput({ isPerpetual, day: currentTarget.value })}
      />
      <Switch
        label="No expiry"
        checked={isPerpetual}
        onChange={({ currentTarget }) => setInput({ isPerpetual: currentTarget.checked, day })}
      />
    </ActionForm>
  );
}

function Transfer({ onSend, ...asked }: Asked<string>) {
  const [email, setEmail] = useTypedText('transfer');
  const missing = useMissing();
  return (
    <ActionForm
      {...asked}
      title="Transfer to another customer"
      save="Transfer licence"
      onSubmit={() => {
        if (!missing.isMissing(email)) onSend(email.trim());
      }}
    >
      <TextInput
        type="email"
        label="Email"
        description="The key and the active sites stay, and the new customer sees the addresses of these sites. Deactivate sites first that they must not see. Rotate the key if the former customer must not use it."
        {...REQUIRED}
        error={missing.getError(email, 'Enter an email address.')}
        autoComplete="off"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
    </ActionForm>
  );
}

function Reroll({ onSend, ...asked }: Asked<{ overlap_hours: number; mail: boolean }>) {
  const initial = { hours: '0', isMailed: true };
  const [{ hours, isMailed }, setInput] = useKeptInput('reroll', initial, (input) =>
    isChanged(input, initial),
  );
  return (
    <ActionForm
      {...asked}
      title="Rotate key"
      save="Generate new key"
      onSubmit={() => onSend({ overlap_hours: Number(hours), mail: isMailed })}
    >
      <NativeSelect
        label="Current key"
        description="The new key is shown once. Sites keep their activations and need the new key. Keys of earlier rotations stop no later than the current one."
        value={hours}
        data={[
          { value: '0', label: 'Stops working now' },
          { value: '1', label: 'Works for one more hour' },
          { value: '24', label: 'Works for one more day' },
          { value: '168', label: 'Works for seven more days' },
        ]}
        onChange={({ currentTarget }) => setInput({ hours: currentTarget.value, isMailed })}
      />
      <Switch
        label="Email the new key to the customer"
        checked={isMailed}
        onChange={({ currentTarget }) => setInput({ hours, isMailed: currentTarget.checked })}
      />
    </ActionForm>
  );
}
