import { Alert, Button, Card, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, write } from '../../api/client.ts';
import { Logo } from '../../components/logo.tsx';
import { SignInLayout } from '../../components/sign-in-layout.tsx';

/** Where the emailed link leads. Opening it has no effect: mail scanners open links too. */
export function ResetPassword() {
  useEffect(() => {
    document.title = 'Choose a new password · Pavis';
  }, []);
  const [password, setPassword] = useState('');
  const [isTooShort, setIsTooShort] = useState(false);
  const resetting = useMutation({
    // In the fragment, which is in no log and no Referer header.
    mutationFn: () =>
      write('PUT', '/console/password-reset', {
        token: window.location.hash.slice(1) || '-',
        password,
      }),
  });
  const isShort = [...password].length < 8;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTooShort(isShort);
    if (!isShort) resetting.mutate();
  };
  const { error } = resetting;
  const fieldError = error instanceof ApiError ? error.params.password : undefined;
  const isInvalidLink = error instanceof ApiError && error.code === 'invalid_reset_link';
  return (
    <SignInLayout>
      <Logo size={48} />
      <Title order={1} mt="md" mb="lg">
        Choose a new password
      </Title>
      {resetting.isSuccess ? (
        <Card role="status">
          <p>
            <b>Your password was changed.</b> You are signed out everywhere. Application passwords
            and passkeys stay valid.
          </p>
          <Link to="/sign-in">Sign in</Link>
        </Card>
      ) : (
        <Card component="form" onSubmit={submit}>
          <Stack>
            {error && !fieldError && (
              <Alert color="red" role="alert">
                {error.message}{' '}
                {isInvalidLink && <Link to="/forgot-password">Request a new link</Link>}
              </Alert>
            )}
            <PasswordInput
              label="New password"
              description="At least 8 characters, 12 for administrators, for example four random words"
              name="password"
              autoComplete="new-password"
              aria-required
              data-autofocus
              value={password}
              error={isTooShort && isShort ? 'Enter at least 8 characters.' : fieldError}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <Text size="sm" c="dimmed">
              Saving ends all your sessions.
            </Text>
            <Button type="submit" loading={resetting.isPending}>
              Save the new password
            </Button>
          </Stack>
        </Card>
      )}
    </SignInLayout>
  );
}
