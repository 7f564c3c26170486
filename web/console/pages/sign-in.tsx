import { Alert, Button, Card, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react';
import { ApiError, type SignedIn, signIn } from '../api/client.ts';
import { hasAdministratorQuery, queryClient, sessionQuery } from '../api/queries.ts';
import { Logo } from '../components/logo.tsx';
import { SignInLayout } from '../components/sign-in-layout.tsx';
import { isOwnPath } from '../routes/own-path.ts';
import type { Step } from './sign-in-second-step.tsx';
import { signInOptionsQuery } from './single-sign-on/queries.ts';
import { ProviderError, ProviderSignIn } from './single-sign-on/single-sign-on.tsx';

// Loaded beside the page: most people sign in with a password only.
const SecondStep = lazy(async () => ({
  default: (await import('./sign-in-second-step.tsx')).SecondStep,
}));
const PasskeySignIn = lazy(async () => ({
  default: (await import('./sign-in-passkey.tsx')).PasskeySignIn,
}));

const route = getRouteApi('/sign-in');

/** Signs in and returns to the page that asked for it. */
export function SignIn() {
  const { next, error } = route.useSearch();
  const router = useRouter();
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [isIncomplete, setIsIncomplete] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Pavis';
  }, []);
  const { data: hasAdministrator } = useQuery(hasAdministratorQuery);
  const provider = useQuery(signInOptionsQuery).data?.single_sign_on;
  /** The second step, after a correct password. */
  const [step, setStep] = useState<Step>();
  const enter = (session: SignedIn) => {
    queryClient.setQueryData(sessionQuery.queryKey, session);
    router.history.push(isOwnPath(next) ? next : '/admin/');
  };
  const entering = useMutation({
    mutationFn: () => signIn(login, password),
    // Shown in the form, without a redirect to the same page.
    onError(error) {
      setPassword('');
      if (error instanceof ApiError && error.code === 'second_factor_required')
        setStep(error.data as unknown as Step);
    },
    onSuccess: enter,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsIncomplete(!(login && password));
    if (login && password) entering.mutate();
  };
  if (step) {
    const restart = () => {
      entering.reset();
      setStep(undefined);
    };
    return (
      <SignInLayout>
        <Logo size={48} />
        <Suspense>
          <SecondStep step={step} onDone={enter} onRestart={restart} />
        </Suspense>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout>
      <Logo size={48} />
      <Title order={1} mt="md">
        Sign in
      </Title>
      <Text c="dimmed" mb="lg">
        {next ? 'Sign in to continue.' : 'Sign in to the Pavis console.'}
      </Text>
      {hasAdministrator === false && <SetupHint />}
      <Card component="form" onSubmit={submit}>
        <Stack>
          {!entering.error && error && <ProviderError reason={error} />}
          {entering.error && (
            <Alert color="red" role="alert">
              {entering.error.message}
            </Alert>
          )}
          <TextInput
            label="Login"
            name="login"
            autoComplete="username webauthn"
            autoCapitalize="none"
            aria-required
            data-autofocus
            error={isIncomplete && !login && 'Enter your login.'}
            value={login}
            onChange={({ currentTarget }) => setLogin(currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            aria-required
            error={isIncomplete && !password && 'Enter your password.'}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button type="submit" loading={entering.isPending}>
            Sign in
          </Button>
          <Suspense>
            <PasskeySignIn onDone={enter} />
          </Suspense>
          {provider && <ProviderSignIn name={provider.name} next={next} />}
          <Link to="/forgot-password">Forgot your password?</Link>
        </Stack>
      </Card>
    </SignInLayout>
  );
}

function SetupHint() {
  return (
    <Card role="status" style={{ marginBottom: '1rem' }}>
      <p>
        <b>No administrator exists yet.</b>
      </p>
      <p>
        Open the set-up link that the server printed when it started. It works for 24 hours; restart
        the server to get a new one.
      </p>
      <p>Or run this command on the server:</p>
      <p className="break">
        <code>npx pavis user create LOGIN --email EMAIL --role administrator</code>
      </p>
    </Card>
  );
}
