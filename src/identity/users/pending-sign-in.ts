import type { Platform } from '../../platform/deps.ts';
import { openToken, sealToken } from './second-factor/sealed-token.ts';
import { type Account, findAccount } from './store.ts';

const PURPOSE = 'pending sign-in';
const LIFETIME_SECONDS = 600;

/** Holds the sign-in of a browser whose user has entered the password, and not yet the second factor. It grants no access. */
export const PENDING_COOKIE = { name: 'pavis_sign_in', maxAge: LIFETIME_SECONDS };

export const createPendingToken = (platform: Platform, { user, sessionVersion }: Account): string =>
  sealToken(platform, PURPOSE, { userId: user.id, sessionVersion }, LIFETIME_SECONDS * 1000);

/** The account of a pending sign-in; undefined if it has expired, or the password was changed since. */
export async function findPendingAccount(
  platform: Platform,
  token: string | undefined,
): Promise<Account | undefined> {
  const pending = openToken<{ userId: number; sessionVersion: number }>(platform, PURPOSE, token);
  const account = pending && (await findAccount(platform.datastore.db, pending.userId));
  return account?.sessionVersion === pending?.sessionVersion ? account : undefined;
}
