import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import { findPendingAccount } from '../pending-sign-in.ts';
import type { SignInScope } from '../second-factor/scope.ts';
import { completeSignIn, type SignedIn } from '../sign-in.ts';
import { findAccount } from '../store.ts';
import { CHALLENGE_SECONDS, createChallenge, openChallenge, useUpChallenge } from './challenge.ts';
import { loadWebAuthn } from './load-webauthn.ts';
import { requireRelyingParty } from './relying-party.ts';
import { findPasskey, listPasskeys, type Passkey, recordUse } from './store.ts';
import { getUserHandle } from './user-handle.ts';

const PURPOSE = 'passkey sign-in';

/** Holds a challenge that a browser answers with a passkey, one for each attempt. */
export const CHALLENGE_COOKIE = { name: 'pavis_challenge', maxAge: CHALLENGE_SECONDS };

/** What the browser answers, as far as it is needed. */
export interface AssertionResponse {
  id: string;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string;
  };
}

/**
 * Begins a sign-in with a passkey.
 * @param pendingToken after the password was entered: only passkeys of that user are offered
 * @returns options for `navigator.credentials.get`, and the challenge with the value of its `CHALLENGE_COOKIE`
 * @throws DomainError `passkeys_unavailable`
 */
export async function beginPasskeySignIn(
  { platform, passkeyOrigin }: SignInScope,
  pendingToken: string | undefined,
): Promise<{ challenge: string; token: string; options: PublicKeyCredentialRequestOptionsJSON }> {
  const { id: rpID } = requireRelyingParty(passkeyOrigin());
  const pending = await findPendingAccount(platform, pendingToken);
  const passkeys = pending ? await listPasskeys(platform.datastore.db, pending.user.id) : [];
  const { challenge, token } = createChallenge(platform, PURPOSE);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
  });
  return { challenge, token, options };
}

/** The challenge that an answer says it is for; undefined if it says none. */
export function readChallenge({ response }: AssertionResponse): unknown {
  try {
    return JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())?.challenge;
  } catch {
    return undefined;
  }
}

type PasskeySignInResult =
  | SignedIn
  /** The challenge: begin again. */
  | { outcome: 'expired' }
  | { outcome: 'wrong' };

/** Ends the transaction, so that a passkey that is refused opens no session. */
class RefusedError extends Error {}

/**
 * Signs in with a passkey, which stands for the password as well: the authenticator has verified the user. Failed attempts
 * do not lock accounts, since signatures cannot be guessed, and lockouts do not apply.
 */
export async function signInWithPasskey(
  scope: SignInScope,
  {
    token,
    answer,
    deviceToken,
  }: {
    /** The cookie. */
    token: string | undefined;
    answer: AssertionResponse;
    /** The cookie from an earlier sign-in with this browser. */
    deviceToken: string | undefined;
  },
): Promise<PasskeySignInResult> {
  const { platform } = scope;
  const challenge = openChallenge(platform, PURPOSE, token);
  if (!challenge) return { outcome: 'expired' };
  const passkey = await findPasskey(platform.datastore.db, answer.id);
  const account = passkey && (await findAccount(platform.datastore.db, passkey.userId));
  const refuse = (): { outcome: 'wrong' } => {
    platform.securityLog.record({
      event: 'sign_in_failed',
      user: account?.user ?? null,
      details: { reason: 'wrong_passkey' },
    });
    return { outcome: 'wrong' };
  };
  const counter = passkey && (await verify(scope, challenge.challenge, passkey, answer));
  if (!account || counter === undefined) return refuse();
  const by = { deviceToken, factor: () => 'passkey' as const, method: 'passkey' as const };
  try {
    return await completeSignIn(platform, account, by, async (trx) => {
      const isNew = await useUpChallenge(platform, trx, challenge);
      const use = { counter, at: platform.clock.now() };
      if (!isNew || !(await recordUse(trx, passkey.id, use))) throw new RefusedError();
    });
  } catch (error) {
    if (error instanceof RefusedError) return refuse();
    throw error;
  }
}

/** @returns the counter of the authenticator; undefined if the answer is wrong */
async function verify(
  { platform, passkeyOrigin }: SignInScope,
  expectedChallenge: string,
  { userId, credentialId, publicKey, transports }: Passkey,
  { id, response }: AssertionResponse,
): Promise<number | undefined> {
  const handle = getUserHandle(platform, userId).toString('base64url');
  const given = response.userHandle;
  if (given !== undefined && !equalInConstantTime(given, handle)) return undefined;
  const { id: expectedRPID, origin } = requireRelyingParty(passkeyOrigin());
  const answer = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const verified = await verifyAuthenticationResponse({
    response: { ...answer, response },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID,
    requireUserVerification: true,
    credential: {
      id: credentialId,
      publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
      // Compared when the use is saved, also with uses on other nodes.
      counter: 0,
      transports,
    },
  }).catch(() => undefined);
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
}
