import type { Platform } from '../../deps.ts';
import { normaliseEmail } from '../../email-address.ts';
import { Refusal } from '../../errors.ts';
import type { User } from '../caller.ts';
import { randomAlphanumeric } from '../random.ts';
import { applicationPasswordRow, generateApplicationPassword } from './application-password.ts';
import { hashPassword } from './password.ts';
import type { Role } from './roles.ts';
import { assertLogin, assertPassword, identityKey, normaliseName } from './rules.ts';
import {
  deleteApplicationPassword,
  findAccount,
  insertApplicationPassword,
  insertUser,
  type ListedApplicationPassword,
  type ListedUser,
  listApplicationPasswordRows,
  listUserRows,
  replacePassword,
} from './store.ts';

/** 119 bits. */
const GENERATED_LENGTH = 20;

export interface NewUser {
  login: string;
  email: string;
  role: Role;
  /** Made up if none is given. */
  password?: string | undefined;
}

/**
 * Makes a user.
 * @returns the password in clear, which exists in this answer and nowhere else
 * @throws Refusal if login, address or password cannot be, or another user has the login or address
 */
export async function createUser(
  { datastore, clock }: Platform,
  { login, email, role, password = randomAlphanumeric(GENERATED_LENGTH) }: NewUser,
): Promise<{ user: User; password: string }> {
  assertLogin(login);
  assertPassword(password);
  const row = {
    login,
    login_key: identityKey(login),
    email: normaliseEmail(email),
    role,
    password_hash: await hashPassword(password),
    created_at: clock.now(),
  };
  const user = await datastore.transaction((trx) => insertUser(trx, row));
  if (!user) {
    throw new Refusal(
      `a user has the login ${login} or the address ${row.email} already: choose others`,
    );
  }
  return { user, password };
}

/** Every user with the application passwords they have, oldest first. */
export async function listUsers({
  datastore: { db },
}: Platform): Promise<(ListedUser & { applicationPasswords: ListedApplicationPassword[] })[]> {
  const passwords = Map.groupBy(await listApplicationPasswordRows(db), ({ userId }) => userId);
  return (await listUserRows(db)).map((user) => ({
    ...user,
    applicationPasswords: passwords.get(user.id) ?? [],
  }));
}

/**
 * Gives a user a password for programs, and shows it this once.
 * @throws Refusal if there is no such user, or they have one of this name
 */
export async function addApplicationPassword(
  platform: Platform,
  login: string,
  name: string,
): Promise<{ login: string; name: string; password: string }> {
  const label = normaliseName(name);
  const user = await existing(platform, login);
  const password = generateApplicationPassword();
  const row = applicationPasswordRow(platform, user.id, label, password);
  const added = await platform.datastore.transaction((trx) => insertApplicationPassword(trx, row));
  if (!added) {
    throw new Refusal(
      `${user.login} has an application password named "${label}": choose another name, or revoke that one first`,
    );
  }
  return { login: user.login, name: label, password };
}

/**
 * Ends an application password: it is refused from the next request on.
 * @throws Refusal if there is no such user or they have none of this name
 */
export async function revokeApplicationPassword(
  platform: Platform,
  login: string,
  name: string,
): Promise<{ login: string; name: string }> {
  const label = normaliseName(name);
  const user = await existing(platform, login);
  const gone = await platform.datastore.transaction((trx) =>
    deleteApplicationPassword(trx, user.id, label),
  );
  if (!gone) {
    throw new Refusal(
      `${user.login} has no application password named "${label}": "pavis user list" shows them`,
    );
  }
  return { login: user.login, name: label };
}

/**
 * Gives a user another password, shown this once, and signs them out everywhere. Their application
 * passwords stay.
 * @throws Refusal if there is no such user
 */
export async function resetPassword(
  platform: Platform,
  login: string,
): Promise<{ login: string; password: string }> {
  const user = await existing(platform, login);
  const password = randomAlphanumeric(GENERATED_LENGTH);
  const hash = await hashPassword(password);
  await platform.datastore.transaction((trx) => replacePassword(trx, user.id, hash));
  return { login: user.login, password };
}

async function existing({ datastore }: Platform, login: string): Promise<User> {
  const account = await findAccount(datastore.db, identityKey(login));
  if (!account) {
    throw new Refusal(`no user has the login ${login}: "pavis user list" shows them`);
  }
  return account.user;
}
