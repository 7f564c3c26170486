import { type Selectable, sql } from 'kysely';
import { type Condition, countRows, type Db, type Trx } from '../../platform/db/index.ts';
import { toCamelCase, toSnakeCase } from '../../platform/key-case.ts';
import type { LegalHoldTable } from './tables.ts';

/** Times in epoch milliseconds. */
export interface LegalHold {
  id: number;
  dataCategory: string;
  recordId: number | null;
  reason: string;
  placedBy: string;
  createdAt: number;
  /** Null while the hold is active. */
  lifted: { at: number; by: string; reason: string | null } | null;
}

const toLegalHold = ({
  lifted_at: at,
  lifted_by: by,
  lifted_reason,
  ...row
}: Selectable<LegalHoldTable>): LegalHold => ({
  ...toCamelCase(row),
  lifted: at === null ? null : { at, by: by ?? '', reason: lifted_reason },
});

/** Active or lifted holds, newest first, with their total. */
export async function listLegalHolds(
  db: Db,
  { isLifted }: { isLifted: boolean },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ holds: LegalHold[]; total: number }> {
  const query = db.selectFrom('record_holds').where('lifted_at', isLifted ? 'is not' : 'is', null);
  const total = await countRows(query);
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { holds: rows.map(toLegalHold), total };
}

export async function insertLegalHold(
  trx: Trx,
  hold: Omit<LegalHold, 'id' | 'lifted'>,
): Promise<LegalHold> {
  const row = await trx
    .insertInto('record_holds')
    .values(toSnakeCase(hold))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toLegalHold(row);
}

/** Undefined if there is no active hold with this id. The row is kept as evidence. */
export async function liftLegalHold(
  trx: Trx,
  id: number,
  { at, by, reason }: NonNullable<LegalHold['lifted']>,
): Promise<LegalHold | undefined> {
  const row = await trx
    .updateTable('record_holds')
    .set({ lifted_at: at, lifted_by: by, lifted_reason: reason })
    .where('id', '=', id)
    .where('lifted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row && toLegalHold(row);
}

/**
 * Removes the authors and reasons of lifted holds.
 * @param ids the inside of an `in (…)`
 */
export async function anonymiseLiftedHolds(trx: Trx, ids: Condition): Promise<void> {
  await trx
    .updateTable('record_holds')
    .set({
      placed_by: 'anonymised',
      reason: 'anonymised',
      lifted_by: 'anonymised',
      lifted_reason: null,
    })
    .where('lifted_at', 'is not', null)
    .where(sql<boolean>`id in (${ids})`)
    .execute();
}
