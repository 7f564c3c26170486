import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';

/** The id of the latest scan of a site that the schedule has started; undefined if there is none. */
export async function findLastScheduled(db: Db, siteUrl: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('scans')
    .select('id')
    .where('site_url', '=', siteUrl)
    .where('started_by', '=', 'schedule')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Whether a scheduled scan of a site was started at or after a moment, or has not ended. */
export async function hasScheduledScan(db: Db, siteUrl: string, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('scans')
    .select(sql`1`.as('one'))
    .where('site_url', '=', siteUrl)
    .where('started_by', '=', 'schedule')
    .where(({ or, eb }) =>
      or([eb('started_at', '>=', since), eb('status', 'in', ['queued', 'started'])]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
