import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import { useState } from 'react';
import { write } from '../../../api/client.ts';
import { showFieldErrors, useChange } from '../../../components/form.tsx';
import { formatDay } from '../../../components/format.ts';
import {
  type Passkey,
  type PasskeyRegistration,
  type RecoveryCodes,
  type SecondFactor,
  STALE,
} from '../queries.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { isOnlyRequiredFactor } from './rules.ts';

type OnCodes = (codes: readonly string[]) => void;

/** The passkeys of the own account. */
export function Passkeys({
  factor,
  onCodes,
  order = 3,
}: {
  factor: SecondFactor;
  onCodes: OnCodes;
  /** Of the heading. */
  order?: 2 | 3;
}) {
  const problem =
    factor.passkey_problem ??
    (browserSupportsWebAuthn() ? undefined : 'This browser does not support passkeys.');
  return (
    <Stack gap="sm">
      <Title order={order} size="h3">
        Passkeys
      </Title>
      <Text c="dimmed">
        A passkey on your phone, computer or security key signs you in without your password, and is
        a second factor after it.
      </Text>
      {factor.passkeys.length > 0 && (
        <ul role="list" className="plain" aria-label="Passkeys">
          {factor.passkeys.map((passkey) => (
            <Line
              key={passkey.id}
              passkey={passkey}
              canRemove={!isOnlyRequiredFactor(factor)}
              onCodes={onCodes}
            />
          ))}
        </ul>
      )}
      {problem ? <Text>{problem}</Text> : <AddPasskey onCodes={onCodes} />}
    </Stack>
  );
}

/** Asks the browser for a passkey. The browser shows its own dialog. */
async function createPasskey(name: string, current_password: string): Promise<RecoveryCodes> {
  const path = '/users/me/passkeys';
  const begun = await write<PasskeyRegistration>('POST', `${path}/registration`, {
    current_password,
  });
  const optionsJSON = begun.options as PublicKeyCredentialCreationOptionsJSON;
  const { id, response } = await startRegistration({ optionsJSON }).catch((error: Error) => {
    throw error.name === 'NotAllowedError'
      ? new Error('No passkey was created. The request was cancelled or timed out.')
      : error;
  });
  const { clientDataJSON, attestationObject, transports } = response;
  return write('POST', path, {
    registration: begun.registration,
    name,
    response: { id, response: { clientDataJSON, attestationObject, transports } },
  });
}

function AddPasskey({ onCodes }: { onCodes: OnCodes }) {
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() ? null : 'Enter a name, for example Laptop.') },
  });
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        style={{ flex: '1 1 14rem' }}
        label="Name of the passkey"
        placeholder="Laptop"
        maxLength={100}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <PasswordDialog
        title="Add a passkey"
        text="Your browser then asks where to save the passkey."
        confirm="Continue"
        stale={STALE}
        done="The passkey was added."
        send={(password) => createPasskey(form.values.name, password)}
        onDone={({ recovery_codes }) => {
          form.reset();
          if (recovery_codes.length > 0) onCodes(recovery_codes);
        }}
        button={(open) => (
          <Button variant="default" onClick={() => !form.validate().hasErrors && open()}>
            Add passkey
          </Button>
        )}
      />
    </Group>
  );
}

function Line({
  passkey,
  canRemove,
  onCodes,
}: {
  passkey: Passkey;
  canRemove: boolean;
  onCodes: OnCodes;
}) {
  const { id, name, created, last_used } = passkey;
  const [isRenaming, setRenaming] = useState(false);
  return (
    <Stack component="li" gap="xs" py="xs">
      <Group justify="space-between">
        <div>
          <Text fw={600} className="break">
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            Added {formatDay(created)} ·{' '}
            {last_used ? `last used ${formatDay(last_used)}` : 'never used'}
          </Text>
        </div>
        <Group gap="xs">
          <Button
            variant="subtle"
            aria-label={`Rename ${name}`}
            aria-expanded={isRenaming}
            onClick={() => setRenaming(!isRenaming)}
          >
            Rename
          </Button>
          {canRemove && (
            <PasswordDialog
              title={`Remove “${name}”?`}
              text="It no longer signs you in. Delete it on your device as well."
              confirm="Remove"
              stale={STALE}
              done={`“${name}” was removed.`}
              send={(current_password) =>
                write<SecondFactor>('POST', `/users/me/passkeys/${id}/remove`, { current_password })
              }
              onDone={({ recovery_codes }) => recovery_codes === 0 && onCodes([])}
              button={(open) => (
                <Button variant="subtle" color="red" aria-label={`Remove ${name}`} onClick={open}>
                  Remove
                </Button>
              )}
            />
          )}
        </Group>
      </Group>
      {isRenaming && <Rename passkey={passkey} onDone={() => setRenaming(false)} />}
    </Stack>
  );
}

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const form = useForm({
    initialValues: { name: passkey.name },
    validate: { name: (value) => (value.trim() ? null : 'Enter a name, for example Laptop.') },
  });
  const renaming = useChange({
    change: (fields: { name: string }) => write('PUT', `/users/me/passkeys/${passkey.id}`, fields),
    stale: STALE,
    done: 'The passkey was renamed.',
    onDone,
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((fields) => renaming.mutate(fields))}>
      <Group gap="sm" align="flex-end">
        <TextInput
          style={{ flex: '1 1 14rem' }}
          label="New name"
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Button type="submit" variant="default" loading={renaming.isPending}>
          Save name
        </Button>
      </Group>
    </form>
  );
}
