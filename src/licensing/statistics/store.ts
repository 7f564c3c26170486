import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { DAY_MS } from '../../platform/durations.ts';
import type { LicenceStatus } from '../licences/index.ts';
import type { Changes, DayCounts } from './rules.ts';

const GRACE_END = sql<number>`(expires_at + grace_days * ${sql.lit(DAY_MS)})`;

/** Not before a licence is issued, also if its expiry was set to an earlier moment. */
const afterIssue = (moment: RawBuilder<number>) =>
  sql<number>`case when ${moment} < issued_at then issued_at else ${moment} end`;
const ISSUED_AT = sql<number>`issued_at`;
const CHURNED_AT = afterIssue(
  sql<number>`(case when revoked_at < ${GRACE_END} then revoked_at else ${GRACE_END} end)`,
);
const SUSPENDED_AT = afterIssue(sql<number>`suspended_at`);

export interface LicenceScope {
  productId: number | undefined;
  mode: 'live' | 'test';
}

/**
 * What licences did until a moment, from their present dates.
 * @param from the first day of the period, since 1970
 * @param now epoch milliseconds
 */
export async function countChanges(
  db: Db,
  { productId, mode }: LicenceScope,
  { from, now }: { from: number; now: number },
): Promise<Changes> {
  const start = from * DAY_MS;
  async function count(moment: RawBuilder<number>, isSuspended = false): Promise<DayCounts> {
    let query = db
      .selectFrom('licences')
      .select(({ fn }) => [
        sql<
          number | null
        >`case when ${moment} < ${start} then null else (${moment}) / ${sql.lit(DAY_MS)} end`.as(
          'day',
        ),
        fn.countAll<number>().as('licences'),
      ])
      .where('mode', '=', mode)
      .where('issued_at', '<=', now)
      .where(moment, '<=', now)
      .groupBy(sql`1`);
    if (productId !== undefined) query = query.where('product_id', '=', productId);
    if (isSuspended)
      query = query.where('suspended_at', 'is not', null).where(SUSPENDED_AT, '<', CHURNED_AT);
    const rows = await query.execute();
    const counts = new Map(rows.map(({ day, licences }) => [day, Number(licences)]));
    const before = counts.get(null) ?? 0;
    counts.delete(null);
    return { before, byDay: counts as ReadonlyMap<number, number> };
  }
  return {
    issued: await count(ISSUED_AT),
    churned: await count(CHURNED_AT),
    suspended: await count(SUSPENDED_AT, true),
    suspendedChurned: await count(CHURNED_AT, true),
  };
}

export interface StatusCount {
  productId: number;
  mode: 'live' | 'test';
  status: LicenceStatus;
  licences: number;
}

/** Licences by status, as `getLicenceStatus` decides it. */
export async function countStatuses(db: Db, now: number): Promise<StatusCount[]> {
  const rows = await db
    .selectFrom('licences')
    .select(({ fn }) => [
      'product_id as productId',
      'mode',
      sql<LicenceStatus>`case
        when revoked_at is not null then 'revoked'
        when suspended_at is not null then 'suspended'
        when ${GRACE_END} <= ${now} then 'expired'
        else 'active' end`.as('status'),
      fn.countAll<number>().as('licences'),
    ])
    .groupBy([sql`3`, sql`1`, sql`2`])
    .execute();
  return rows.map((row) => ({ ...row, licences: Number(row.licences) }));
}

/** Completed downloads of releases by product. */
export async function countDownloads(db: Db): Promise<{ productId: number; downloads: number }[]> {
  const rows = await db
    .selectFrom('releases')
    .select(({ fn }) => ['product_id as productId', fn.sum<number>('downloads').as('downloads')])
    .groupBy('product_id')
    .execute();
  return rows.map((row) => ({ ...row, downloads: Number(row.downloads) }));
}
