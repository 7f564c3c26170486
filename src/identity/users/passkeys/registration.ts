import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { getAccount, getUser } from '../accounts.ts';
import { parseName } from '../rules.ts';
import { changeSecondFactor } from '../second-factor/changes.ts';
import type { SignInScope } from '../second-factor/scope.ts';
import {
  createRecoveryCodes,
  finishRemoval,
  hasSecondFactor,
  readSecondFactor,
} from '../second-factor/service.ts';
import { createChallenge, openChallenge, useUpChallenge } from './challenge.ts';
import { loadWebAuthn } from './load-webauthn.ts';
import { requireRelyingParty } from './relying-party.ts';
import { deletePasskey, insertPasskey, listPasskeys, renamePasskey } from './store.ts';
import { getUserHandle } from './user-handle.ts';

const PURPOSE = 'passkey registration';
const PASSKEYS_MAX = 20;
export const TOO_MANY_PASSKEYS = {
  too_many_passkeys: `You have ${PASSKEYS_MAX} passkeys. Remove one first.`,
} as const;
/** EdDSA, ES256 and RS256 (COSE): every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];

/** What the browser answers, as far as it is needed. */
export interface RegistrationResponse {
  id: string;
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

/**
 * Begins to add a passkey. Nothing is stored.
 * @returns options for `navigator.credentials.create`, and a token that must come back with its result
 * @throws DomainError `passkeys_unavailable`; `too_many_passkeys` for more than 20
 */
export async function beginPasskey(
  { platform, passkeyOrigin }: SignInScope,
  user: User,
): Promise<{ registration: string; options: PublicKeyCredentialCreationOptionsJSON }> {
  const { id: rpID } = requireRelyingParty(passkeyOrigin());
  const passkeys = await listPasskeys(platform.datastore.db, user.id);
  assertCount(passkeys.length);
  const { sessionVersion } = await getUser(platform, user.id);
  const facts = { userId: user.id, sessionVersion };
  const { challenge, token } = createChallenge(platform, PURPOSE, facts);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Pavis',
    rpID,
    userName: user.login,
    userDisplayName: user.login,
    userID: new Uint8Array(getUserHandle(platform, user.id)),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
  });
  return { registration: token, options };
}

function assertCount(count: number): void {
  if (count < PASSKEYS_MAX) return;
  throw new DomainError('conflict', 'too_many_passkeys', TOO_MANY_PASSKEYS.too_many_passkeys);
}

/**
 * Adds a passkey.
 * @returns recovery codes if this is the first second factor of the user; otherwise the earlier ones stay valid
 * @throws InvalidFieldError if the registration has expired, was used before or does not fit
 */
export async function addPasskey(
  scope: SignInScope,
  user: User,
  {
    registration,
    name,
    response,
  }: {
    registration: string;
    name: string;
    response: RegistrationResponse;
  },
): Promise<string[]> {
  const { platform } = scope;
  const label = parseName(name);
  const challenge = openChallenge(platform, PURPOSE, registration);
  if (challenge?.userId !== user.id) throw createExpiredError();
  const credential = await verify(scope, challenge.challenge, response);
  let codes: string[] = [];
  await changeSecondFactor(scope, user.id, user.login, async (trx) => {
    const { sessionVersion } = await getAccount(trx, user.id);
    const isValid = sessionVersion === challenge.sessionVersion;
    if (!isValid || !(await useUpChallenge(platform, trx, challenge))) throw createExpiredError();
    const before = await readSecondFactor(trx, user.id);
    assertCount(before.passkeys.length);
    const added = await insertPasskey(trx, {
      user_id: user.id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      name: label,
      created_at: platform.clock.now(),
      last_used_at: null,
    });
    if (!added) throw new InvalidFieldError('response', 'This passkey was added before.');
    if (!hasSecondFactor(before)) codes = await createRecoveryCodes(platform, trx, user.id);
    return { action: 'passkey_added', name: label };
  });
  return codes;
}

const createExpiredError = () =>
  new InvalidFieldError('registration', 'The registration has expired or was used. Begin again.');

/** The credential of a registration. Attestation is not asked for: any authenticator is allowed. */
async function verify(
  { passkeyOrigin }: SignInScope,
  expectedChallenge: string,
  { id, response }: RegistrationResponse,
) {
  const { id: expectedRPID, origin } = requireRelyingParty(passkeyOrigin());
  const answer = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verified = await verifyRegistrationResponse({
    response: { ...answer, response },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (verified?.verified) return verified.registrationInfo.credential;
  const message = `The passkey could not be verified. Open the console at ${origin} and try again.`;
  throw new InvalidFieldError('response', message);
}

/** @throws DomainError not_found; InvalidFieldError */
export async function changePasskeyName(
  scope: SignInScope,
  user: User,
  id: number,
  name: string,
): Promise<void> {
  const label = parseName(name);
  await changeSecondFactor(scope, user.id, user.login, async (trx) => {
    if (!(await renamePasskey(trx, user.id, id, label))) throw createNotFoundError();
    return { action: 'passkey_renamed', name: label };
  });
}

/**
 * Removes a passkey, and the recovery codes with the last second factor.
 * @throws DomainError not_found; conflict if it is the last factor and one is required
 */
export async function removePasskey(scope: SignInScope, user: User, id: number): Promise<void> {
  await changeSecondFactor(scope, user.id, user.login, async (trx) => {
    const removed = await deletePasskey(trx, user.id, id);
    if (!removed) throw createNotFoundError();
    await finishRemoval(scope, trx, user);
    return { action: 'passkey_removed', name: removed.name };
  });
}

const createNotFoundError = () =>
  new DomainError('not_found', 'not_found', 'You have no such passkey.');
