import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../platform/db/index.ts';
import type { MagicLinkTable } from './tables.ts';

/** Keeps a link in place of the one its address had. */
export async function replaceLink(trx: Trx, row: Insertable<MagicLinkTable>): Promise<void> {
  const { address_hash: _, ...renewed } = row;
  await trx
    .insertInto('magic_links')
    .values(row)
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(renewed))
    .execute();
}

/** Takes a link away, which only one caller can: whose it was, if it was still good. */
export async function takeLink(
  trx: Trx,
  tokenHash: string,
  now: number,
): Promise<number | undefined> {
  const row = await trx
    .deleteFrom('magic_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('customer_id', 'is not', null)
    .returning('customer_id')
    .executeTakeFirst();
  return row?.customer_id ?? undefined;
}

export async function deleteLinksOf(trx: Trx, customerId: number): Promise<void> {
  await trx.deleteFrom('magic_links').where('customer_id', '=', customerId).execute();
}

export async function deleteExpiredLinks(db: Db, now: number): Promise<void> {
  await db.deleteFrom('magic_links').where('expires_at', '<=', now).execute();
}
