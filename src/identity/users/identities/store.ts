import type { Db } from '../../../platform/db/index.ts';
import type {} from '../tables.ts';

/** Deletes the links of a user with the single sign-on provider. @returns false if there are none */
export async function deleteIdentities(db: Db, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_identities')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
