import type { Insertable } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../../platform/clock.ts';
import { type Db, lockName, type Trx } from '../../platform/db/index.ts';
import type { MagicLinkTable } from './tables.ts';

export async function insertLink(trx: Trx, row: Insertable<MagicLinkTable>): Promise<void> {
  await trx.insertInto('magic_links').values(row).execute();
}

/** Whether an unused link was sent to the address after a moment, and not before the clock was set back. */
export async function hasLinkSince(
  trx: Trx,
  addressHash: string,
  { since, now }: { since: number; now: number },
): Promise<boolean> {
  const row = await trx
    .selectFrom('magic_links')
    .select('id')
    .where('address_hash', '=', addressHash)
    .where('created_at', '>', since)
    .where('created_at', '<=', now + CLOCKS_DIFFER_MS)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a link and all others of its address. @returns the customer, if the link was valid */
export async function consumeLink(
  trx: Trx,
  tokenHash: string,
  now: number,
): Promise<number | undefined> {
  const link = await trx
    .selectFrom('magic_links')
    .select('address_hash')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (!link) return undefined;
  await lockLinks(trx, link.address_hash);
  const row = await trx
    .deleteFrom('magic_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('customer_id', 'is not', null)
    .returning('customer_id')
    .executeTakeFirst();
  if (!row) return undefined;
  await trx.deleteFrom('magic_links').where('address_hash', '=', link.address_hash).execute();
  return row.customer_id ?? undefined;
}

/** Serialises changes to the links of an address. */
export const lockLinks = (trx: Trx, addressHash: string): Promise<void> =>
  lockName(trx, `sign-in links of ${addressHash}`);

export async function deleteClientLinks(
  trx: Trx,
  addressHash: string,
  clientHash: string,
): Promise<void> {
  await trx
    .deleteFrom('magic_links')
    .where('address_hash', '=', addressHash)
    .where('client_hash', '=', clientHash)
    .execute();
}

export async function deleteCustomerLinks(trx: Trx, customerId: number): Promise<void> {
  await trx.deleteFrom('magic_links').where('customer_id', '=', customerId).execute();
}

export async function deleteExpiredLinks(db: Db, now: number): Promise<void> {
  await db.deleteFrom('magic_links').where('expires_at', '<=', now).execute();
}
