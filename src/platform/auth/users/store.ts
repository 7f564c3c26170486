import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../../db/index.ts';
import type { User } from '../caller.ts';
import { capabilitiesOf } from './roles.ts';
import type { ApplicationPasswordTable, SessionTable, UserTable } from './tables.ts';

/** A user with what never leaves the slice. */
export interface Account {
  user: User;
  passwordHash: string;
  sessionVersion: number;
}

export interface ListedUser extends Omit<User, 'capabilities'> {
  createdAt: number;
}

export interface ListedApplicationPassword {
  userId: number;
  uuid: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

type UserColumns = Pick<Selectable<UserTable>, 'id' | 'login' | 'email' | 'role'>;

const USER_COLUMNS = ['users.id', 'users.login', 'users.email', 'users.role'] as const;

const toUser = ({ id, login, email, role }: UserColumns): User => ({
  id,
  login,
  email,
  role,
  capabilities: capabilitiesOf(role),
});

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function listUserRows(db: Db): Promise<ListedUser[]> {
  const rows = await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'created_at'])
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, ...user }) => ({ ...user, createdAt: created_at }));
}

/** @param key login or address, in lower case */
export async function findAccount(db: Db, key: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where((where) => where.or([where('login_key', '=', key), where('email', '=', key)]))
    .executeTakeFirst();
  return (
    row && {
      user: toUser(row),
      passwordHash: row.password_hash,
      sessionVersion: row.session_version,
    }
  );
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

/** Sets another password, and with it ends every session, also one that is being opened. */
export async function replacePassword(db: Db, userId: number, hash: string): Promise<void> {
  await db
    .updateTable('users')
    .set((set) => ({ password_hash: hash, session_version: set('session_version', '+', 1) }))
    .where('id', '=', userId)
    .execute();
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** Whether it was added: false if the user has one of this name. */
export async function insertApplicationPassword(
  db: Db,
  row: Insertable<ApplicationPasswordTable>,
): Promise<boolean> {
  const made = await db
    .insertInto('application_passwords')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** Whether there was one of this name. */
export async function deleteApplicationPassword(
  db: Db,
  userId: number,
  name: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('application_passwords')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function listApplicationPasswordRows(db: Db): Promise<ListedApplicationPassword[]> {
  const rows = await db
    .selectFrom('application_passwords')
    .select(['user_id', 'uuid', 'name', 'created_at', 'last_used_at'])
    .orderBy('id')
    .execute();
  return rows.map(({ user_id, created_at, last_used_at, ...rest }) => ({
    ...rest,
    userId: user_id,
    createdAt: created_at,
    lastUsedAt: last_used_at,
  }));
}

/** Whose application password this is, if it belongs to the login or address (in lower case). */
export async function findByApplicationPassword(
  db: Db,
  key: string,
  hash: string,
): Promise<{ user: User; passwordId: number; lastUsedAt: number | null } | undefined> {
  const row = await db
    .selectFrom('application_passwords')
    .innerJoin('users', 'users.id', 'application_passwords.user_id')
    .select([
      ...USER_COLUMNS,
      'application_passwords.id as password_id',
      'application_passwords.last_used_at',
    ])
    .where('application_passwords.hash', '=', hash)
    .where((where) => where.or([where('login_key', '=', key), where('email', '=', key)]))
    .executeTakeFirst();
  return row && { user: toUser(row), passwordId: row.password_id, lastUsedAt: row.last_used_at };
}

export async function touchApplicationPassword(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable('application_passwords')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .execute();
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
