import type { Platform } from '../../platform/deps.ts';
import { openToken, sealToken } from './second-factor/sealed-token.ts';
import { type Account, findAccount } from './store.ts';

const PURPOSE = 'pending sign-in';
const LIFETIME_SECONDS = 600;

/** Holds the sign-in of a browser whose user has entered the password, and not yet the second factor. It grants no access. */
export const PENDING_COOKIE = { name: 'pavis_sign_in', maxAge: LIFETIME_SECONDS };

interface Pending {
  userId: number;
  /** A restored database gives the ids of lost users to new ones. */
  login: string;
  sessionVersion: number;
}

export function createPendingToken(platform: Platform, { user, sessionVersion }: Account): string {
  const pending: Pending = { userId: user.id, login: user.login, sessionVersion };
  return sealToken(platform, PURPOSE, pending, LIFETIME_SECONDS * 1000);
}

/**
 * The account of a pending sign-in; undefined if it has expired, the password was changed since, or another user has the
 * id now.
 */
export async function findPendingAccount(
  platform: Platform,
  token: string | undefined,
): Promise<Account | undefined> {
  const pending = openToken<Pending>(platform, PURPOSE, token);
  const account = pending && (await findAccount(platform.datastore.db, pending.userId));
  const isSame =
    account?.user.login === pending?.login && account?.sessionVersion === pending?.sessionVersion;
  return isSame ? account : undefined;
}
