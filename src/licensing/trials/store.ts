import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../platform/db/index.ts';
import type { TrialTable } from './tables.ts';

type Hashes = Pick<Insertable<TrialTable>, 'product_id' | 'address_hash' | 'site_hash'>;

/** @returns false if the address or the site has had a trial; a concurrent transaction is waited for */
export async function insertTrial(trx: Trx, values: Insertable<TrialTable>): Promise<boolean> {
  const row = await trx
    .insertInto('trials')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the address and the site have had a trial, each on its own or both together. */
export async function findTrialUse(
  db: Db,
  { product_id, address_hash, site_hash }: Hashes,
): Promise<{ isUsed: boolean; isSame: boolean }> {
  const rows = await db
    .selectFrom('trials')
    .select(['address_hash', 'site_hash'])
    .where('product_id', '=', product_id)
    .where((trial) =>
      trial.or([trial('address_hash', '=', address_hash), trial('site_hash', '=', site_hash)]),
    )
    .execute();
  const isSame = rows.some(
    (row) => row.address_hash === address_hash && row.site_hash === site_hash,
  );
  return { isUsed: rows.length > 0, isSame };
}

export async function deleteTrials(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('trials').where('started_at', '<', before).execute();
}
