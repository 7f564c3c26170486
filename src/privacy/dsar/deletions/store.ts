import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { Case } from '../store.ts';
import type { CaseDeletionTable } from './tables.ts';

type Kept = Pick<
  Case,
  'reference' | 'requestType' | 'status' | 'receivedAt' | 'receivedOn' | 'closedAt'
>;

/** What is left of a deleted request: nothing about the person. Moments in epoch milliseconds. */
export interface CaseDeletion extends Kept {
  id: number;
  deletedAt: number;
  /** A login. */
  actor: string;
  reason: string | null;
}

const toDeletion = (row: Selectable<CaseDeletionTable>): CaseDeletion => ({
  id: row.id,
  reference: row.reference,
  requestType: row.request_type,
  status: row.status,
  receivedAt: row.received_at,
  receivedOn: row.received_on,
  closedAt: row.closed_at,
  deletedAt: row.deleted_at,
  actor: row.actor,
  reason: row.reason,
});

/** Adds a deletion to the log, in the transaction that deletes the request. */
export async function insertDeletion(
  trx: Trx,
  dsarCase: Kept,
  { deletedAt, actor, reason }: Pick<CaseDeletion, 'deletedAt' | 'actor' | 'reason'>,
): Promise<void> {
  await trx
    .insertInto('dsar_deletions')
    .values({
      reference: dsarCase.reference,
      request_type: dsarCase.requestType,
      status: dsarCase.status,
      received_at: dsarCase.receivedAt,
      received_on: dsarCase.receivedOn,
      closed_at: dsarCase.closedAt,
      deleted_at: deletedAt,
      actor,
      reason,
    })
    .execute();
}

/** A page of the log, newest first, and how many deletions there are. */
export async function listDeletions(
  db: Db,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ deletions: CaseDeletion[]; total: number }> {
  const query = db.selectFrom('dsar_deletions');
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return { deletions: rows.map(toDeletion), total: Number(total) };
}

/** Every deleted request that came in within days, both inclusive. */
export async function listDeletedWithin(
  db: Db,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<CaseDeletion[]> {
  let query = db.selectFrom('dsar_deletions').selectAll();
  if (from !== undefined) query = query.where('received_on', '>=', from);
  if (to !== undefined) query = query.where('received_on', '<=', to);
  return (await query.execute()).map(toDeletion);
}
