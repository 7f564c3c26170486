import type { Platform } from '../../../platform/deps.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { SharedWindow } from '../../../platform/http/shared-window.ts';
import { identityKey } from '../rules.ts';

const WINDOW_MS = 15 * MINUTE_MS;
/** For one login or email address from one client. */
const PER_LOGIN = 5;
/** For all from one client: several people may share it. */
const PER_CLIENT = 20;

/**
 * Limits requests for links on all nodes together. Each client is counted separately for a login, so that nobody can
 * lock others out. How many emails an account gets is limited by the links that still work.
 */
export class ResetLimits {
  readonly #secret: Platform['secret'];
  readonly #clients: SharedWindow;
  readonly #logins: SharedWindow;

  constructor(platform: Platform) {
    this.#secret = platform.secret;
    this.#clients = new SharedWindow('password reset client', PER_CLIENT, WINDOW_MS, platform);
    this.#logins = new SharedWindow('password reset login', PER_LOGIN, WINDOW_MS, platform);
  }

  /** @returns seconds until another request is allowed; 0 if this one is */
  count(login: string, client: string): number {
    const key = this.#secret.hash('password-reset-login', identityKey(login));
    for (const quota of [this.#clients.hit(client), this.#logins.hit(`${key} ${client}`)])
      if (!quota.allowed) return Math.max(1, Math.ceil(quota.resetIn / 1000));
    return 0;
  }
}
