import type { Insertable } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { LicenceKeyTable } from '../tables.ts';

export async function insertKey(trx: Trx, values: Insertable<LicenceKeyTable>): Promise<void> {
  await trx.insertInto('licence_keys').values(values).execute();
}

/** Retires the current key at a moment, and keys in an overlap no later than that. */
export async function retireKeys(trx: Trx, licenceId: number, at: number): Promise<void> {
  await trx
    .updateTable('licence_keys')
    .set({ retires_at: at })
    .where('licence_id', '=', licenceId)
    .where((key) => key.or([key('retires_at', 'is', null), key('retires_at', '>', at)]))
    .execute();
}

/** The hashes of the current key and all earlier ones. */
export async function listKeyHashes(db: Db, licenceId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('licence_keys')
    .select('key_hash')
    .where('licence_id', '=', licenceId)
    .execute();
  return rows.map((row) => row.key_hash);
}

/** When the key before the current one was created; undefined if there was none. */
export async function findFormerKeyTime(trx: Trx, licenceId: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('licence_keys')
    .select('created_at')
    .where('licence_id', '=', licenceId)
    .orderBy('id', 'desc')
    .offset(1)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/** The masked current key of each licence. */
export async function listMaskedKeys(db: Db, licenceIds: number[]): Promise<Map<number, string>> {
  if (licenceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('licence_keys')
    .select(['licence_id', 'masked_key'])
    .where('licence_id', 'in', licenceIds)
    .where('retires_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.licence_id, row.masked_key]));
}
