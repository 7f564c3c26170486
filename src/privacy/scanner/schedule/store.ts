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

/**
 * Whether a scheduled scan of a site was started between two moments, or has not ended. One that was started later was
 * started before the clock was set back.
 */
export async function hasScheduledScan(
  db: Db,
  siteUrl: string,
  { since, until }: { since: number; until: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('scans')
    .select(sql`1`.as('one'))
    .where('site_url', '=', siteUrl)
    .where('started_by', '=', 'schedule')
    .where(({ or, eb, between }) =>
      or([between('started_at', since, until), eb('status', 'in', ['queued', 'started'])]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
