import type { Trx } from '../../platform/db/index.ts';

interface Identity {
  issuer: string;
  subject: string;
}

/** The id of the user with an identity. */
export async function findUserByIdentity(
  trx: Trx,
  { issuer, subject }: Identity,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom('user_identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.user_id;
}

export async function hasIdentity(trx: Trx, userId: number, issuer: string): Promise<boolean> {
  const row = await trx
    .selectFrom('user_identities')
    .select('id')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  return row !== undefined;
}

/** Links an identity to a user, or records its use. */
export async function saveIdentity(
  trx: Trx,
  userId: number,
  { issuer, subject }: Identity,
  now: number,
): Promise<void> {
  await trx
    .insertInto('user_identities')
    .values({ user_id: userId, issuer, subject, created_at: now, last_used_at: now })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({ last_used_at: now }),
    )
    .execute();
}
