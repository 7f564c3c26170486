import type { Insertable } from 'kysely';
import { countRows, type Db, lockName, type Trx } from '../../../platform/db/index.ts';
import type { PasswordResetTable } from '../tables.ts';

/** Serialises requests for one account. */
export const lockResets = (trx: Trx, accountHash: string): Promise<void> =>
  lockName(trx, `password resets of ${accountHash}`);

export async function insertResetLink(
  trx: Trx,
  row: Insertable<PasswordResetTable>,
): Promise<void> {
  await trx.insertInto('password_resets').values(row).execute();
}

/** How many links of an account still work. */
export const countResetLinks = (trx: Trx, accountHash: string, now: number): Promise<number> =>
  countRows(
    trx
      .selectFrom('password_resets')
      .where('account_hash', '=', accountHash)
      .where('expires_at', '>', now),
  );

/** The id of the user whose password a link resets; undefined if it does not work. */
export async function findResetUser(
  db: Db | Trx,
  tokenHash: string,
  now: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.user_id ?? undefined;
}

export async function deleteExpiredResetLinks(trx: Trx, now: number): Promise<void> {
  await trx.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
}
