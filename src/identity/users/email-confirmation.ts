import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import type { User } from '../../platform/rest/caller.ts';
import { changeLocked, getAccount, type Log } from './accounts.ts';
import { updateUser } from './store.ts';

/** Records that an address which a user has entered is theirs, so that single sign-on finds the account by it. */
export async function confirmAddress(trx: Trx, id: number, log: Log): Promise<void> {
  if (!(await getAccount(trx, id)).hasOwnEmailEntry) return;
  await updateUser(trx, id, { own_email_entry: 0 });
  await log('address_confirmed');
}

/**
 * Confirms the email address of a user, as another administrator does in the console.
 * @param who an id, login or email address
 * @param actor who confirms it, for the log
 * @throws DomainError not_found
 */
export const confirmEmail = (
  platform: Platform,
  who: number | string,
  actor: string,
): Promise<User> =>
  changeLocked(platform, who, actor, (trx, { id }, log) => confirmAddress(trx, id, log));
