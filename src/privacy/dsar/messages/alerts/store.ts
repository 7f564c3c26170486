import type { Db, Trx } from '../../../../platform/db/index.ts';
import type { RequestType } from '../../rules.ts';

/** A request as administrators are told of it: nothing of the person. */
export interface NewRequest {
  id: number;
  reference: string;
  requestType: RequestType;
  /** `YYYY-MM-DD` */
  deadline: string;
}

/** When administrators were last told of a request; null if they never were. */
export async function findLastAlert(db: Db | Trx): Promise<number | null> {
  const { last } = await db
    .selectFrom('dsar_cases')
    .select((eb) => eb.fn.max('alerted_at').as('last'))
    .executeTakeFirstOrThrow();
  return last === null ? null : Number(last);
}

/** The requests that administrators were not told of, oldest first. */
export async function listUnalerted(db: Db | Trx): Promise<NewRequest[]> {
  const rows = await db
    .selectFrom('dsar_cases')
    .select(['id', 'reference', 'request_type', 'deadline'])
    .where('alerted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, reference, request_type, deadline }) => ({
    id,
    reference,
    requestType: request_type,
    deadline,
  }));
}

/** Notes that administrators were told of the requests up to an id. */
export async function markAlerted(trx: Trx, lastId: number, now: number): Promise<void> {
  await trx
    .updateTable('dsar_cases')
    .set({ alerted_at: now })
    .where('alerted_at', 'is', null)
    .where('id', '<=', lastId)
    .execute();
}
