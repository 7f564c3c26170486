import type { Platform } from '../../platform/deps.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { DomainError, InvalidFieldError } from '../../platform/errors.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';
import { getUser } from './accounts.ts';
import { isPassword } from './password.ts';
import { formatMinutes } from './rules.ts';

const FAILURES_MAX = 10;
const WINDOW_MS = 15 * MINUTE_MS;

/**
 * Users confirm their current password to change it or their email address, so that an open session is not enough to
 * take over an account.
 * @returns a function that throws InvalidFieldError for a wrong password, and DomainError rate_limited after ten
 * within 15 minutes
 */
export function createOwnPasswordCheck(platform: Platform) {
  const failures = new SharedWindow('own password', FAILURES_MAX, WINDOW_MS, platform);
  return async (userId: number, password = ''): Promise<void> => {
    const { passwordHash, lockoutVersion } = await getUser(platform, userId);
    const key = `${userId}.${lockoutVersion}`;
    const { allowed, resetIn } = failures.hit(key);
    if (!allowed) {
      const seconds = Math.ceil(resetIn / 1_000);
      const message = `Too many failed attempts. Try again in ${formatMinutes(seconds)}.`;
      throw new DomainError('rate_limited', 'rate_limited', message, {
        details: { retry_after: seconds },
      });
    }
    if (!(await isPassword(password, passwordHash)))
      throw new InvalidFieldError('current_password', 'The current password is wrong.');
    failures.takeBack(key);
  };
}
