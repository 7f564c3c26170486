import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { User } from '../../../platform/rest/caller.ts';
import { toUser, USER_COLUMNS } from '../store.ts';
import type { ApplicationPasswordTable } from '../tables.ts';

export interface ApplicationPassword {
  userId: number;
  uuid: string;
  /** Of the program; empty if it gave none. */
  appId: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

const COLUMNS = ['user_id', 'uuid', 'app_id', 'name', 'created_at', 'last_used_at'] as const;

const toApplicationPassword = (
  row: Pick<Selectable<ApplicationPasswordTable>, (typeof COLUMNS)[number]>,
): ApplicationPassword => ({
  userId: row.user_id,
  uuid: row.uuid,
  appId: row.app_id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

/** What was added; undefined if the user has one of this name. */
export async function insertApplicationPassword(
  db: Db,
  row: Insertable<ApplicationPasswordTable>,
): Promise<ApplicationPassword | undefined> {
  const made = await db
    .insertInto('application_passwords')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return made && toApplicationPassword(made);
}

/** What was deleted, if the user had one with this name or uuid. */
export async function deleteApplicationPassword(
  db: Db,
  userId: number,
  by: { name: string } | { uuid: string },
): Promise<ApplicationPassword | undefined> {
  const gone = await db
    .deleteFrom('application_passwords')
    .where('user_id', '=', userId)
    .where((where) => ('uuid' in by ? where('uuid', '=', by.uuid) : where('name', '=', by.name)))
    .returning(COLUMNS)
    .executeTakeFirst();
  return gone && toApplicationPassword(gone);
}

/** Oldest first; of everybody, or of one user. */
export async function listApplicationPasswords(
  db: Db,
  userId?: number,
): Promise<ApplicationPassword[]> {
  let query = db.selectFrom('application_passwords').select(COLUMNS).orderBy('id');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return (await query.execute()).map(toApplicationPassword);
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
