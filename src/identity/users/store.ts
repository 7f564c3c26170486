import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { anyContains, type Db } from '../../platform/db/index.ts';
import type { User } from '../../platform/rest/caller.ts';
import { listCapabilities } from '../../platform/rest/capabilities.ts';
import type { SessionTable, UserTable } from './tables.ts';

/** A user with what never leaves the slice. */
export interface Account {
  user: User;
  passwordHash: string;
  sessionVersion: number;
  lockoutVersion: number;
}

export interface ListedUser extends User {
  lockoutVersion: number;
  createdAt: number;
  lastSeenAt: number | null;
  /** Sessions that are in force. */
  sessions: number;
  applicationPasswords: number;
}

type UserColumns = Pick<Selectable<UserTable>, 'id' | 'login' | 'email' | 'role'>;

export const USER_COLUMNS = ['users.id', 'users.login', 'users.email', 'users.role'] as const;

export const toUser = ({ id, login, email, role }: UserColumns): User => ({
  id,
  login,
  email,
  role,
  capabilities: listCapabilities(role),
});

/** The id of the user with this login, for a statement that writes who did something; null of nobody. */
export const findUserId = (login: string): RawBuilder<number | null> =>
  sql<number | null>`(select users.id from users where users.login = ${login})`;

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

const usersIn = (db: Db) => db.selectFrom('users');

const listed = (query: ReturnType<typeof usersIn>, now: number) =>
  query.select((users) => [
    ...USER_COLUMNS,
    'users.created_at',
    'users.last_seen_at',
    'users.lockout_version',
    users
      .selectFrom('sessions')
      .select((sessions) => sessions.fn.countAll<number>().as('count'))
      .whereRef('sessions.user_id', '=', 'users.id')
      .whereRef('sessions.session_version', '=', 'users.session_version')
      .where('sessions.expires_at', '>', now)
      .as('sessions'),
    users
      .selectFrom('application_passwords')
      .select((passwords) => passwords.fn.countAll<number>().as('count'))
      .whereRef('application_passwords.user_id', '=', 'users.id')
      .as('application_passwords'),
  ]);

type ListedRow = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>;

const toListed = (row: ListedRow): ListedUser => ({
  ...toUser(row),
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  lockoutVersion: row.lockout_version,
  sessions: Number(row.sessions),
  applicationPasswords: Number(row.application_passwords),
});

export interface UserFilter {
  /** Looked for in login and address. */
  search?: string | undefined;
  roles?: readonly string[] | undefined;
}

/** Users, by login, and how many there are. */
export async function listUserRows(
  db: Db,
  { search, roles = [] }: UserFilter,
  { now, offset, limit }: { now: number; offset: number; limit: number },
): Promise<{ users: ListedUser[]; total: number }> {
  let query = usersIn(db);
  if (search) query = query.where(anyContains(db, ['users.login', 'users.email'], search));
  if (roles.length > 0) query = query.where('users.role', 'in', roles);
  const { total } = await query
    .select((users) => users.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await listed(query, now)
    .orderBy('users.login_key')
    .offset(offset)
    .limit(limit)
    .execute();
  return { users: rows.map(toListed), total: Number(total) };
}

export async function findListedUser(
  db: Db,
  id: number,
  now: number,
): Promise<ListedUser | undefined> {
  const row = await listed(usersIn(db), now).where('users.id', '=', id).executeTakeFirst();
  return row && toListed(row);
}

/** @param who an id; or a login or address, in lower case */
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
    }
  );
}

export async function countRole(db: Db, role: string): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((users) => users.fn.countAll<number>().as('count'))
    .where('role', '=', role)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The new user; undefined if the login or the address is taken. */
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

/** Deletes a user with all that they sign in with. */
export async function deleteUser(db: Db, id: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', id).execute();
  await db.deleteFrom('application_passwords').where('user_id', '=', id).execute();
  await db.deleteFrom('users').where('id', '=', id).execute();
}

/** Forgets the failed sign-ins of a user on all nodes: they are counted for another version from now on. */
export async function forgetFailures(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set((set) => ({ lockout_version: set('lockout_version', '+', 1) }))
    .where('id', '=', userId)
    .execute();
}

/** Ends every session of a user, also one that is being opened. */
export async function endSessions(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set((set) => ({ session_version: set('session_version', '+', 1) }))
    .where('id', '=', userId)
    .execute();
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

export async function markSeen(db: Db, userId: number, now: number): Promise<void> {
  await updateUser(db, userId, { last_seen_at: now });
}

export async function insertSession(db: Db, row: Insertable<SessionTable>): Promise<void> {
  await db.insertInto('sessions').values(row).execute();
}

/** Whose session this is, if it is in force. */
export async function findBySession(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<User | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(USER_COLUMNS)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .whereRef('sessions.session_version', '=', 'users.session_version')
    .executeTakeFirst();
  return row && toUser(row);
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

export async function deleteExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}
