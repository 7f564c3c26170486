import { sql } from 'kysely';
import { findIdsByKey, type Trx } from '../../../platform/db/index.ts';
import type { NewConsent } from '../recording/store.ts';

/** The source of a record of withdrawal. Clients cannot use it. */
export const WITHDRAWAL_SOURCE = 'erasure';

/**
 * The records of the same visitor with a legal hold of their own, for a record of withdrawal: without it, the consent that
 * is kept would look valid.
 */
export const HELD_CONSENTS = sql`
  select held.id from consent_records as held
  where consent_records.source = ${sql.lit(WITHDRAWAL_SOURCE)} and held.id = record_holds.record_id
    and held.visitor_id = consent_records.visitor_id`;

/** The latest consent of a visitor, if it has not expired at `now`. */
export async function findLatestConsent(
  trx: Trx,
  visitorId: string,
  now: number,
): Promise<
  | Pick<NewConsent, 'categories_accepted' | 'vendors_accepted' | 'config_version' | 'expires_at'>
  | undefined
> {
  const ids = findIdsByKey(
    trx,
    'consent_records',
    'visitor_id',
    (key) => sql`${key} = ${visitorId}`,
  );
  const row = await trx
    .selectFrom('consent_records')
    .select(['categories_accepted', 'vendors_accepted', 'config_version', 'expires_at'])
    .where(sql<boolean>`id in (${ids})`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row || row.expires_at <= now) return undefined;
  return {
    ...row,
    categories_accepted: JSON.parse(row.categories_accepted),
    vendors_accepted: JSON.parse(row.vendors_accepted ?? 'null'),
  };
}
