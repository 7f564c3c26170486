import { Alert, Button } from '@mantine/core';
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SignedIn } from '../api/client.ts';
import { answerWithPasskey, describePasskeyError, readPasskeyOptions } from './passkey-prompt.ts';

/** Challenges are valid for 10 minutes: one that waits in the login field is renewed before. */
const RENEW_MS = 9 * 60_000;

/** A button to sign in with a passkey, and passkeys in the suggestions of the login field, where the browser has them. */
export function PasskeySignIn({ onDone }: { onDone: (session: SignedIn) => void }) {
  const [isAvailable, setAvailable] = useState(false);
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (!browserSupportsWebAuthn()) return;
    let isGone = false;
    async function suggest(): Promise<void> {
      const options = await readPasskeyOptions();
      if (isGone || options.rpId !== location.hostname) return;
      setAvailable(true);
      if (!(await browserSupportsWebAuthnAutofill()) || isGone) return;
      done.current(await answerWithPasskey(options, true));
    }
    // A server at an address without passkeys refuses, and a suggestion that nobody takes is cancelled.
    const start = () => suggest().catch(() => {});
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
    onSuccess: onDone,
  });
  if (!isAvailable) return null;
  return (
    <>
      {entering.error && (
        <Alert color="red" role="alert">
          {describePasskeyError(entering.error)}
        </Alert>
      )}
      <Button
        variant="default"
        loading={entering.isPending}
        onClick={() => entering.mutate(undefined)}
      >
        Sign in with a passkey
      </Button>
    </>
  );
}
