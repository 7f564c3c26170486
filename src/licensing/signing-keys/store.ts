import type { Insertable, Selectable, Updateable } from 'kysely';
import { type Db, lockName, type Trx } from '../../platform/db/index.ts';
import { toCamelCase } from '../../platform/key-case.ts';
import type { SigningKeyTable } from './tables.ts';

export type StoredKey = ReturnType<typeof toKey>;

const toKey = (row: Selectable<SigningKeyTable>) => toCamelCase(row);

/** All keys, oldest first. */
export async function listStoredKeys(db: Db | Trx): Promise<StoredKey[]> {
  return (await db.selectFrom('signing_keys').selectAll().orderBy('id').execute()).map(toKey);
}

/** Serialises rotations. */
export const lockSigningKeys = (trx: Trx): Promise<void> => lockName(trx, 'signing keys');

export async function insertKey(trx: Trx, values: Insertable<SigningKeyTable>): Promise<void> {
  await trx.insertInto('signing_keys').values(values).execute();
}

/** Marks the keys for which the column is not set yet. */
export async function markKeys(
  trx: Trx,
  column: 'retired_at' | 'revoked_at',
  at: number,
): Promise<void> {
  const values: Updateable<SigningKeyTable> = { [column]: at };
  await trx.updateTable('signing_keys').set(values).where(column, 'is', null).execute();
}
