import {
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Updateable,
} from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { anyContains, countRows, type Db, lockRows } from '../../platform/db/index.ts';
import type { User } from '../../platform/rest/caller.ts';
import { listCapabilities } from '../../platform/rest/capabilities.ts';
import { deleteIdentities } from './identities/store.ts';
import { deleteSecondFactor } from './second-factor/store.ts';
import type { SignInMethod, UserTable } from './tables.ts';

/** A user with fields that stay within the slice. */
export interface Account {
  user: User;
  passwordHash: string;
  sessionVersion: number;
  lockoutVersion: number;
  /** Whether the user has entered the email address, which nobody has verified. */
  hasOwnEmailEntry: boolean;
  /** Whether the password was set under the rules of another role. */
  needsPasswordCheck: boolean;
}

export const USER_COLUMNS = ['users.id', 'users.login', 'users.email', 'users.role'] as const;

type UserRow = Pick<Selectable<UserTable>, 'id' | 'login' | 'email' | 'role'>;

export const toUser = ({ id, login, email, role }: UserRow): User => ({
  id,
  login,
  email,
  role,
  capabilities: listCapabilities(role),
});

/** A subquery for the id of the user with a login; null for other actors. */
export const findUserId = (login: string): RawBuilder<number | null> =>
  sql<number | null>`(select users.id from users where users.login = ${login})`;

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** A subquery for the number of rows that belong to the user of the outer query. */
const countOwn = (
  table: 'application_passwords' | 'authenticator_apps' | 'passkeys' | 'user_identities',
): RawBuilder<number> =>
  sql<number>`(select count(*) from ${sql.table(table)} as own where own.user_id = users.id)`;

/** @param now counts the sessions that are active at this moment */
const selectListed = (query: SelectQueryBuilder<Database, 'users', object>, now: number) =>
  query.select((users) => [
    ...USER_COLUMNS,
    'users.created_at as createdAt',
    'users.last_seen_at as lastSeenAt',
    'users.lockout_version as lockoutVersion',
    'users.own_email_entry as ownEmailEntry',
    users
      .selectFrom('sessions')
      .select((sessions) => sessions.fn.countAll<number>().as('count'))
      .whereRef('sessions.user_id', '=', 'users.id')
      .whereRef('sessions.session_version', '=', 'users.session_version')
      .where('sessions.expires_at', '>', now)
      .as('sessions'),
    countOwn('application_passwords').as('applicationPasswords'),
    countOwn('authenticator_apps').as('authenticatorApps'),
    countOwn('passkeys').as('passkeys'),
    countOwn('user_identities').as('identities'),
  ]);

type ListedRow = Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirstOrThrow']>>;
export type ListedUser = ReturnType<typeof toListed>;

const toListed = ({
  authenticatorApps,
  passkeys,
  identities,
  ownEmailEntry,
  ...row
}: ListedRow) => ({
  ...row,
  hasIdentity: Number(identities) > 0,
  hasOwnEmailEntry: ownEmailEntry === 1,
  hasSecondFactor: Number(authenticatorApps) + Number(passkeys) > 0,
  capabilities: listCapabilities(row.role),
  sessions: Number(row.sessions),
  applicationPasswords: Number(row.applicationPasswords),
});

export interface UserFilter {
  /** Part of a login or email address. */
  search?: string | undefined;
  roles?: readonly string[] | undefined;
}

/** Users by login, with their total. */
export async function listUserRows(
  db: Db,
  { search, roles = [] }: UserFilter,
  { now, offset, limit }: { now: number; offset: number; limit: number },
): Promise<{ users: ListedUser[]; total: number }> {
  let query = db.selectFrom('users');
  if (search) query = query.where(anyContains(db, ['users.login', 'users.email'], search));
  if (roles.length > 0) query = query.where('users.role', 'in', roles);
  const total = await countRows(query);
  const page = selectListed(query, now).orderBy('users.login_key').offset(offset).limit(limit);
  return { users: (await page.execute()).map(toListed), total };
}

