import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { renderSVG } from 'uqr';
import { write } from '../../../api/client.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { showFieldErrors, useChange } from '../../../components/form.tsx';
import { type AuthenticatorAppSetup, type RecoveryCodes, STALE } from '../queries.ts';

/** The QR code and the secret for an authenticator app, and the first code of it. */
export function AppSetup({
  setup: { setup, secret, uri },
  done,
  onDone,
  onCancel,
}: {
  setup: AuthenticatorAppSetup;
  done: string;
  /** Gets recovery codes, or none if earlier ones stay valid. */
  onDone: (codes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const form = useForm({
    initialValues: { code: '' },
    validate: {
      code: (value) =>
        /^\s*\d{3}\s*\d{3}\s*$/.test(value) ? null : 'Enter the 6 digits that the app shows.',
    },
  });
  const confirming = useChange({
    change: ({ code }: { code: string }) =>
      write<RecoveryCodes>('POST', '/users/me/authenticator-app', { setup, code }),
    stale: STALE,
    done,
    onDone: ({ recovery_codes }) => onDone(recovery_codes),
    onFailed: (error) => showFieldErrors(form, error),
  });
  return (
    <Stack ref={place} tabIndex={-1} role="group" aria-label="Set up the authenticator app">
      <Text>1. Scan the QR code with your authenticator app, or enter the secret there.</Text>
      <img
        width={200}
        height={200}
        alt="QR code for the authenticator app. The secret below is the same."
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 4 }))}`}
      />
      <CopyField label="Secret" value={secret} />
      <form noValidate onSubmit={form.onSubmit((fields) => confirming.mutate(fields))}>
        <Stack>
          <TextInput
            label="2. Enter the code that the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            maw="20rem"
            {...form.getInputProps('code')}
          />
          <Group gap="sm">
            <Button type="submit" loading={confirming.isPending}>
              Confirm the code
            </Button>
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
