import { Alert, Button } from '@mantine/core';
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, type SignedIn } from '../api/client.ts';
import {
  answerWithPasskey,
  describePasskeyError,
  isCancelled,
  readPasskeyOptions,
} from './passkey-prompt.ts';

/** Challenges are valid for 10 minutes: one that waits in the login field is renewed before. */
const RENEW_MS = 9 * 60_000;

/** A button to sign in with a passkey, and passkeys in the suggestions of the login field, where the browser has them. */
export function PasskeySignIn({ onDone }: { onDone: (session: SignedIn) => void }) {
  const [isAvailable, setAvailable] = useState(false);
  const [refusal, setRefusal] = useState<Error>();
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (!browserSupportsWebAuthn()) return;
    let isGone = false;
    /** @param refused why the server did not accept the passkey of the suggestion before */
    async function suggest(refused?: Error): Promise<void> {
      const options = await readPasskeyOptions();
      if (isGone || options.rpId !== location.hostname) return;
      setAvailable(true);
      setRefusal(refused);
      if (!(await browserSupportsWebAuthnAutofill()) || isGone) return;
      try {
        done.current(await answerWithPasskey(options, true));
      } catch (error) {
        if (!(error instanceof ApiError) || isGone) throw error;
        return suggest(error);
      }
    }
    const start = () =>
      suggest().catch((error: Error) => {
        // A server at an address without passkeys refuses, and a suggestion that nobody takes is cancelled.
        const isExpected = error instanceof ApiError && error.status === 409;
        if (!isGone && !isExpected && !isCancelled(error)) setRefusal(error);
      });
    start();
    const timer = setInterval(start, RENEW_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
      WebAuthnAbortService.cancelCeremony();
    };
  }, []);
  const entering = useMutation({
    mutationFn: async () => answerWithPasskey(await readPasskeyOptions()),
    onMutate: () => setRefusal(undefined),
    onSuccess: onDone,
  });
  const error = refusal ?? entering.error;
  return (
    <>
      {error && (
        <Alert color="red" role="alert">
          {describePasskeyError(error)}
        </Alert>
      )}
      {isAvailable && (
        <Button
          variant="default"
          loading={entering.isPending}
          onClick={() => entering.mutate(undefined)}
        >
          Sign in with a passkey
        </Button>
      )}
    </>
  );
}
