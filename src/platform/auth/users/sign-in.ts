import type { Platform } from '../../deps.ts';
import { SharedWindow } from '../../http/shared-window.ts';
import { isPassword } from './password.ts';
import { identityKey } from './rules.ts';
import { openSession, type Session } from './session.ts';
import { findAccount } from './store.ts';

const FAILURES_ALLOWED = 10;
const WINDOW_MS = 15 * 60_000;

type SignInResult =
  | { outcome: 'signed in'; token: string; session: Session }
  | { outcome: 'wrong' }
  | { outcome: 'too many failures'; retryAfterSeconds: number };

type SignIn = (login: string, password: string, address: string) => Promise<SignInResult>;

/**
 * Signs in with login (or e-mail address) and password. After ten failures within 15 minutes for one
 * user, or from one client address, nothing further is tried until the oldest is that old.
 */
export function createSignIn(platform: Platform): SignIn {
  const byUser = new SharedWindow('sign-in user', FAILURES_ALLOWED, WINDOW_MS, platform);
  const byAddress = new SharedWindow('sign-in address', FAILURES_ALLOWED, WINDOW_MS, platform);

  return async (login, password, address) => {
    const key = identityKey(login);
    const account = await findAccount(platform.datastore.db, key);
    // Login and address of one user are one count; an unknown login is counted alike, and so names nobody.
    const who = account ? `user ${account.user.id}` : `login ${key}`;
    // Counted before the check and taken back after a success: guesses sent at once are counted too.
    const user = byUser.hit(who);
    const client = byAddress.hit(address);
    const takeBack = () => {
      if (user.allowed) byUser.takeBack(who);
      if (client.allowed) byAddress.takeBack(address);
    };
    const recordFailure = (reason: string) =>
      platform.securityLog.record({
        event: 'sign_in_failed',
        user: account?.user ?? null,
        details: { reason },
      });
    if (!user.allowed || !client.allowed) {
      takeBack();
      recordFailure('locked');
      const waits = [user, client].map(({ allowed, resetIn }) => (allowed ? 0 : resetIn));
      const retryAfterSeconds = Math.max(1, Math.ceil(Math.max(...waits) / 1000));
      return { outcome: 'too many failures', retryAfterSeconds };
    }
    try {
      const right = await isPassword(password, account?.passwordHash);
      if (!right || !account) {
        recordFailure(account ? 'wrong_password' : 'unknown_login');
        return { outcome: 'wrong' };
      }
      const opened = await openSession(platform, account);
      takeBack();
      const { user } = account;
      platform.securityLog.record({ event: 'sign_in', user, actor: user.login });
      return { outcome: 'signed in', ...opened };
    } catch (error) {
      takeBack();
      throw error;
    }
  };
}
