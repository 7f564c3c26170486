import type { Selectable } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import { countRows, type Db } from '../../../platform/db/index.ts';
import { deletePasskeys } from '../passkeys/store.ts';
import type {} from './tables.ts';

type AuthenticatorApp = Omit<Selectable<Database['authenticator_apps']>, 'id'>;

export const findAuthenticatorApp = (db: Db, userId: number) =>
  db.selectFrom('authenticator_apps').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** Adds the authenticator app of a user, or replaces it. */
export async function saveAuthenticatorApp(db: Db, row: AuthenticatorApp): Promise<void> {
  const { user_id: _, ...columns } = row;
  await db
    .insertInto('authenticator_apps')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute();
}

/** @returns false if a code of this or a later time step was accepted before */
export async function useStep(db: Db, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('authenticator_apps')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if the user has no authenticator app */
export async function deleteAuthenticatorApp(db: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('authenticator_apps')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const countRecoveryCodes = (db: Db, userId: number): Promise<number> =>
  countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId));

export async function replaceRecoveryCodes(
  db: Db,
  userId: number,
  hashes: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(db, userId);
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

export async function deleteRecoveryCodes(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Deletes a recovery code. @returns false if the user has no such code */
export async function useRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes everything that a user signs in with beside the password. */
export async function deleteSecondFactor(db: Db, userId: number): Promise<void> {
  await deleteAuthenticatorApp(db, userId);
  await deletePasskeys(db, userId);
  await deleteRecoveryCodes(db, userId);
}
