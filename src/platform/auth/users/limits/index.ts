import type { Platform } from '../../../deps.ts';
import { AttemptLimits, accountKey } from './attempt-limits.ts';

export { AttemptLimits } from './attempt-limits.ts';

/** The limits of both ways to sign in, one instance in a process: whoever checks a password shares it. */
export class SignInLimits {
  readonly password: AttemptLimits;
  readonly applicationPassword: AttemptLimits;

  constructor(platform: Platform) {
    this.password = new AttemptLimits('password', platform);
    this.applicationPassword = new AttemptLimits('application_password', platform);
  }

  /** A function that gives the milliseconds until an account has no limit reached; 0 if it has none now. */
  readWaits(): (user: { id: number; lockoutVersion: number }) => number {
    const waits = [this.password.listWaits(), this.applicationPassword.listWaits()];
    return ({ id, lockoutVersion }) => {
      const key = accountKey({ user: { id }, lockoutVersion });
      return Math.max(...waits.map((each) => each.get(key) ?? 0));
    };
  }
}
