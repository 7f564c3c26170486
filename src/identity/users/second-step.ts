import { readDevice } from './known-device.ts';
import type { SignInLimits } from './limits/sign-in-limits.ts';
import { queueNotice } from './notices.ts';
import { findPendingAccount } from './pending-sign-in.ts';
import { identityKey } from './rules.ts';
import type { SignInScope } from './second-factor/scope.ts';
import { useCode } from './second-factor/service.ts';
import { countRecoveryCodes } from './second-factor/store.ts';
import {
  completeSignIn,
  findTooManyFailures,
  type SignedIn,
  type TooManyFailures,
} from './sign-in.ts';

type SecondStepResult =
  | SignedIn
  | { outcome: 'wrong' }
  /** The password must be entered again. */
  | { outcome: 'expired' }
  | TooManyFailures;

interface SecondStepRequest {
  /** The cookie of the first step. */
  pendingToken: string | undefined;
  /** The user whom the tab asks for the code. Undefined or empty from a page of an earlier version. */
  login?: string | undefined;
  /** A code of the authenticator app, or a recovery code. */
  code: string;
  /** From `clientAddress`. */
  address: string;
  /** The cookie from an earlier sign-in with this browser. */
  deviceToken: string | undefined;
}

export const SIGN_IN_EXPIRED =
  'The sign-in has expired, or another user has begun one in this browser. Enter your password again.';
export const WRONG_CODE = 'The code is wrong, has expired, or was used before. Enter another one.';

/** Ends the transaction, so that a wrong code opens no session. */
class WrongCodeError extends Error {}

/**
 * Completes a sign-in with a code, within the limits of failed attempts: wrong codes and wrong passwords count together.
 * The code is used up in the transaction that opens the session.
 */
export function createSecondStep(scope: SignInScope, limits: SignInLimits) {
  const { platform } = scope;
  return async (request: SecondStepRequest): Promise<SecondStepResult> => {
    const account = await findPendingAccount(platform, request.pendingToken);
    if (!account) return { outcome: 'expired' };
    const { user } = account;
    // Another tab of the browser, which has one cookie, has begun the sign-in of another user since.
    if (request.login && request.login !== user.login) return { outcome: 'expired' };
    const device = readDevice(platform, user.id, request.deviceToken);
    const attempt = { account, key: identityKey(user.login), address: request.address, device };
    const recordFailure = (reason: string) =>
      platform.securityLog.record({ event: 'sign_in_failed', user, details: { reason } });
    const tooMany = findTooManyFailures(limits, attempt);
    if (tooMany) {
      recordFailure('locked');
      return tooMany;
    }
    // Counted before the check and taken back after a success, so that concurrent guesses are counted too.
    const reached = limits.count(attempt);
    try {
      const sender = await scope.sender();
      let factor: 'authenticator_app' | 'recovery_code' = 'authenticator_app';
      const by = { deviceToken: request.deviceToken, factor: () => factor };
      const result = await completeSignIn(platform, account, by, async (trx, announce) => {
        const used = await useCode(platform, trx, user.id, request.code);
        if (!used) throw new WrongCodeError();
        factor = used;
        if (used !== 'recovery_code') return;
        const left = await countRecoveryCodes(trx, user.id);
        const notice = { kind: 'recovery_code_used' as const, actor: user.login, left };
        await queueNotice(scope, sender, { trx, announce }, user, notice);
      });
      limits.takeBack(attempt);
      return result;
    } catch (error) {
      if (!(error instanceof WrongCodeError)) {
        limits.takeBack(attempt);
        throw error;
      }
      recordFailure('wrong_code');
      if (reached) limits.recordLock(attempt, reached);
      return { outcome: 'wrong' };
    }
  };
}
