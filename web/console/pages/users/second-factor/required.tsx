import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { signOut } from '../../../api/client.ts';
import { isSessionExpired, queryClient, sessionQuery } from '../../../api/queries.ts';
import { Logo } from '../../../components/logo.tsx';
import { notifyError } from '../../../components/notify.ts';
import { SignInLayout } from '../../../components/sign-in-layout.tsx';
import { QueryResult } from '../../../components/states.tsx';
import { isOwnPath } from '../../../routes/own-path.ts';
import { secondFactorQuery } from '../queries.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';
import { Passkeys } from './passkeys.tsx';

const route = getRouteApi('/second-factor');

/** For people whose role requires a second factor: they set one up before they can go on. */
export function RequiredSecondFactor() {
  const { next }: { next?: string } = route.useSearch();
  const router = useRouter();
  const factor = useQuery(secondFactorQuery('me'));
  const [codes, setCodes] = useState<readonly string[]>([]);
  useEffect(() => {
    document.title = 'Set up a second factor · Pavis';
  }, []);
  const goOn = async () => {
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    router.history.push(isOwnPath(next) ? next : '/admin/');
  };
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      // A session that has already ended needs no sign-out.
      if (!isSessionExpired(error)) return notifyError(error);
    }
    queryClient.clear();
    await router.navigate({ to: '/sign-in', search: {} });
  };
  return (
    <SignInLayout>
      <Logo size={48} />
      <Title order={1} mt="md">
        Set up a second factor
      </Title>
      <Text c="dimmed" mb="lg">
        Your role requires one to sign in with your password. Add an authenticator app or a passkey
        to go on.
      </Text>
      {codes.length > 0 ? (
        <NewRecoveryCodes codes={codes} onSaved={goOn} />
      ) : (
        <Card>
          <QueryResult query={factor} lines={4}>
            {(data) => (
              <Stack gap="lg">
                <AuthenticatorApp factor={data} onCodes={setCodes} order={2} />
                <Passkeys factor={data} onCodes={setCodes} order={2} />
              </Stack>
            )}
          </QueryResult>
        </Card>
      )}
      <Group mt="md" gap="xs">
        <Button variant="subtle" onClick={leave}>
          Sign out
        </Button>
        {/* The server finds the guide to the page. */}
        <Button
          component="a"
          variant="subtle"
          href="/docs/console/second-factor"
          target="_blank"
          aria-label="Help for this page (new tab)"
        >
          Help
        </Button>
      </Group>
    </SignInLayout>
  );
}
