import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser';
import { completeSignIn, type SignedIn, write } from '../api/client.ts';

/** @throws ApiError 409 if the server has an address at which browsers allow no passkeys */
export const readPasskeyOptions = (): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  write('POST', '/console/session/passkey/options');

/**
 * Asks for a passkey and signs in with it.
 * @param isSuggestion waits until the user chooses one from the suggestions of the login field
 */
export async function answerWithPasskey(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  isSuggestion = false,
): Promise<SignedIn> {
  const { id, response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isSuggestion,
  });
  return completeSignIn('passkey', { id, response });
}

/** Browsers do not say whether the user cancelled or has no passkey. */
export const isCancelled = ({ name }: Error): boolean =>
  name === 'NotAllowedError' || name === 'AbortError';

/** An error message for a failed passkey. */
export const describePasskeyError = (error: Error): string =>
  isCancelled(error)
    ? 'No passkey was used. The request was cancelled, timed out, or this device has no passkey for this site.'
    : error.message;
