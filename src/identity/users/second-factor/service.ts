import type { Db, Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { getAccount, getUser } from '../accounts.ts';
import { useUpChallenge } from '../passkeys/challenge.ts';
import { listPasskeys, type Passkey } from '../passkeys/store.ts';
import { forgetFailures } from '../store.ts';
import { changeSecondFactor } from './changes.ts';
import { assertNotRequired } from './policy.ts';
import {
  findStep,
  generateRecoveryCode,
  generateSecret,
  parseCode,
  RECOVERY_CODES,
  toSetupUri,
} from './rules.ts';
import type { SignInScope } from './scope.ts';
import { openToken, sealToken } from './sealed-token.ts';
import {
  countRecoveryCodes,
  deleteAuthenticatorApp,
  deleteRecoveryCodes,
  deleteSecondFactor,
  findAuthenticatorApp,
  replaceRecoveryCodes,
  saveAuthenticatorApp,
  useRecoveryCode,
  useStep,
} from './store.ts';

const SECRET_PURPOSE = 'authenticator app';
const SETUP_PURPOSE = 'authenticator app setup';
const SETUP_MS = 15 * MINUTE_MS;

interface Setup {
  userId: number;
  sessionVersion: number;
  secret: string;
}

export interface SecondFactor {
  authenticatorApp: { createdAt: number } | undefined;
  /** Unused ones. */
  recoveryCodes: number;
  passkeys: Passkey[];
}

/** What a user can sign in with beside the password. */
export async function readSecondFactor(db: Db, userId: number): Promise<SecondFactor> {
  const app = await findAuthenticatorApp(db, userId);
  return {
    authenticatorApp: app && { createdAt: app.created_at },
    recoveryCodes: await countRecoveryCodes(db, userId),
    passkeys: await listPasskeys(db, userId),
  };
}

/** Whether the password alone is not enough for a user to sign in. */
export const hasSecondFactor = ({ authenticatorApp, passkeys }: SecondFactor): boolean =>
  authenticatorApp !== undefined || passkeys.length > 0;

export type SecondFactorMethod = 'authenticator_app' | 'recovery_code' | 'passkey';

/** What a user can use beside the password; empty if the password alone is enough. */
export function listMethods(factor: SecondFactor): SecondFactorMethod[] {
  if (!hasSecondFactor(factor)) return [];
  return [
    ...(factor.authenticatorApp ? ['authenticator_app' as const] : []),
    ...(factor.passkeys.length > 0 ? ['passkey' as const] : []),
    ...(factor.recoveryCodes > 0 ? ['recovery_code' as const] : []),
  ];
}

/**
 * Begins to set up an authenticator app. Nothing is stored: the token holds the secret, encrypted, for 15 minutes, or until
 * the password is changed or sessions are ended.
 * @returns the secret in base32, and as an `otpauth://` address for a QR code
 */
export async function beginAuthenticatorApp(
  { platform, passkeyOrigin }: SignInScope,
  { id, login }: User,
): Promise<{ setup: string; secret: string; uri: string }> {
  const { sessionVersion } = await getUser(platform, id);
  const secret = generateSecret();
  const setup = sealToken(
    platform,
    SETUP_PURPOSE,
    { userId: id, sessionVersion, secret },
    SETUP_MS,
  );
  return { setup, secret, uri: toSetupUri(secret, `${login}@${new URL(passkeyOrigin()).host}`) };
}

/**
 * Adds or replaces the authenticator app of a user.
 * @returns recovery codes if this is the first second factor of the user; otherwise the earlier ones stay valid
 * @throws InvalidFieldError if the setup has expired or was used before, or the code is wrong
 */
export async function confirmAuthenticatorApp(
  scope: SignInScope,
  { id, login }: User,
  { setup, code }: { setup: string; code: string },
): Promise<string[]> {
  const { platform } = scope;
  const begun = openToken<Setup>(platform, SETUP_PURPOSE, setup);
  if (begun?.userId !== id) throw createExpiredError();
  const now = platform.clock.now();
  const step = findStep(begun.secret, parseCode(code).code, now);
  if (step === undefined) {
    const message =
      'the code is wrong: enter the code that the app shows now, and check that the clock of your phone is right';
    throw new InvalidFieldError('code', message);
  }
  const sealed_secret = platform.secret.seal(SECRET_PURPOSE, begun.secret);
  let codes: string[] = [];
  await changeSecondFactor(scope, id, login, async (trx) => {
    const { sessionVersion } = await getAccount(trx, id);
    const challenge = { challenge: begun.secret, expiresAt: begun.expiresAt };
    const isValid = sessionVersion === begun.sessionVersion;
    if (!isValid || !(await useUpChallenge(platform, trx, challenge))) throw createExpiredError();
    const before = await readSecondFactor(trx, id);
    const row = { user_id: id, sealed_secret, last_step: step, created_at: now };
    await saveAuthenticatorApp(trx, row);
    if (!hasSecondFactor(before)) codes = await createRecoveryCodes(platform, trx, id);
    return {
      action: before.authenticatorApp ? 'authenticator_app_replaced' : 'authenticator_app_added',
    };
  });
  return codes;
}

const createExpiredError = () =>
  new InvalidFieldError('setup', 'The setup has expired or was used. Begin again.');

/** @throws DomainError not_found if the user has no authenticator app; conflict if it is the last factor and one is required */
export async function removeAuthenticatorApp(scope: SignInScope, user: User): Promise<void> {
  await changeSecondFactor(scope, user.id, user.login, async (trx) => {
    if (!(await deleteAuthenticatorApp(trx, user.id)))
      throw new DomainError('not_found', 'not_found', 'You have no authenticator app.');
    await finishRemoval(scope, trx, user);
    return { action: 'authenticator_app_removed' };
  });
}

/**
 * Replaces the recovery codes. Earlier ones are no longer valid.
 * @returns the codes, of which only hashes are stored
 * @throws DomainError conflict if the user has no second factor
 */
export async function renewRecoveryCodes(scope: SignInScope, user: User): Promise<string[]> {
  let codes: string[] = [];
  await changeSecondFactor(scope, user.id, user.login, async (trx) => {
    if (!hasSecondFactor(await readSecondFactor(trx, user.id))) {
      const message = 'Add an authenticator app or a passkey first.';
      throw new DomainError('conflict', 'no_second_factor', message);
    }
    codes = await createRecoveryCodes(scope.platform, trx, user.id);
    return { action: 'recovery_codes_created' };
  });
  return codes;
}

/**
 * Removes the authenticator app, the passkeys and the recovery codes of a user, and unlocks the account.
 * @param who an id, login or email address
 * @param actor who resets it, for the log
 * @throws DomainError not_found; conflict if the user has no second factor
 */
export async function resetSecondFactor(
  scope: SignInScope,
  who: number | string,
  actor: string,
): Promise<User> {
  return changeSecondFactor(scope, who, actor, async (trx, { id, login }) => {
    if (!hasSecondFactor(await readSecondFactor(trx, id))) {
      const message = `${login} has no second factor: the password alone is enough to sign in.`;
      throw new DomainError('conflict', 'no_second_factor', message);
    }
    await deleteSecondFactor(trx, id);
    await forgetFailures(trx, id);
    return { action: 'reset' };
  });
}

/**
 * After a factor was removed. Recovery codes are of no use to a user who signs in with the password alone.
 * @throws DomainError conflict if it was the last one and the role of the user requires one
 */
export async function finishRemoval(
  { secondFactorFor }: SignInScope,
  trx: Trx,
  user: User,
): Promise<void> {
  if (hasSecondFactor(await readSecondFactor(trx, user.id))) return;
  assertNotRequired(secondFactorFor, user);
  await deleteRecoveryCodes(trx, user.id);
}

/** Replaces the recovery codes of a user. */
export async function createRecoveryCodes(
  { secret }: Platform,
  trx: Trx,
  userId: number,
): Promise<string[]> {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(generateRecoveryCode());
  const hashes = [...codes].map((code) => hashCode(secret, parseCode(code).code));
  await replaceRecoveryCodes(trx, userId, hashes);
  return [...codes];
}

const hashCode = (secret: Platform['secret'], code: string): string =>
  secret.hash('recovery code', code);

/**
 * Uses up a code of the authenticator app or a recovery code. Each is accepted once.
 * @returns which it was; undefined if it is wrong, has expired or was used before
 */
export async function useCode(
  { secret, clock }: Platform,
  trx: Trx,
  userId: number,
  text: string,
): Promise<'authenticator_app' | 'recovery_code' | undefined> {
  const { kind, code } = parseCode(text);
  if (kind === 'recovery') {
    const isUsed = await useRecoveryCode(trx, userId, hashCode(secret, code));
    return isUsed ? 'recovery_code' : undefined;
  }
  const app = await findAuthenticatorApp(trx, userId);
  const step = app && findStep(secret.unseal(SECRET_PURPOSE, app.sealed_secret), code, clock.now());
  if (step === undefined || !(await useStep(trx, userId, step))) return undefined;
  return 'authenticator_app';
}
