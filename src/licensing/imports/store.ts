import type { Insertable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { type Db, lockName, type Trx } from '../../platform/db/index.ts';
import type { ImportedFields } from './rules.ts';
import type {} from './tables.ts';

/** One import at a time, so that two of the same file do not create a licence twice. */
export const lockImports = (trx: Trx): Promise<void> => lockName(trx, 'licence_imports');

/** A licence that was imported before. */
export interface KnownImport {
  id: number;
  /** The public identifier of the licence. */
  licenceId: string;
  identityHash: string;
  oldKeyHash: string | null;
  productId: number;
  /** Undefined once the customer is deleted. */
  base: ImportedFields | undefined;
  exchangeUntil: number;
}

const selectImports = (db: Db) =>
  db
    .selectFrom('licence_imports')
    .innerJoin('licences', 'licences.id', 'licence_imports.licence_id')
    .select([
      'licence_imports.id',
      'licences.public_id',
      'licence_imports.identity_hash',
      'licence_imports.old_key_hash',
      'licence_imports.product_id',
      'licence_imports.base',
      'licence_imports.exchange_until',
    ]);

async function listImports(query: ReturnType<typeof selectImports>): Promise<KnownImport[]> {
  const rows = await query.execute();
  return rows.map(({ base, ...row }) => {
    const fields = JSON.parse(base);
    return {
      id: row.id,
      licenceId: row.public_id,
      identityHash: row.identity_hash,
      oldKeyHash: row.old_key_hash,
      productId: row.product_id,
      base: Object.keys(fields).length === 0 ? undefined : fields,
      exchangeUntil: row.exchange_until,
    };
  });
}

/** The imports with one of these identities, or one of these old keys. */
export async function findImports(
  db: Db,
  identityHashes: readonly string[],
  oldKeyHashes: readonly string[],
): Promise<KnownImport[]> {
  if (identityHashes.length === 0) return [];
  return listImports(
    selectImports(db).where((row) =>
      row.or([
        row('identity_hash', 'in', identityHashes),
        ...(oldKeyHashes.length > 0 ? [row('old_key_hash', 'in', oldKeyHashes)] : []),
      ]),
    ),
  );
}

/** The imports of each product that have this old key. */
export const listImportsWithKey = (db: Db, oldKeyHash: string): Promise<KnownImport[]> =>
  listImports(selectImports(db).where('old_key_hash', '=', oldKeyHash));

export async function insertImport(
  trx: Trx,
  {
    base,
    ...values
  }: Omit<Insertable<Database['licence_imports']>, 'base'> & {
    base: ImportedFields;
  },
): Promise<void> {
  await trx
    .insertInto('licence_imports')
    .values({ ...values, base: JSON.stringify(base) })
    .execute();
}

export async function updateBase(trx: Trx, id: number, base: ImportedFields): Promise<void> {
  await trx
    .updateTable('licence_imports')
    .set({ base: JSON.stringify(base) })
    .where('id', '=', id)
    .execute();
}

/** When the site of an activation first exchanged the old key, in epoch milliseconds. */
export async function findExchange(trx: Trx, activationId: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('licence_exchanges')
    .select('exchanged_at')
    .where('activation_id', '=', activationId)
    .executeTakeFirst();
  return row?.exchanged_at;
}

export async function insertExchange(trx: Trx, activationId: number, at: number): Promise<void> {
  await trx
    .insertInto('licence_exchanges')
    .values({ activation_id: activationId, exchanged_at: at })
    .execute();
}
