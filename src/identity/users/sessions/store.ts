import type { Insertable, Selection } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { SessionTable } from '../tables.ts';

const COLUMNS = [
  'sessions.id',
  'sessions.address',
  'sessions.user_agent as userAgent',
  'sessions.created_at as createdAt',
  'sessions.last_used_at as lastUsedAt',
  'sessions.expires_at as expiresAt',
] as const;

/** An active session of a user. */
export type OpenSession = Selection<Database, 'sessions', (typeof COLUMNS)[number]>;

const selectOpen = (db: Db | Trx, userId: number, now: number) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(COLUMNS)
    .where('sessions.user_id', '=', userId)
    .where('sessions.expires_at', '>', now)
    .whereRef('sessions.session_version', '=', 'users.session_version');

/**
 * Records that a user signs in, and locks them until the transaction ends.
 * @returns whether the user exists
 */
export async function touchUser(trx: Trx, id: number, now: number): Promise<boolean> {
  const row = await trx
    .updateTable('users')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns its id */
export async function insertSession(trx: Trx, row: Insertable<SessionTable>): Promise<number> {
  const { id } = await trx
    .insertInto('sessions')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Newest first. */
export async function listOpenSessions(
  db: Db | Trx,
  userId: number,
  now: number,
): Promise<OpenSession[]> {
  return await selectOpen(db, userId, now).orderBy('sessions.id', 'desc').execute();
}

/** Deletes a session of a user. @returns undefined if the user has no such active session */
export async function deleteOpenSession(
  trx: Trx,
  { userId, id, now }: { userId: number; id: number; now: number },
): Promise<OpenSession | undefined> {
  const row = await selectOpen(trx, userId, now).where('sessions.id', '=', id).executeTakeFirst();
  if (row) await trx.deleteFrom('sessions').where('id', '=', id).execute();
  return row;
}

/** Ends every session of a user but one, also one that is being opened. */
export async function endOtherSessions(trx: Trx, userId: number, keptId: number): Promise<void> {
  await trx
    .updateTable('users')
    .set((set) => ({ session_version: set('session_version', '+', 1) }))
    .where('id', '=', userId)
    .execute();
  await trx
    .updateTable('sessions')
    .set((eb) => ({
      session_version: eb
        .selectFrom('users')
        .select('users.session_version')
        .where('users.id', '=', userId),
    }))
    .where('id', '=', keptId)
    .where('user_id', '=', userId)
    .execute();
  await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', keptId)
    .execute();
}

/** A statement for databases of all versions. */
export const END_ALL_SESSIONS = 'delete from sessions';

/** Records the use of a session. */
export async function touchSession(trx: Trx, id: number, now: number): Promise<void> {
  await trx.updateTable('sessions').set({ last_used_at: now }).where('id', '=', id).execute();
}
