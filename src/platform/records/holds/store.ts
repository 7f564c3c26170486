import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../db/index.ts';
import type { RecordHoldTable } from './tables.ts';

/** A hold; moments in epoch milliseconds. */
export interface Hold {
  id: number;
  dataCategory: string;
  recordId: number | null;
  reason: string;
  placedBy: string;
  createdAt: number;
}

const toHold = (row: Selectable<RecordHoldTable>): Hold => ({
  id: row.id,
  dataCategory: row.data_category,
  recordId: row.record_id,
  reason: row.reason,
  placedBy: row.placed_by,
  createdAt: row.created_at,
});

/** A page of the holds, newest first, and how many there are. */
export async function listHolds(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ holds: Hold[]; total: number }> {
  const { total } = await db
    .selectFrom('record_holds')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('record_holds')
    .selectAll()
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { holds: rows.map(toHold), total: Number(total) };
}

export async function insertHold(trx: Trx, hold: Omit<Hold, 'id'>): Promise<Hold> {
  const row = await trx
    .insertInto('record_holds')
    .values({
      data_category: hold.dataCategory,
      record_id: hold.recordId,
      reason: hold.reason,
      placed_by: hold.placedBy,
      created_at: hold.createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toHold(row);
}

/** @returns what the hold was; undefined if there is none */
export async function deleteHold(trx: Trx, id: number): Promise<Hold | undefined> {
  const row = await trx
    .deleteFrom('record_holds')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toHold(row);
}
