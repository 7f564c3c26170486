import { randomAlphanumeric } from '../../platform/crypto/random.ts';
import { lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError, InvalidFieldError, TakenError } from '../../platform/errors.ts';
import type { User } from '../../platform/rest/caller.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import { changeLocked, getUser, setCheckedPassword, setRole, USERS } from './accounts.ts';
import { listApplicationPasswords } from './application-passwords/store.ts';
import { confirmAddress } from './email-confirmation.ts';
import { appendUserEvent } from './events/store.ts';
import { unlinkIdentities } from './identities/service.ts';
import { queueNotice } from './notices.ts';
import { hashPassword } from './password.ts';
import { isEasyToGuess } from './password-strength.ts';
import { assertLogin, assertPasswordLength, identityKey, parseUserEmail } from './rules.ts';
import type { SignInScope } from './second-factor/scope.ts';
import {
  countRole,
  deleteResetLinks,
  deleteUser,
  endSessions,
  findAccount,
  forgetFailures,
  insertUser,
  listUserRows,
  setPassword,
  updateUser,
} from './store.ts';

/** 119 bits. */
const GENERATED_LENGTH = 20;
const LIST_MAX = 100_000;

export interface NewUser {
  login: string;
  email: string;
  role: Role;
  /** Default: generated. */
  password?: string | undefined;
}

/**
 * @param actor who creates the user, for the log
 * @param assertAllowed throws if the user must not be created; called under the lock
 * @returns the plain-text password, which is not stored
 * @throws InvalidFieldError; TakenError if another user has the login or email address
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
    email: parseUserEmail(email),
    role,
    password_hash: await hashPassword(password),
    created_at: at,
  };
  const user = await datastore.transaction(async (trx) => {
    await lockName(trx, USERS);
    await assertAllowed(trx);
    const created = await insertUser(trx, row);
    if (!created) {
      const isLogin = await findAccount(trx, row.login_key);
      throw isLogin
        ? createTakenError('login', row.login_key)
        : createTakenError('email', row.email);
    }
    await appendUserEvent(trx, created, { at, actor, action: 'created', details: { role } });
    return created;
  });
  return { user, password };
}

const createTakenError = (what: 'login' | 'email', value: string): TakenError =>
  what === 'login'
    ? new TakenError('username', `A user has the login ${value} already. Choose another.`)
    : new TakenError('email', `A user has the address ${value} already. Choose another.`);

/** @throws InvalidFieldError if the password is too short or long, or an administrator's is easy to guess */
export async function assertPassword(
  password: string,
  { login, email, role }: Pick<User, 'login' | 'email' | 'role'>,
): Promise<void> {
  assertPasswordLength(password, role);
  if (role !== 'administrator') return;
  if (!(await isEasyToGuess({ password, personal: [login, email] }))) return;
  throw new InvalidFieldError(
    'password',
    'The password is easy to guess. Use 12 or more characters that are no common password, name or date, for example four random words.',
  );
}

/** All users with their application passwords, by login. */
export async function listUsers({ datastore: { db }, clock }: Platform) {
  const passwords = Map.groupBy(await listApplicationPasswords(db), ({ userId }) => userId);
  const page = { now: clock.now(), offset: 0, limit: LIST_MAX };
  const { users } = await listUserRows(db, {}, page);
  return users.map((user) => ({ ...user, applicationPasswords: passwords.get(user.id) ?? [] }));
}

/**
 * Sets a generated password, ends all sessions and unlocks the account, and tells the user by email. Application passwords
 * and passkeys stay valid.
 * @param who an id, login or email address
 * @param actor who resets it, for the log
 * @throws DomainError not_found
 */
export async function resetPassword(
  scope: SignInScope,
  who: number | string,
  actor: string,
): Promise<{ login: string; password: string }> {
  const password = randomAlphanumeric(GENERATED_LENGTH);
  const hash = await hashPassword(password);
  const sender = await scope.sender();
  const { login } = await changeLocked(
    scope.platform,
    who,
    actor,
    async (trx, user, log, announce) => {
      await setPassword(trx, user.id, hash);
      await log('password_reset');
      const notice = { kind: 'password_reset', actor } as const;
      await queueNotice(scope, sender, { trx, announce }, user, notice);
    },
  );
  return { login, password };
}

