import type { Insertable, Selectable } from 'kysely';
import { countRows, type Db, type Trx } from '../../../platform/db/index.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../platform/key-case.ts';
import type { CaseDeletionTable } from './tables.ts';

export type CaseDeletion = CamelCased<Selectable<CaseDeletionTable>>;

/** Adds a deletion to the log, in the transaction that deletes the request. */
export async function insertDeletion(
  trx: Trx,
  deletion: CamelCased<Insertable<CaseDeletionTable>>,
): Promise<void> {
  await trx.insertInto('dsar_deletions').values(toSnakeCase(deletion)).execute();
}

/** Newest first. */
export async function listDeletions(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ deletions: CaseDeletion[]; total: number }> {
  const query = db.selectFrom('dsar_deletions');
  const total = await countRows(query);
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { deletions: rows.map(toCamelCase), total };
}

/** The deleted requests that were received in a period, both days inclusive. */
export async function listDeletedWithin(
  db: Db,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<CaseDeletion[]> {
  let query = db.selectFrom('dsar_deletions').selectAll();
  if (from !== undefined) query = query.where('received_on', '>=', from);
  if (to !== undefined) query = query.where('received_on', '<=', to);
  return (await query.execute()).map(toCamelCase);
}
