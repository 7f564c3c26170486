import { sql } from 'kysely';
import { findIdsByKey, type Trx } from '../../../platform/db/index.ts';
import type { NewConsent } from '../recording/store.ts';

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
