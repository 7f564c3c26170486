import { randomAlphanumeric } from '../../platform/crypto/random.ts';
import { type Db, lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { CliError } from '../../platform/errors.ts';
import type { User } from '../../platform/rest/caller.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import { RestError } from '../../platform/rest/errors.ts';
import { listApplicationPasswords } from './application-passwords/store.ts';
import { appendUserEvent } from './events/store.ts';
import { hashPassword } from './password.ts';
import { isEasyToGuess } from './password-strength.ts';
import {
  assertLogin,
  assertPasswordLength,
  easyToGuess,
  InvalidUserError,
  identityKey,
  normaliseUserEmail,
} from './rules.ts';
import {
  type Account,
  countRole,
  deleteUser,
  endSessions,
  findAccount,
  forgetFailures,
  insertUser,
  listUserRows,
  updateUser,
} from './store.ts';

/** Held while users are changed: two administrators must not take each other's role at once. */
const USERS = 'users';
/** 119 bits. */
const GENERATED_LENGTH = 20;
/** More than a command lists in earnest. */
const MOST_LISTED = 100_000;

export interface NewUser {
  login: string;
  email: string;
  role: Role;
  /** Made up if none is given. */
  password?: string | undefined;
}

/** No such user. */
export class UserNotFoundError extends CliError {}

/**
 * Makes a user.
 * @param actor who does it, for the log
 * @param assertAllowed throws if it may not be done, and is called while no other user can be made
 * @returns the password in clear, which exists in this answer and nowhere else
 * @throws InvalidUserError if login, address or password cannot be, or another user has the login or address
 */
export async function createUser(
  { datastore, clock }: Platform,
  { login, email, role, password: chosen }: NewUser,
  actor: string,
  assertAllowed: (trx: Trx) => Promise<void> = async () => {},
): Promise<{ user: User; password: string }> {
  assertLogin(login);
  if (chosen !== undefined) await assertPassword(chosen, { login, email, role });
  const password = chosen ?? randomAlphanumeric(GENERATED_LENGTH);
  const at = clock.now();
  const row = {
    login,
    login_key: identityKey(login),
    email: normaliseUserEmail(email),
    role,
    password_hash: await hashPassword(password),
    created_at: at,
  };
  const user = await datastore.transaction(async (trx) => {
    await lockName(trx, USERS);
    await assertAllowed(trx);
    const made = await insertUser(trx, row);
    if (!made) throw await taken(trx, row.login_key, row.email);
    await appendUserEvent(trx, made, { at, actor, action: 'created', details: { role } });
    return made;
  });
  return { user, password };
}

/**
 * Checks a password that a person has chosen. Administrators need one that is hard to guess.
 * @throws InvalidUserError
 */
async function assertPassword(
  password: string,
  { login, email, role }: Pick<User, 'login' | 'email' | 'role'>,
): Promise<void> {
  assertPasswordLength(password, role);
  if (role !== 'administrator') return;
  if (await isEasyToGuess({ password, personal: [login, email] })) throw easyToGuess();
}

/** Which of the two another user has already. */
async function taken(trx: Trx, loginKey: string, email: string): Promise<InvalidUserError> {
  const byLogin = await findAccount(trx, loginKey);
  return byLogin
    ? new InvalidUserError(
        'username',
        `a user has the login ${loginKey} already: choose another`,
        1,
      )
    : new InvalidUserError('email', `a user has the address ${email} already: choose another`, 1);
}

/** Every user with the application passwords they have, by login. */
export async function listUsers({ datastore: { db }, clock }: Platform) {
  const passwords = Map.groupBy(await listApplicationPasswords(db), ({ userId }) => userId);
  const page = { now: clock.now(), offset: 0, limit: MOST_LISTED };
  const { users } = await listUserRows(db, {}, page);
  return users.map((user) => ({ ...user, applicationPasswords: passwords.get(user.id) ?? [] }));
}

/**
 * Gives a user another password, shown this once, signs them out everywhere, and forgets failed sign-ins. Their
 * application passwords stay.
 * @param who an id, a login or an address
 * @throws NoSuchUser
 */
export async function resetPassword(
  platform: Platform,
  who: number | string,
  actor: string,
): Promise<{ login: string; password: string }> {
  const { user } = await getUser(platform, who);
  const password = randomAlphanumeric(GENERATED_LENGTH);
  const password_hash = await hashPassword(password);
  await platform.datastore.transaction(async (trx) => {
    await updateUser(trx, user.id, { password_hash });
    await endSessions(trx, user.id);
    await forgetFailures(trx, user.id);
    await appendUserEvent(trx, user, {
      at: platform.clock.now(),
      actor,
      action: 'password_reset',
    });
  });
  return { login: user.login, password };
}

/**
 * Forgets the failed sign-ins of a user, so that nobody is kept out by them any more, on any node.
 * @param who an id, a login or an address
 * @param actor who does it, for the log
 * @throws NoSuchUser
 */
export async function unlockUser(
  platform: Platform,
  who: number | string,
  actor: string,
): Promise<{ login: string }> {
  const { user } = await getUser(platform, who);
  await platform.datastore.transaction(async (trx) => {
    await forgetFailures(trx, user.id);
    await appendUserEvent(trx, user, { at: platform.clock.now(), actor, action: 'unlocked' });
  });
  return { login: user.login };
}

/**
 * Changes what is given. Another password ends the user's sessions; application passwords stay.
 * @param by who changes it; nobody changes a role of their own
 * @throws NoSuchUser; InvalidUserError if address or password cannot be, or another user has the address;
 * RestError 403 `rest_cannot_edit_roles`
 */
export async function changeUser(
  platform: Platform,
  by: User,
  id: number,
  { email, role, password }: { email?: string; role?: Role; password?: string },
): Promise<void> {
  const address = email === undefined ? undefined : normaliseUserEmail(email);
  if (password !== undefined) {
    const { user } = await getUser(platform, id);
    await assertPassword(password, {
      ...user,
      ...(address !== undefined && { email: address }),
      ...(role !== undefined && { role }),
    });
  }
  const hash = password === undefined ? undefined : await hashPassword(password);
  await platform.datastore.transaction(async (trx) => {
    const { user } = await locked(trx, id);
    const event = { at: platform.clock.now(), actor: by.login };
    if (address !== undefined && address !== user.email) {
      if (await findAccount(trx, address)) throw await taken(trx, '', address);
      await updateUser(trx, id, { email: address });
      await appendUserEvent(trx, user, { ...event, action: 'address_changed' });
    }
    if (role !== undefined && role !== user.role) {
      const isAllowed = by.id !== id && by.capabilities.includes('manage_options');
      if (!isAllowed) throw rolesStay('You cannot change your own role.');
      await assertAdministratorStays(trx, user, rolesStay);
      await updateUser(trx, id, { role });
      const details = { from: user.role, to: role };
      await appendUserEvent(trx, user, { ...event, action: 'role_changed', details });
    }
    if (hash !== undefined) {
      await updateUser(trx, id, { password_hash: hash });
      await endSessions(trx, id);
      await forgetFailures(trx, id);
      await appendUserEvent(trx, user, { ...event, action: 'password_changed' });
    }
  });
}

/**
 * Ends every session of a user, on all devices. Application passwords stay.
 * @throws NoSuchUser
 */
export async function signOutEverywhere(platform: Platform, by: User, id: number): Promise<void> {
  await platform.datastore.transaction(async (trx) => {
    const { user } = await locked(trx, id);
    await endSessions(trx, id);
    const at = platform.clock.now();
    await appendUserEvent(trx, user, { at, actor: by.login, action: 'signed_out' });
  });
}

/**
 * Deletes a user; their sessions and application passwords are refused from the next request on.
 * @throws NoSuchUser; RestError 403 `rest_user_cannot_delete` for oneself and the last administrator
 */
export async function removeUser(platform: Platform, by: User, id: number): Promise<void> {
  const stays = (message: string) => new RestError(403, 'rest_user_cannot_delete', message);
  await platform.datastore.transaction(async (trx) => {
    const { user } = await locked(trx, id);
    if (by.id === id) throw stays('You cannot delete your own account.');
    await assertAdministratorStays(trx, user, stays);
    await deleteUser(trx, id);
    const at = platform.clock.now();
    const details = { role: user.role };
    await appendUserEvent(trx, user, { at, actor: by.login, action: 'deleted', details });
  });
}

/** @throws NoSuchUser */
export async function getUser({ datastore }: Platform, who: number | string): Promise<Account> {
  return found(await findAccount(datastore.db, key(who)), who);
}

/** The user, whom nobody else changes until the transaction ends. */
async function locked(trx: Trx, id: number): Promise<Account> {
  await lockName(trx, USERS);
  return found(await findAccount(trx, id), id);
}

const key = (who: number | string) => (typeof who === 'string' ? identityKey(who) : who);

function found(account: Account | undefined, who: number | string): Account {
  if (account) return account;
  throw new UserNotFoundError(`no user has the login ${who}: "pavis user list" shows them`);
}

const rolesStay = (message: string) => new RestError(403, 'rest_cannot_edit_roles', message);

async function assertAdministratorStays(
  trx: Trx,
  { login, role }: User,
  refusal: (message: string) => RestError,
): Promise<void> {
  if (role !== 'administrator' || (await countRole(trx, role)) > 1) return;
  throw refusal(`${login} is the last administrator.`);
}

/** The user with a login, whatever its case; undefined if nobody has it. */
export async function findUserByLogin(db: Db | Trx, login: string): Promise<User | undefined> {
  const key = identityKey(login);
  const user = (await findAccount(db, key))?.user;
  return user && identityKey(user.login) === key ? user : undefined;
}
