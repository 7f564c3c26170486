import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Db, inSegments, unindexed } from '../../platform/db/index.ts';
import type { NewConsent } from './recording/store.ts';
import type { ConsentAction } from './rules.ts';
import type { ConsentRecordTable } from './tables.ts';

export interface ConsentRecord extends NewConsent {
  id: number;
}

export interface RecordFilter {
  action?: ConsentAction;
  dayFrom?: string;
  dayTo?: string;
  /** The start of a visitor id. */
  visitor?: string;
}

/** As many are looked up one by one. */
const FEW_MATCHES = 200;

/** A page of the records, newest first, and how many there are. */
export async function listConsents(
  db: Db,
  filter: RecordFilter,
  slice: { offset: number; limit: number },
): Promise<{ records: ConsentRecord[]; total: number }> {
  const { visitor } = filter;
  const { rows, total } = visitor
    ? await searchConsents(db, { ...filter, visitor }, slice)
    : await pageOfConsents(db, filter, slice);
  return { records: rows.map(toConsent), total };
}

/** The counts tell how many there are, and on which day a page begins: nothing before it is read. */
async function pageOfConsents(
  db: Db,
  filter: RecordFilter,
  { offset, limit }: { offset: number; limit: number },
) {
  const { total, day, skipped } = await placeOfOffset(db, filter, offset);
  if (day === null) return { rows: [], total };
  const page = newestFirst(filtered(db, { ...filter, dayTo: day }));
  return {
    rows: await page
      .offset(offset - skipped)
      .limit(limit)
      .execute(),
    total,
  };
}

/** How many records there are, and the day of the one at an offset, with how many are newer than that day. */
async function placeOfOffset(
  db: Db,
  filter: RecordFilter,
  offset: number,
): Promise<{ total: number; day: string | null; skipped: number }> {
  const { rows } = await sql<{ total: number; day: string | null; skipped: number }>`
    select coalesce(sum(kept), 0) as total,
      max(case when upto > ${offset} then day end) as day,
      coalesce(max(case when upto <= ${offset} then upto end), 0) as skipped
    from (
      select day, kept, sum(kept) over (order by day desc) as upto
      from (${dailyCountsOf(db, filter)
        .select(['day', sql<number>`sum(total - removed)`.as('kept')])
        .groupBy('day')}) as days
    ) as summed`.execute(db);
  const { total = 0, day = null, skipped = 0 } = rows[0] ?? {};
  return { total: Number(total), day, skipped: Number(skipped) };
}

/**
 * Few matches are looked up and sorted; where there are many, enough of them are soon met by walking
 * back from the newest record, unless that leads too far.
 */
async function searchConsents(
  db: Db,
  filter: RecordFilter & { visitor: string },
  { offset, limit }: { offset: number; limit: number },
) {
  const matching = ofVisitors(db, filtered(db, filter), filter.visitor);
  const some = await matching
    .select('id')
    .limit(FEW_MATCHES + 1)
    .execute();
  if (some.length <= FEW_MATCHES) {
    const ids = some.map(({ id }) => id);
    const few = db.selectFrom('consent_records').where('id', 'in', ids);
    const isBeyond = offset >= ids.length;
    const rows = isBeyond ? [] : await newestFirst(few).offset(offset).limit(limit).execute();
    return { rows, total: ids.length };
  }
  const counted = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const total = Number(counted.total);
  if (offset >= total) return { rows: [], total };
  const walked = ((offset + limit) / total) * (await placeOfOffset(db, {}, 0)).total;
  const page =
    walked < total
      ? beginningWith(filtered(db, filter), unindexed(db, 'visitor_id'), filter.visitor)
      : matching;
  return { rows: await newestFirst(page).offset(offset).limit(limit).execute(), total };
}

/** Records in the order in which they were made, from `afterId` on. */
export async function nextConsents(
  db: Db,
  filter: RecordFilter,
  afterId: number,
  limit: number,
): Promise<ConsentRecord[]> {
  const { visitor } = filter;
  const wanted = visitor ? ofVisitors(db, filtered(db, filter), visitor) : filtered(db, filter);
  const rows = await wanted
    .selectAll()
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toConsent);
}

/** How many were decided each day by each action, oldest first. */
export async function dailyCounts(
  db: Db,
): Promise<{ day: string; action: string; total: number }[]> {
  const rows = await dailyCountsOf(db, {}).selectAll().orderBy('day').execute();
  return rows.map(({ day, consent_action, total }) => ({ day, action: consent_action, total }));
}

function dailyCountsOf(db: Db, { action, dayFrom, dayTo }: RecordFilter) {
  let query = db.selectFrom('consent_daily');
  if (action) query = query.where('consent_action', '=', action);
  if (dayFrom) query = query.where('day', '>=', dayFrom);
  if (dayTo) query = query.where('day', '<=', dayTo);
  return query;
}

export async function categoryCounts(db: Db) {
  return db.selectFrom('consent_categories').selectAll().execute();
}

function filtered(db: Db, { action, dayFrom, dayTo }: RecordFilter) {
  let query = db.selectFrom('consent_records');
  if (action) query = query.where('consent_action', '=', action);
  if (dayFrom) query = query.where('day', '>=', dayFrom);
  if (dayTo) query = query.where('day', '<=', dayTo);
  return query;
}

type RecordQuery = ReturnType<typeof filtered>;

/** The day stands first for the index's sake: within it, later ones have larger ids. */
const newestFirst = (query: RecordQuery) =>
  query.selectAll().orderBy('day', 'desc').orderBy('id', 'desc');

/** The records of visitors whose ids begin with a text, by their index. */
const ofVisitors = (db: Db, query: RecordQuery, start: string): RecordQuery =>
  beginningWith(query, sql.ref('visitor_id'), start).where(inSegments(db, 'consent_records'));

/** A range that an index answers, where LIKE would depend on the engine; texts compare by byte. */
const beginningWith = (
  query: RecordQuery,
  column: RawBuilder<unknown>,
  start: string,
): RecordQuery =>
  query.where(sql<boolean>`${column} >= ${start} and ${column} < ${`${start}\u{10ffff}`}`);

const toConsent = (row: Selectable<ConsentRecordTable>): ConsentRecord => ({
  id: row.id,
  visitorId: row.visitor_id,
  accepted: JSON.parse(row.categories_accepted),
  rejected: JSON.parse(row.categories_rejected),
  action: row.consent_action as ConsentAction,
  day: row.day,
  createdAt: row.created_at,
  configVersion: row.config_version,
  expiresAt: row.expires_at,
  source: row.source,
  language: row.language,
  pageUrl: row.page_url,
  gpc: row.gpc === null ? null : row.gpc === 1,
});
