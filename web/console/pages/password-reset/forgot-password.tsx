import { Alert, Button, Card, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { write } from '../../api/client.ts';
import { Logo } from '../../components/logo.tsx';
import { useMissing } from '../../components/required.ts';
import { SignInLayout } from '../../components/sign-in-layout.tsx';
import { QueryResult } from '../../components/states.tsx';
import { signInOptionsQuery } from '../single-sign-on/queries.ts';

/** Requests a link by email, or says what to do where no email is sent. */
export function ForgotPassword() {
  useEffect(() => {
    document.title = 'Reset your password · Pavis';
  }, []);
  const options = useQuery(signInOptionsQuery);
  return (
    <SignInLayout>
      <Logo size={48} />
      <Title order={1} mt="md" mb="lg">
        Reset your password
      </Title>
      <QueryResult query={options} lines={3}>
        {({ password_reset: isOffered }) => (isOffered ? <RequestLink /> : <WithoutEmail />)}
      </QueryResult>
      <Text mt="md">
        <Link to="/sign-in">Back to sign-in</Link>
      </Text>
    </SignInLayout>
  );
}

function RequestLink() {
  const [login, setLogin] = useState('');
  const missing = useMissing();
  const requesting = useMutation({
    mutationFn: () => write('POST', '/console/password-reset', { login }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing.isMissing(login)) return;
    requesting.mutate();
  };
  if (requesting.isSuccess)
    return (
      <Card role="status">
        <p>
          <b>Check your email.</b>
        </p>
        <p>
          If there is an account with this login or email address, it gets an email with a link to
          choose a new password. The link works for 1 hour.
        </p>
        <p>
          An account gets no further email while five links still work. If none arrives, look in
          your spam folder or ask an administrator to reset your password under Users.
        </p>
      </Card>
    );
  return (
    <Card component="form" onSubmit={submit}>
      <Stack>
        {requesting.error && (
          <Alert color="red" role="alert">
            {requesting.error.message}
          </Alert>
        )}
        <TextInput
          label="Login or email address"
          name="login"
          autoComplete="username"
          autoCapitalize="none"
          aria-required
          data-autofocus
          maxLength={254}
          error={missing.getError(login, 'Enter your login or email address.')}
          value={login}
          onChange={({ currentTarget }) => setLogin(currentTarget.value)}
        />
        <Button type="submit" loading={requesting.isPending}>
          Email me a link
        </Button>
      </Stack>
    </Card>
  );
}

function WithoutEmail() {
  return (
    <Card>
      <p>This server sends no email, so it cannot send you a link.</p>
      <p>
        Ask an administrator to reset your password under Users. Administrators can run this command
        on the server:
      </p>
      <p className="break">
        <code>npx pavis user reset-password LOGIN</code>
      </p>
    </Card>
  );
}
