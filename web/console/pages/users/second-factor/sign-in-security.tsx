import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { write } from '../../../api/client.ts';
import { formatDay } from '../../../components/format.ts';
import { Secret } from '../../../components/secret.tsx';
import { Section } from '../../../components/section.tsx';
import { QueryResult } from '../../../components/states.tsx';
import {
  type AuthenticatorAppSetup,
  type RecoveryCodes,
  type SecondFactor,
  STALE,
  secondFactorQuery,
} from '../queries.ts';
import { AppSetup } from './app-setup.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordDialog } from './password-dialog.tsx';

/** The own second factor: authenticator app, passkeys and recovery codes. */
export function SignInSecurity() {
  const factor = useQuery(secondFactorQuery('me'));
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Section title="Sign-in security">
      <QueryResult query={factor} lines={4}>
        {(data) => {
          const hasFactor = data.authenticator_app !== null || data.passkeys.length > 0;
          return (
            <Stack gap="lg">
              <Text>
                {hasFactor
                  ? 'Signing in with your password also needs a second factor.'
                  : 'Only your password protects this account. Add an authenticator app or a passkey as a second factor.'}
              </Text>
              {codes.length > 0 && (
                <Secret label="Recovery codes" value={codes.join('\n')}>
                  <Text>
                    Each code signs you in once if you have neither your app nor a passkey. Keep
                    them where you keep important papers, not on the same phone.
                  </Text>
                  <div>
                    <Button variant="default" onClick={() => setCodes([])}>
                      I have saved them
                    </Button>
                  </div>
                </Secret>
              )}
              <AuthenticatorApp factor={data} onCodes={setCodes} />
              <Passkeys factor={data} onCodes={setCodes} />
              {hasFactor && <Recovery left={data.recovery_codes} onCodes={setCodes} />}
            </Stack>
          );
        }}
      </QueryResult>
    </Section>
  );
}

type OnCodes = (codes: readonly string[]) => void;

function AuthenticatorApp({ factor, onCodes }: { factor: SecondFactor; onCodes: OnCodes }) {
  const [setup, setSetup] = useState<AuthenticatorAppSetup>();
  const since = factor.authenticator_app;
  return (
    <Stack gap="sm">
      <Title order={3}>Authenticator app</Title>
      <Text c="dimmed">
        {since
          ? `Added ${formatDay(since)}. The app shows a new code every 30 seconds.`
          : 'An app on your phone that shows a new code every 30 seconds.'}
      </Text>
      {setup ? (
        <AppSetup
          setup={setup}
          onCancel={() => setSetup(undefined)}
          onDone={(codes) => {
            setSetup(undefined);
            onCodes(codes);
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
          {since && (
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
                write('POST', '/users/me/authenticator-app/remove', { current_password })
              }
              onDone={() => onCodes([])}
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

function Recovery({ left, onCodes }: { left: number; onCodes: OnCodes }) {
  return (
    <Stack gap="sm">
      <Title order={3}>Recovery codes</Title>
      <Text c="dimmed">{left} of 10 left. Each works once.</Text>
      <div>
        <PasswordDialog
          title="Create new recovery codes?"
          text="Your earlier recovery codes no longer work."
          confirm="Create"
          stale={STALE}
          send={(current_password) =>
            write<RecoveryCodes>('POST', '/users/me/recovery-codes', { current_password })
          }
          onDone={({ recovery_codes }) => onCodes(recovery_codes)}
          button={(open) => (
            <Button variant="default" onClick={open}>
              Create new recovery codes
            </Button>
          )}
        />
      </div>
    </Stack>
  );
}
