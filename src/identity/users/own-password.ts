import type { Platform } from '../../platform/deps.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';
import { invalidParam, RestError } from '../../platform/rest/errors.ts';
import { isPassword } from './password.ts';
import { getUser } from './service.ts';

const FAILURES_ALLOWED = 10;
const WINDOW_MS = 15 * 60_000;

/**
 * Changing the password requires the current one, so that a session left open does not give
 * an account away. After ten failures within 15 minutes nothing further is tried.
 * @returns a function that throws RestError 400 for a wrong password, 429 after too many
 */
export function createOwnPasswordCheck(platform: Platform) {
  const failures = new SharedWindow('own password', FAILURES_ALLOWED, WINDOW_MS, platform);
  return async (userId: number, password = ''): Promise<void> => {
    const { passwordHash, lockoutVersion } = await getUser(platform, userId);
    const who = `${userId}.${lockoutVersion}`;
    if (!failures.hit(who).allowed) {
      throw new RestError(429, 'rate_limited', 'Too many failed attempts. Try again later.');
    }
    if (!(await isPassword(password, passwordHash))) {
      throw invalidParam('current_password', 'The current password is wrong.');
    }
    failures.takeBack(who);
  };
}