export async function findListedUser(
  db: Db,
  id: number,
  now: number,
): Promise<ListedUser | undefined> {
  const query = db.selectFrom('users').where('users.id', '=', id);
  const row = await selectListed(query, now).executeTakeFirst();
  return row && toListed(row);
}

/** @param who an id; or a login or email address, in lower case */
export async function findAccount(db: Db, who: number | string): Promise<Account | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where((where) =>
      typeof who === 'number'
        ? where('id', '=', who)
        : where.or([where('login_key', '=', who), where('email', '=', who)]),
    )
    .executeTakeFirst();
  return (
    row && {
      user: toUser(row),
      passwordHash: row.password_hash,
      sessionVersion: row.session_version,
      lockoutVersion: row.lockout_version,
      hasOwnEmailEntry: row.own_email_entry === 1,
      needsPasswordCheck: row.check_password === 1,
    }
  );
}

export const countRole = (db: Db, role: string): Promise<number> =>
  countRows(db.selectFrom('users').where('role', '=', role));

/** Undefined if the login or email address is taken. */
export async function insertUser(db: Db, row: Insertable<UserTable>): Promise<User | undefined> {
  const made = await db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning(USER_COLUMNS)
    .executeTakeFirst();
  return made && toUser(made);
}

export async function updateUser(
  db: Db,
  id: number,
  columns: Updateable<UserTable>,
): Promise<void> {
  await db.updateTable('users').set(columns).where('id', '=', id).execute();
}

/** Records that the password of an account was checked, unless another was set since the account was read. */
export async function clearPasswordCheck(db: Db, { user, passwordHash }: Account): Promise<void> {
  await db
    .updateTable('users')
    .set({ check_password: 0 })
    .where('id', '=', user.id)
    .where('password_hash', '=', passwordHash)
    .execute();
}

/** Deletes a user with their sessions, application passwords and second factor. */
export async function deleteUser(db: Db, id: number): Promise<void> {
  await deleteSecondFactor(db, id);
  await db.deleteFrom('application_passwords').where('user_id', '=', id).execute();
  await deleteResetLinks(db, id);
  await deleteIdentities(db, id);
  // Waits for a session that is being opened, so that it is deleted too.
  await lockRows(db, db.selectFrom('users').select('id').where('id', '=', id)).execute();
  await db.deleteFrom('sessions').where('user_id', '=', id).execute();
  await db.deleteFrom('users').where('id', '=', id).execute();
}

/** Forgets the failed sign-ins of a user on all nodes, which count by version. */
export async function forgetFailures(db: Db, id: number): Promise<void> {
  await db
    .updateTable('users')
    .set((set) => ({ lockout_version: set('lockout_version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Ends every session of a user, also one that is being opened. */
export async function endSessions(db: Db, id: number): Promise<void> {
  await db
    .updateTable('users')
    .set((set) => ({ session_version: set('session_version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('sessions').where('user_id', '=', id).execute();
}

/** Deletes the emailed links that set a password of a user. */
export async function deleteResetLinks(db: Db, id: number): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', id).execute();
}

/** Sets a password, ends all sessions and emailed links, and forgets failed sign-ins. */
export async function setPassword(db: Db, id: number, hash: string): Promise<void> {
  await updateUser(db, id, { password_hash: hash, check_password: 0 });
  await endSessions(db, id);
  await deleteResetLinks(db, id);
  await forgetFailures(db, id);
}

/** An active session with its user. */
export async function findBySession(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<
  { user: User; id: number; lastUsedAt: number | null; method: SignInMethod } | undefined
> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      ...USER_COLUMNS,
      'sessions.id as sessionId',
      'sessions.last_used_at as lastUsedAt',
      'sessions.method as method',
    ])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .whereRef('sessions.session_version', '=', 'users.session_version')
    .executeTakeFirst();
  if (!row) return undefined;
  const { sessionId: id, lastUsedAt, method } = row;
  return { user: toUser(row), id, lastUsedAt, method };
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

export async function deleteExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}
