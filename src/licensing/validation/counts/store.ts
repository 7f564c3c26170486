import { type Selectable, sql } from 'kysely';
import { toIsoMoment } from '../../../platform/clock.ts';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { ValidationCountTable } from './tables.ts';

const KEPT_MONTHS = 25;

export type ValidationCount = Selectable<ValidationCountTable>;

/** Adds to the counts of all nodes. */
export async function addCounts(trx: Trx, counts: readonly ValidationCount[]): Promise<void> {
  await trx
    .insertInto('validation_counts')
    .values(counts)
    .onConflict((conflict) =>
      conflict.columns(['day', 'product_id', 'mode', 'result']).doUpdateSet({
        requests: sql<number>`validation_counts.requests + excluded.requests`,
      }),
    )
    .execute();
}

/**
 * The counts from a day on, by day and result.
 * @param filter unknown keys belong to no product and no mode
 */
export async function listCounts(
  db: Db,
  from: string,
  { productId, mode }: { productId?: number | undefined; mode?: string | undefined },
): Promise<Pick<ValidationCount, 'day' | 'result' | 'requests'>[]> {
  let query = db
    .selectFrom('validation_counts')
    .select(({ fn }) => ['day', 'result', fn.sum<number>('requests').as('requests')])
    .where('day', '>=', from)
    .groupBy(['day', 'result']);
  if (productId !== undefined) query = query.where('product_id', '=', productId);
  if (mode !== undefined) query = query.where('mode', 'in', [mode as ValidationCount['mode'], '']);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, requests: Number(row.requests) }));
}

/** Deletes the counts that are older than 25 months, so that a month can be compared with the same one two years before. */
export async function deleteOldCounts(trx: Trx, now: number): Promise<void> {
  const today = Temporal.PlainDate.from(toIsoMoment(now).slice(0, 10));
  await trx
    .deleteFrom('validation_counts')
    .where('day', '<', today.subtract({ months: KEPT_MONTHS }).toString())
    .execute();
}
