import { sql } from 'kysely';
import { countRows, type Db, lockName, type Trx } from '../../../platform/db/index.ts';
import { SCAN_STATES, type ScanState } from '../observation.ts';
import type { AssessedBanner, AssessedVisit, VisitSignals } from './assess.ts';
import { type Recording, unpackRecording } from './recording.ts';
import {
  mayKeepPictures,
  type PageShortcoming,
  PICTURES_MAX,
  SCANS_WITH_PICTURES,
} from './rules.ts';

/** Saves the visits of a page, in place of its earlier ones. */
export async function replaceVisits(
  trx: Trx,
  {
    scanId,
    pageId,
    visits,
    isRemarkable,
    now,
  }: {
    scanId: number;
    pageId: number;
    visits: readonly AssessedVisit[];
    /** The page has a broken promise or a shortcoming. */
    isRemarkable: boolean;
    now: number;
  },
): Promise<void> {
  await trx.deleteFrom('scan_visits').where('page_id', '=', pageId).execute();
  if (visits.length === 0) return;
  const count = await countRows(
    trx
      .selectFrom('scan_visits')
      .where('scan_id', '=', scanId)
      .where('picture_sha256', 'is not', null),
  );
  let left = mayKeepPictures(count, isRemarkable) ? PICTURES_MAX - count : 0;
  const rows = visits.map(({ picture, ...visit }) => {
    const kept = left > 0 ? picture : null;
    if (kept) left -= 1;
    return {
      scan_id: scanId,
      page_id: pageId,
      state: visit.state,
      outcome: visit.outcome,
      error: visit.error,
      clicks: visit.clicks,
      duration_ms: visit.durationMs,
      visited_at: now,
      recording: visit.recording,
      signals: JSON.stringify(visit.signals),
      banner: visit.banner && JSON.stringify(visit.banner),
      picture: kept?.bytes ?? null,
      picture_sha256: kept?.sha256 ?? null,
    };
  });
  await trx.insertInto('scan_visits').values(rows).execute();
}

export interface SavedVisit {
  id: number;
  pageUrl: string;
  state: ScanState;
  outcome: AssessedVisit['outcome'];
  error: string | null;
  clicks: number;
  durationMs: number;
  /** Epoch milliseconds. */
  visitedAt: number;
  signals: VisitSignals;
  banner: AssessedBanner | null;
  /** Hexadecimal, also of a picture that was removed; null if there never was one. */
  pictureSha256: string | null;
  hasPicture: boolean;
}

const selectVisits = (db: Db, scanId: number) =>
  db.selectFrom('scan_visits').where('scan_visits.scan_id', '=', scanId);

/** All visits of a scan, by page and state. */
export const listAllVisits = (db: Db, scanId: number): Promise<SavedVisit[]> =>
  readVisits(selectVisits(db, scanId));

/** A slice of the visits of a scan, by page and state. */
export async function listVisits(
  db: Db,
  scanId: number,
  { pageUrl, offset, limit }: { pageUrl: string | undefined; offset: number; limit: number },
): Promise<{ visits: SavedVisit[]; total: number }> {
  let query = selectVisits(db, scanId);
  if (pageUrl !== undefined)
    query = query.where('scan_visits.page_id', 'in', (eb) =>
      eb
        .selectFrom('scan_pages')
        .select('scan_pages.id')
        .where('scan_pages.scan_id', '=', scanId)
        .where('scan_pages.url', '=', pageUrl),
    );
  const total = await countRows(query);
  return { visits: await readVisits(query.offset(offset).limit(limit)), total };
}

async function readVisits(query: ReturnType<typeof selectVisits>): Promise<SavedVisit[]> {
  const rows = await query
    .innerJoin('scan_pages as page', 'page.id', 'scan_visits.page_id')
    .select((eb) => [
      'scan_visits.id',
      'page.url as pageUrl',
      'scan_visits.state',
      'scan_visits.outcome',
      'scan_visits.error',
      'scan_visits.clicks',
      'scan_visits.duration_ms as durationMs',
      'scan_visits.visited_at as visitedAt',
      'scan_visits.signals',
      'scan_visits.banner',
      'scan_visits.picture_sha256 as pictureSha256',
      eb
        .case()
        .when('scan_visits.picture', 'is', null)
        .then(eb.lit(0))
        .else(eb.lit(1))
        .end()
        .as('hasPicture'),
    ])
    .orderBy('scan_visits.page_id')
    .orderBy('scan_visits.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    signals: JSON.parse(row.signals),
    banner: row.banner === null ? null : JSON.parse(row.banner),
    hasPicture: row.hasPicture === 1,
  }));
}

