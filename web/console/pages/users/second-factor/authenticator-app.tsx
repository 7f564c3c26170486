import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { write } from '../../../api/client.ts';
import { formatDay } from '../../../components/format.ts';
import { type AuthenticatorAppSetup, type SecondFactor, STALE } from '../queries.ts';
import { AppSetup } from './app-setup.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { isOnlyRequiredFactor } from './rules.ts';

/** The authenticator app of the own account. */
export function AuthenticatorApp({
  factor,
  onCodes,
  order = 3,
}: {
  factor: SecondFactor;
  /** Gets new recovery codes. */
  onCodes: (codes: readonly string[]) => void;
  /** Of the heading. */
  order?: 2 | 3;
}) {
  const [setup, setSetup] = useState<AuthenticatorAppSetup>();
  const since = factor.authenticator_app;
  return (
    <Stack gap="sm">
      <Title order={order} size="h3">
        Authenticator app
      </Title>
      <Text c="dimmed">
        {since
          ? `Added ${formatDay(since)}. The app shows a new code every 30 seconds.`
          : 'An app on your phone that shows a new code every 30 seconds.'}
      </Text>
      {setup ? (
        <AppSetup
          setup={setup}
          done={`The authenticator app was ${since ? 'replaced' : 'added'}.`}
          onCancel={() => setSetup(undefined)}
          onDone={(codes) => {
            setSetup(undefined);
            if (codes.length > 0) onCodes(codes);
          }}
        />
      ) : (
        <Group gap="sm">
          <PasswordDialog
            title={since ? 'Replace the authenticator app?' : 'Add an authenticator app'}
            text={
              since
                ? 'Codes of the earlier app are no longer accepted once the new one is set up.'
                : 'Confirm that it is you.'
            }
            confirm="Continue"
            stale={[]}
            send={(current_password) =>
              write<AuthenticatorAppSetup>('POST', '/users/me/authenticator-app/setup', {
                current_password,
              })
            }
            onDone={setSetup}
            button={(open) => (
              <Button variant="default" onClick={open}>
                {since ? 'Replace authenticator app' : 'Add authenticator app'}
              </Button>
            )}
          />
          {since && !isOnlyRequiredFactor(factor) && (
            <PasswordDialog
              title="Remove the authenticator app?"
              text={
                factor.passkeys.length > 0
                  ? 'Your passkeys stay your second factor.'
                  : 'Your password alone is then enough to sign in. Your recovery codes are deleted.'
              }
              confirm="Remove"
              stale={STALE}
              done="The authenticator app was removed."
              send={(current_password) =>
                write<SecondFactor>('POST', '/users/me/authenticator-app/remove', {
                  current_password,
                })
              }
              onDone={({ recovery_codes }) => recovery_codes === 0 && onCodes([])}
              button={(open) => (
                <Button variant="subtle" color="red" onClick={open}>
                  Remove authenticator app
                </Button>
              )}
            />
          )}
        </Group>
      )}
    </Stack>
  );
}
