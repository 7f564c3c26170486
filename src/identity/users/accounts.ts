import { type Announce, type Db, lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import type { User } from '../../platform/rest/caller.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import { createUserNotFoundError } from './errors.ts';
import { appendUserEvent } from './events/store.ts';
import { identityKey } from './rules.ts';
import { type Account, findAccount, setPassword, updateUser } from './store.ts';

/** The lock that serialises changes of users, so that two administrators cannot demote each other at once. */
export const USERS = 'users';
/** Adds to the activity log of the user. */
export type Log = (action: string, details?: object) => Promise<void>;

/** Changes a user and logs it, in one transaction under the lock. */
export function changeLocked(
  { datastore, clock }: Platform,
  who: number | string,
  actor: string,
  change: (trx: Trx, user: User, log: Log, announce: Announce) => Promise<void>,
): Promise<User> {
  return datastore.transaction(async (trx, announce) => {
    await lockName(trx, USERS);
    const { user } = await getAccount(trx, who);
    const log: Log = (action, details = {}) =>
      appendUserEvent(trx, user, { at: clock.now(), actor, action, details });
    await change(trx, user, log, announce);
    return user;
  });
}

/** @throws DomainError not_found */
export const getUser = ({ datastore }: Platform, who: number | string): Promise<Account> =>
  getAccount(datastore.db, who);

/** @throws DomainError not_found */
export async function getAccount(db: Db | Trx, who: number | string): Promise<Account> {
  const account = await findAccount(db, typeof who === 'string' ? identityKey(who) : who);
  if (account) return account;
  throw typeof who === 'number'
    ? createUserNotFoundError()
    : createUserNotFoundError(`No user has the login ${who}. "pavis user list" shows the users.`);
}

/** The user with a login, whatever its case; undefined for an email address. */
export async function findUserByLogin(db: Db | Trx, login: string): Promise<User | undefined> {
  const key = identityKey(login);
  const user = (await findAccount(db, key))?.user;
  return user && identityKey(user.login) === key ? user : undefined;
}

/** Changes a role. A password that is older than the role of an administrator is checked with the next sign-in. */
export const setRole = (trx: Trx, id: number, role: Role): Promise<void> =>
  updateUser(trx, id, { role, check_password: role === 'administrator' ? 1 : 0 });

/**
 * Sets a password that was checked without the lock. If its user has become an administrator since, the next sign-in
 * checks it again.
 * @param checkedRole the role by whose rules it was checked
 */
export async function setCheckedPassword(
  trx: Trx,
  { id, role }: { id: number; role: string },
  hash: string,
  checkedRole: string,
): Promise<void> {
  await setPassword(trx, id, hash);
  if (role === 'administrator' && checkedRole !== role)
    await updateUser(trx, id, { check_password: 1 });
}