/**
 * Lifts the lockout after failed sign-ins, on all nodes.
 * @param who an id, login or email address
 * @param actor who unlocks the account, for the log
 * @throws DomainError not_found
 */
export async function unlockUser(
  platform: Platform,
  who: number | string,
  actor: string,
): Promise<{ login: string }> {
  const { login } = await changeLocked(platform, who, actor, async (trx, { id }, log) => {
    await forgetFailures(trx, id);
    await log('unlocked');
  });
  return { login };
}

/**
 * Changes the given fields. A new password ends the sessions of the user; application passwords and passkeys stay valid.
 * A new address that another user enters unlinks single sign-on. The user is told of a new password or email address by email
 * to the address before the change (OWASP ASVS 5.0, 6.3.7).
 * @throws DomainError not_found; `rest_cannot_edit_roles` for the own role and the last administrator;
 * InvalidFieldError; TakenError
 */
export async function changeUser(
  scope: SignInScope,
  by: User,
  id: number,
  changes: { email?: string | undefined; role?: Role | undefined; password?: string | undefined },
): Promise<void> {
  const { platform } = scope;
  const { role, password } = changes;
  const email = changes.email === undefined ? undefined : parseUserEmail(changes.email);
  let checked: { hash: string; role: string } | undefined;
  if (password !== undefined) {
    const { user } = await getUser(platform, id);
    const next = { login: user.login, email: email ?? user.email, role: role ?? user.role };
    await assertPassword(password, next);
    checked = { hash: await hashPassword(password), role: next.role };
  }
  const sender = await scope.sender();
  await changeLocked(platform, id, by.login, async (trx, user, log, announce) => {
    const notify = (kind: 'address_changed' | 'password_changed', isUnlinked = false) =>
      queueNotice(scope, sender, { trx, announce }, user, { kind, actor: by.login, isUnlinked });
    if (email !== undefined && email !== user.email) {
      if (await findAccount(trx, email)) throw createTakenError('email', email);
      await updateUser(trx, id, { email, own_email_entry: by.id === id ? 1 : 0 });
      // They were sent to the old address.
      await deleteResetLinks(trx, id);
      await log('address_changed');
      // The old address may have been that of somebody else, whom single sign-on has linked by it.
      const isUnlinked = by.id !== id && (await unlinkIdentities(trx, id, log));
      await notify('address_changed', isUnlinked);
    } else if (email !== undefined && by.id !== id) {
      await confirmAddress(trx, id, log);
    }
    if (role !== undefined && role !== user.role) {
      const isAllowed = by.id !== id && by.capabilities.includes('manage_options');
      if (!isAllowed)
        throw new DomainError('forbidden', ROLE_FIXED, 'You cannot change your own role.');
      await assertNotLastAdministrator(trx, user, ROLE_FIXED);
      await setRole(trx, id, role);
      await log('role_changed', { from: user.role, to: role });
    }
    if (checked) {
      const next = { id, role: role ?? user.role };
      await setCheckedPassword(trx, next, checked.hash, checked.role);
      await log('password_changed');
      await notify('password_changed');
    }
  });
}

/**
 * Ends every session of a user. Application passwords and passkeys stay valid.
 * @throws DomainError not_found
 */
export async function signOutEverywhere(platform: Platform, by: User, id: number): Promise<void> {
  await changeLocked(platform, id, by.login, async (trx, _user, log) => {
    await endSessions(trx, id);
    await log('signed_out');
  });
}

/**
 * Deletes a user with their sessions and application passwords.
 * @throws DomainError not_found; `rest_user_cannot_delete` for the own account and the last administrator
 */
export async function removeUser(platform: Platform, by: User, id: number): Promise<void> {
  const code = 'rest_user_cannot_delete';
  await changeLocked(platform, id, by.login, async (trx, user, log) => {
    if (by.id === id)
      throw new DomainError('forbidden', code, 'You cannot delete your own account.');
    await assertNotLastAdministrator(trx, user, code);
    await deleteUser(trx, id);
    await log('deleted', { role: user.role });
  });
}

const ROLE_FIXED = 'rest_cannot_edit_roles';

/** @throws DomainError with the code */
export async function assertNotLastAdministrator(
  trx: Trx,
  { login, role }: User,
  code: string,
): Promise<void> {
  if (role !== 'administrator' || (await countRole(trx, role)) > 1) return;
  throw new DomainError('forbidden', code, `${login} is the last administrator.`);
}
