import type { Db } from '../../../platform/db/index.ts';
import type { Scan } from '../store.ts';

/**
 * The id of the latest earlier scan of the same site with which a scan can be compared: completed, of the whole site,
 * at least as deep, and also with or without a browser.
 */
export async function findComparableScan(
  db: Db,
  { id, siteUrl, depth, engine }: Scan,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('scans')
    .select('id')
    .where('id', '<', id)
    .where('site_url', '=', siteUrl)
    .where('status', '=', 'completed')
    .where('started_by', '!=', 'proof')
    .where('depth', '>=', depth)
    .where('engine', engine === 'html' ? '=' : '!=', 'html')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('scan_pages as page')
          .select('page.id')
          .whereRef('page.scan_id', '=', 'scans.id')
          .where('page.state', '=', 'scanned'),
      ),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export async function listFailedUrls(db: Db, scanId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scan_pages')
    .select('url')
    .where('scan_id', '=', scanId)
    .where('state', '=', 'failed')
    .execute();
  return rows.map(({ url }) => url);
}