/**
 * On how many pages of a scan the visits of each state had each outcome, in the order of `SCAN_STATES`, and how many of
 * these visits ended before the page was read completely.
 */
export async function tallyOutcomes(db: Db, scanId: number) {
  const rows = await db
    .selectFrom('scan_visits')
    .where('scan_id', '=', scanId)
    .groupBy(['state', 'outcome'])
    .select((eb) => [
      ...(['state', 'outcome'] as const),
      eb.fn.countAll<number>().as('pages'),
      // Each failed visit has an error.
      sql<number>`count(case when outcome <> 'failed' then error end)`.as('ended_early'),
    ])
    .execute();
  return rows
    .map((row) => ({ ...row, pages: Number(row.pages), ended_early: Number(row.ended_early) }))
    .sort(
      (a, b) =>
        SCAN_STATES.indexOf(a.state) - SCAN_STATES.indexOf(b.state) ||
        b.pages - a.pages ||
        (a.outcome < b.outcome ? -1 : 1),
    );
}

/** The picture of a visit as JPEG, without its bytes if it was removed. */
export async function findPicture(
  db: Db,
  visitId: number,
): Promise<{ bytes: Buffer | null; sha256: string } | undefined> {
  const row = await db
    .selectFrom('scan_visits')
    .where('id', '=', visitId)
    .select(['picture', 'picture_sha256'])
    .executeTakeFirst();
  if (!row || row.picture_sha256 === null) return undefined;
  return { bytes: row.picture && Buffer.from(row.picture), sha256: row.picture_sha256 };
}

/** Scans to remove pictures from at a time, while other writers wait. Usually one scan leaves the most recent ones. */
const OLD_SCANS = 20;

/** Most recent first. Without an end the start counts. */
const selectScans = (trx: Trx) =>
  trx
    .selectFrom('scans')
    .select((eb) => ['id', eb.fn.coalesce('completed_at', 'started_at').as('endedAt')])
    .orderBy('endedAt', 'desc')
    .orderBy('id', 'desc');

/** Removes the pictures of scans that ended before the most recent completed ones. The hashes stay. */
export async function removeOldPictures(trx: Trx): Promise<void> {
  // Scans that complete at the same moment count each other.
  await lockName(trx, 'scan pictures');
  const oldest = await selectScans(trx)
    .where('status', '=', 'completed')
    // Otherwise a click on each of 30 findings would remove the pictures of the scan that found them.
    .where('started_by', '<>', 'proof')
    .offset(SCANS_WITH_PICTURES - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  const old = await selectScans(trx)
    .where('status', 'not in', ['queued', 'started'])
    .where('id', 'in', (eb) =>
      eb.selectFrom('scan_visits').select('scan_id').where('picture', 'is not', null),
    )
    .where((eb) => {
      const endedAt = eb.fn.coalesce('completed_at', 'started_at');
      return eb.or([
        eb(endedAt, '<', oldest.endedAt),
        eb.and([eb(endedAt, '=', oldest.endedAt), eb('id', '<', oldest.id)]),
      ]);
    })
    .limit(OLD_SCANS)
    .execute();
  if (old.length === 0) return;
  await trx
    .updateTable('scan_visits')
    .set({ picture: null })
    .where(
      'scan_id',
      'in',
      old.map(({ id }) => id),
    )
    .where('picture', 'is not', null)
    .execute();
}

/** What a visit requested and stored. */
export async function findRecording(db: Db, visitId: number): Promise<Recording | undefined> {
  const row = await db
    .selectFrom('scan_visits')
    .where('id', '=', visitId)
    .select('recording')
    .executeTakeFirst();
  return row && unpackRecording(row.recording);
}

/** The shortcomings of banners and signals, of each page once. */
export async function listShortcomings(db: Db, scanId: number): Promise<PageShortcoming[]> {
  const rows = await db
    .selectFrom('scan_visits as visit')
    .innerJoin('scan_pages as page', 'page.id', 'visit.page_id')
    .where('visit.scan_id', '=', scanId)
    // Most visits have none and are not read.
    .where((eb) =>
      eb.or([eb('visit.banner', 'like', '%"code":%'), eb('visit.signals', 'like', '%"code":%')]),
    )
    .select(['page.url as pageUrl', 'visit.banner', 'visit.signals'])
    .orderBy('visit.page_id')
    .orderBy('visit.id')
    .execute();
  return rows.flatMap(({ pageUrl, banner, signals }) => {
    const own = banner === null ? [] : (JSON.parse(banner) as AssessedBanner).shortcomings;
    const others = (JSON.parse(signals) as VisitSignals).shortcomings;
    return [...own, ...others].map((shortcoming) => ({ pageUrl, ...shortcoming }));
  });
}
