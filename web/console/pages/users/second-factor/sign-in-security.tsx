import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { write } from '../../../api/client.ts';
import { Section } from '../../../components/section.tsx';
import { QueryResult } from '../../../components/states.tsx';
import { type RecoveryCodes, STALE, secondFactorQuery } from '../queries.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { isOnlyRequiredFactor } from './rules.ts';

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
              {isOnlyRequiredFactor(data) && (
                <Text>
                  Your role requires a second factor. To remove the one that you have, add another
                  one first.
                </Text>
              )}
              {codes.length > 0 && <NewRecoveryCodes codes={codes} onSaved={() => setCodes([])} />}
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
