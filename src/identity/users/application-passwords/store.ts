import type { Insertable, Selection } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { User } from '../../../platform/rest/caller.ts';
import type { Scope } from '../../../platform/rest/scopes.ts';
import { toUser, USER_COLUMNS } from '../store.ts';
import type { ApplicationPasswordTable } from '../tables.ts';

const COLUMNS = [
  'user_id as userId',
  'uuid',
  'app_id as appId',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'expires_at as expiresAt',
  'scopes',
] as const;

type Row = Selection<Database, 'application_passwords', (typeof COLUMNS)[number]>;

export type ApplicationPassword = Omit<Row, 'scopes'> & {
  /** What it is limited to; null: all rights of the user. */
  scopes: readonly Scope[] | null;
};

const parseScopes = (scopes: string | null): readonly Scope[] | null =>
  scopes === null ? null : JSON.parse(scopes);

const toApplicationPassword = (row: Row): ApplicationPassword => ({
  ...row,
  scopes: parseScopes(row.scopes),
});

/** Undefined if the user has one of this name. */
export async function insertApplicationPassword(
  db: Db,
  row: Insertable<ApplicationPasswordTable>,
): Promise<ApplicationPassword | undefined> {
  const inserted = await db
    .insertInto('application_passwords')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  return inserted && toApplicationPassword(inserted);
}

/** Undefined if the user has none with this name or UUID. */
export async function deleteApplicationPassword(
  db: Db,
  userId: number,
  by: { name: string } | { uuid: string },
): Promise<ApplicationPassword | undefined> {
  const deleted = await db
    .deleteFrom('application_passwords')
    .where('user_id', '=', userId)
    .where((where) => ('uuid' in by ? where('uuid', '=', by.uuid) : where('name', '=', by.name)))
    .returning(COLUMNS)
    .executeTakeFirst();
  return deleted && toApplicationPassword(deleted);
}

/** Oldest first; of all users, or of one. */
export async function listApplicationPasswords(
  db: Db,
  userId?: number,
): Promise<ApplicationPassword[]> {
  let query = db.selectFrom('application_passwords').select(COLUMNS).orderBy('id');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return (await query.execute()).map(toApplicationPassword);
}

/**
 * @param key the login or email address that it must belong to, in lower case
 * @param hashes of which it has one
 */
export async function findByApplicationPassword(
  db: Db,
  key: string,
  hashes: readonly string[],
): Promise<{ user: User; passwordId: number; lastUsedAt: number | null } | undefined> {
  const row = await db
    .selectFrom('application_passwords')
    .innerJoin('users', 'users.id', 'application_passwords.user_id')
    .select([
      ...USER_COLUMNS,
      'application_passwords.id as passwordId',
      'application_passwords.last_used_at as lastUsedAt',
      'application_passwords.expires_at as expiresAt',
      'application_passwords.scopes as scopes',
    ])
    .where('application_passwords.hash', 'in', hashes)
    .where((where) => where.or([where('login_key', '=', key), where('email', '=', key)]))
    .executeTakeFirst();
  if (!row) return undefined;
  const { passwordId, lastUsedAt, expiresAt } = row;
  const scopes = parseScopes(row.scopes);
  const user = {
    ...toUser(row),
    ...(scopes && { scopes }),
    ...(expiresAt !== null && { expiresAt }),
  };
  return { user, passwordId, lastUsedAt };
}

export async function touchApplicationPassword(db: Db, id: number, now: number): Promise<void> {
  await db
    .updateTable('application_passwords')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .execute();
}
