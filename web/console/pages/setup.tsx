import { Alert, Button, Card, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError, createFirstAdministrator, signIn } from '../api/client.ts';
import { hasAdministratorQuery, queryClient, sessionQuery } from '../api/queries.ts';
import { isEmailAddress } from '../components/email-address.ts';
import { Logo } from '../components/logo.tsx';
import { SignInLayout } from '../components/sign-in-layout.tsx';

/** Creates the first administrator, with the token of the set-up link that the server prints. */
export function Setup() {
  const router = useRouter();
  useEffect(() => {
    document.title = 'Create the administrator · Pavis';
  }, []);
  const form = useForm({
    initialValues: { login: '', email: '', password: '' },
    validate: {
      login: (value) => (value.trim() ? null : 'Enter a login.'),
      email: isEmailAddress,
      password: (value) => ([...value].length >= 12 ? null : 'Enter at least 12 characters.'),
    },
  });
  const creating = useMutation({
    async mutationFn(user: typeof form.values) {
      // In the fragment, which is in no log and no Referer header.
      await createFirstAdministrator(window.location.hash.slice(1), user);
      queryClient.setQueryData(hasAdministratorQuery.queryKey, true);
      return signIn(user.login, user.password);
    },
    onError(error) {
      if (!(error instanceof ApiError)) return;
      const { username, ...errors } = error.params;
      form.setErrors({ ...errors, ...(username && { login: username }) });
    },
    onSuccess(session) {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      router.history.replace('/admin/');
    },
  });
  const code = creating.error instanceof ApiError ? creating.error.code : undefined;
  return (
    <SignInLayout>
      <Logo size={48} />
      <Title order={1} mt="md">
        Create the administrator
      </Title>
      <Text c="dimmed" mb="lg">
        The first user of the Pavis console. They can add more users.
      </Text>
      <Card
        component="form"
        noValidate
        onSubmit={form.onSubmit((user) => creating.mutate({ ...user, login: user.login.trim() }))}
      >
        <Stack>
          {creating.error && (
            <Alert color="red" role="alert">
              {creating.error.message}{' '}
              {code === 'administrator_exists' && <Link to="/sign-in">Sign in</Link>}
            </Alert>
          )}
          <TextInput
            label="Login"
            autoComplete="username"
            autoCapitalize="none"
            aria-required
            data-autofocus
            {...form.getInputProps('login')}
          />
          <TextInput
            label="Email"
            type="email"
            autoComplete="email"
            aria-required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            description="At least 12 characters, for example four random words"
            autoComplete="new-password"
            aria-required
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={creating.isPending}>
            Create administrator
          </Button>
        </Stack>
      </Card>
    </SignInLayout>
  );
}
