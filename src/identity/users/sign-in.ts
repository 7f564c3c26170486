import type { Platform } from '../../platform/deps.ts';
import { issueDeviceToken, readDeviceToken } from './known-device.ts';
import type { SignInLimits } from './limits/sign-in-limits.ts';
import { isPassword } from './password.ts';
import { identityKey } from './rules.ts';
import { openSession, type Session } from './session.ts';
import { findAccount } from './store.ts';

type SignInResult =
  | { outcome: 'signed in'; token: string; deviceToken: string; session: Session }
  | { outcome: 'wrong' }
  | TooManyFailures;

interface TooManyFailures {
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
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const remedies = [
    ...(isKnownDevice ? [] : ['use a browser in which you have signed in before']),
    ...(canBeUnlocked ? ['ask an administrator to unlock your account'] : []),
  ];
  return `Too many failed sign-ins. Try again in ${wait}. To sign in earlier, ${remedies.join(', or ')}.`;
}

/** Signs in with a login or email address and a password, within the limits of failed attempts. */
export function createSignIn(platform: Platform, limits: SignInLimits) {
  return async (request: SignInRequest): Promise<SignInResult> => {
    const { login, password, address, deviceToken } = request;
    const key = identityKey(login);
    const account = await findAccount(platform.datastore.db, key);
    const device = account && readDeviceToken(platform, account.user.id, deviceToken);
    const attempt = { account, key, address, device };
    const recordFailure = (reason: string) =>
      platform.securityLog.record({
        event: 'sign_in_failed',
        user: account?.user ?? null,
        details: { reason },
      });
    const wait = limits.getWait(attempt);
    if (wait > 0) {
      recordFailure('locked');
      return {
        outcome: 'too many failures',
        retryAfterSeconds: Math.ceil(wait / 1000),
        isKnownDevice: device !== undefined,
        canBeUnlocked: limits.getWait(attempt, ['all accounts']) === 0,
      };
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
      const opened = await openSession(platform, account);
      limits.takeBack(attempt);
      const { user } = account;
      platform.securityLog.record({
        event: 'sign_in',
        user,
        actor: user.login,
        details: { known_device: device !== undefined },
      });
      return {
        outcome: 'signed in',
        ...opened,
        deviceToken: issueDeviceToken(platform, user.id, device),
      };
    } catch (error) {
      limits.takeBack(attempt);
      throw error;
    }
  };
}
