import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { UserDeletedError } from './errors.ts';
import { issueDeviceTokens, readDevice } from './known-device.ts';
import type { Attempt, SignInLimits } from './limits/sign-in-limits.ts';
import { isPassword } from './password.ts';
import { createPendingToken } from './pending-sign-in.ts';
import { formatMinutes, identityKey } from './rules.ts';
import { isSecondFactorRequired } from './second-factor/policy.ts';
import type { SessionScope } from './second-factor/scope.ts';
import { listMethods, readSecondFactor, type SecondFactorMethod } from './second-factor/service.ts';
import { assertPassword } from './service.ts';
import { openSession, type Session } from './session.ts';
import { type Account, clearPasswordCheck, findAccount } from './store.ts';
import type { SignInMethod } from './tables.ts';

type SignInResult =
  | SignedIn
  | {
      outcome: 'second factor required';
      pendingToken: string;
      login: string;
      methods: SecondFactorMethod[];
    }
  | { outcome: 'wrong' }
  | WeakPassword
  | TooManyFailures;

/** The password is right, and does not meet the rules of the role that the user has got since it was set. */
interface WeakPassword {
  outcome: 'weak password';
  message: string;
}

export interface SignedIn {
  outcome: 'signed in';
  token: string;
  deviceToken: string;
  session: Session;
}

export interface TooManyFailures {
  outcome: 'too many failures';
  retryAfterSeconds: number;
  isKnownDevice: boolean;
  /** Whether unlocking the account would help. */
  canBeUnlocked: boolean;
}

interface SignInRequest {
  /** Or an email address. */
  login: string;
  password: string;
  /** From `clientAddress`. */
  address: string;
  /** The cookie from an earlier sign-in with this browser. */
  deviceToken: string | undefined;
}

/** The message for a user who is locked out; the same for an unknown login. */
export function describeLockout({
  retryAfterSeconds,
  isKnownDevice,
  canBeUnlocked,
}: TooManyFailures): string {
  const remedies = [
    ...(isKnownDevice ? [] : ['use a browser in which you have signed in before']),
    ...(canBeUnlocked ? ['ask an administrator to unlock your account'] : []),
  ];
  return `Too many failed sign-ins. Try again in ${formatMinutes(retryAfterSeconds)}. To sign in earlier, ${remedies.join(', or ')}.`;
}

/** The answer to an attempt beyond a limit. */
export function findTooManyFailures(
  limits: SignInLimits,
  attempt: Attempt,
): TooManyFailures | undefined {
  const wait = limits.getWait(attempt);
  if (wait === 0) return undefined;
  return {
    outcome: 'too many failures',
    retryAfterSeconds: Math.ceil(wait / 1000),
    isKnownDevice: attempt.device !== undefined,
    canBeUnlocked: limits.getWait(attempt, ['all accounts']) === 0,
  };
}

/**
 * Opens the session of a user who has proved who they are, and records it.
 * @param by the device cookie of the browser, and what they used beside or instead of the password
 * @param useUp see `openSession`
 */
export async function completeSignIn(
  platform: Platform,
  account: Account,
  by: {
    deviceToken: string | undefined;
    factor?: () => SecondFactorMethod;
    method?: SignInMethod;
    lacksSecondFactor?: boolean;
  },
  useUp?: (trx: Trx, announce: Announce) => Promise<void>,
): Promise<SignedIn> {
  const opened = await openSession(platform, account, {
    method: by.method,
    lacksSecondFactor: by.lacksSecondFactor,
    useUp,
  });
  const { user } = account;
  platform.securityLog.record({
    event: 'sign_in',
    user,
    actor: user.login,
    details: {
      known_device: readDevice(platform, user.id, by.deviceToken) !== undefined,
      ...(by.factor && { second_factor: by.factor() }),
    },
  });
  const deviceToken = issueDeviceTokens(platform, user.id, by.deviceToken);
  return { outcome: 'signed in', ...opened, deviceToken };
}

/** Checks a password once against the rules of the role. */
async function findWeakness(
  { datastore }: Platform,
  account: Account,
  password: string,
): Promise<WeakPassword | undefined> {
  try {
    await assertPassword(password, account.user);
  } catch (error) {
    if (!(error instanceof InvalidFieldError)) throw error;
    const message = `You are an administrator now. ${error.reason} Set a new password with "Forgot your password?", or ask another administrator to reset it.`;
    return { outcome: 'weak password', message };
  }
  await clearPasswordCheck(datastore.db, account);
  return undefined;
}

/**
 * Signs in with a login or email address and a password, within the limits of failed attempts. A user with a second
 * factor gets a pending sign-in instead of a session; one whose role needs one gets a session in which to set it up.
 */
export function createSignIn({ platform, secondFactorFor }: SessionScope, limits: SignInLimits) {
  return async (request: SignInRequest): Promise<SignInResult> => {
    const { login, password, address, deviceToken } = request;
    const key = identityKey(login);
    const account = await findAccount(platform.datastore.db, key);
    const device = account && readDevice(platform, account.user.id, deviceToken);
    const attempt = { account, key, address, device };
    const recordFailure = (reason: string) =>
      platform.securityLog.record({
        event: 'sign_in_failed',
        user: account?.user ?? null,
        details: { reason },
      });
    const tooMany = findTooManyFailures(limits, attempt);
    if (tooMany) {
      recordFailure('locked');
      return tooMany;
    }
    // Counted before the check and taken back after a success, so that concurrent guesses are counted too.
    const reached = limits.count(attempt);
    try {
      const isRight = await isPassword(password, account?.passwordHash);
      if (!isRight || !account) {
        recordFailure(account ? 'wrong_password' : 'unknown_login');
        if (reached) limits.recordLock(attempt, reached);
        return { outcome: 'wrong' };
      }
      const weak = account.needsPasswordCheck && (await findWeakness(platform, account, password));
      if (weak) {
        recordFailure('weak_password');
        limits.takeBack(attempt);
        return weak;
      }
      const methods = listMethods(await readSecondFactor(platform.datastore.db, account.user.id));
      const result: SignInResult =
        methods.length > 0
          ? {
              outcome: 'second factor required',
              pendingToken: createPendingToken(platform, account),
              login: account.user.login,
              methods,
            }
          : await completeSignIn(platform, account, {
              deviceToken,
              lacksSecondFactor: isSecondFactorRequired(secondFactorFor, account.user.role),
            });
      limits.takeBack(attempt);
      return result;
    } catch (error) {
      limits.takeBack(attempt);
      if (!(error instanceof UserDeletedError)) throw error;
      recordFailure('unknown_login');
      return { outcome: 'wrong' };
    }
  };
}
