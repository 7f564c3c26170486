import { Alert, Button, Card, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, completeSignIn, type SignedIn } from '../api/client.ts';
import { answerWithPasskey, describePasskeyError, readPasskeyOptions } from './passkey-prompt.ts';

interface Method {
  /** The label of the button for this method. */
  choose: string;
  lead: string;
  label?: string;
}

const METHODS: Record<string, Method> = {
  authenticator_app: {
    choose: 'Use the authenticator app',
    lead: 'Enter the 6 digits that your authenticator app shows.',
    label: 'Code',
  },
  passkey: { choose: 'Use a passkey', lead: 'Confirm with one of your passkeys.' },
  recovery_code: {
    choose: 'Use a recovery code',
    lead: 'Enter one of your recovery codes. Each works once.',
    label: 'Recovery code',
  },
};

/** What the server asks for after the right password. */
export interface Step {
  /** The methods that the user has set up. */
  methods: readonly string[];
  /** Undefined from a node of an earlier version. */
  login?: string;
}

/** The second factor, after the right password. */
export function SecondStep({
  step: { methods, login },
  onDone,
  onRestart,
}: {
  step: Step;
  onDone: (session: SignedIn) => void;
  /** Returns to the password. */
  onRestart: () => void;
}) {
  const [method = 'authenticator_app', setMethod] = useState(methods[0]);
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const confirming = useMutation({
    mutationFn: async () =>
      method === 'passkey'
        ? answerWithPasskey(await readPasskeyOptions())
        : completeSignIn('second-factor', { code, login }),
    onSuccess: onDone,
    onError() {
      setCode('');
      field.current?.focus();
    },
  });
  // The field of each chosen method gets the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the method decides which field there is
  useEffect(() => {
    field.current?.focus();
  }, [method]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(!code.trim());
    if (!label || code.trim()) confirming.mutate();
  };
  const { lead, label } = METHODS[method] as Method;
  const isExpired =
    confirming.error instanceof ApiError && confirming.error.code === 'sign_in_expired';
  return (
    <>
      <Title order={1} mt="md">
        Confirm that it is you
      </Title>
      <Text c="dimmed" mb="lg">
        {lead}
      </Text>
      <Card component="form" onSubmit={submit}>
        <Stack>
          {confirming.error && (
            <Alert color="red" role="alert">
              {describePasskeyError(confirming.error)}
            </Alert>
          )}
          {label && (
            <TextInput
              ref={field}
              label={label}
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              inputMode={method === 'authenticator_app' ? 'numeric' : 'text'}
              aria-required
              maxLength={40}
              error={isMissing && !code && 'Enter the code.'}
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
            />
          )}
          {isExpired ? (
            <Button onClick={onRestart}>Enter the password again</Button>
          ) : (
            <Button type="submit" loading={confirming.isPending}>
              {label ? 'Confirm' : 'Use a passkey'}
            </Button>
          )}
          {methods
            .filter((each) => each !== method)
            .map((each) => (
              <Button
                key={each}
                variant="default"
                onClick={() => {
                  confirming.reset();
                  setIsMissing(false);
                  setMethod(each);
                }}
              >
                {METHODS[each]?.choose}
              </Button>
            ))}
          {!isExpired && (
            <Button variant="subtle" onClick={onRestart}>
              Back to the password
            </Button>
          )}
        </Stack>
      </Card>
    </>
  );
}
