import { CLOCKS_DIFFER_MS } from '../../../../platform/clock.ts';
import type { Db, Trx } from '../../../../platform/db/index.ts';
import { toCamelCase } from '../../../../platform/key-case.ts';
import type { Case } from '../../store.ts';

/** The fields of a request in an alert: no personal data of the requester. */
export type NewRequest = Pick<Case, 'id' | 'reference' | 'requestType' | 'deadline'>;

/** When administrators were last notified of a request, unless the clock was set back since; null if never. */
export async function findLastAlert(db: Db | Trx, now: number): Promise<number | null> {
  const { last } = await db
    .selectFrom('dsar_cases')
    .select((eb) => eb.fn.max('alerted_at').as('last'))
    .where('alerted_at', '<=', now + CLOCKS_DIFFER_MS)
    .executeTakeFirstOrThrow();
  return last === null ? null : Number(last);
}

/** The requests of which administrators were not notified, oldest first. */
export async function listUnalerted(db: Db | Trx): Promise<NewRequest[]> {
  const rows = await db
    .selectFrom('dsar_cases')
    .select(['id', 'reference', 'request_type', 'deadline'])
    .where('alerted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(toCamelCase);
}

/** Records that administrators were notified of the requests up to an id. */
export async function markAlerted(trx: Trx, lastId: number, now: number): Promise<void> {
  await trx
    .updateTable('dsar_cases')
    .set({ alerted_at: now })
    .where('alerted_at', 'is', null)
    .where('id', '<=', lastId)
    .execute();
}
