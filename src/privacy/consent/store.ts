import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Db, findIdsByKey, unindexed } from '../../platform/db/index.ts';
import type { NewConsent } from './recording/store.ts';
import type { ConsentAction } from './rules.ts';
import { ALL_DAYS, type ConsentRecordTable } from './tables.ts';

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

/** As many are fetched to sort them here. */
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

/** A page, and how many records there are: the counts tell it, with the page if it has rows. */
async function pageOfConsents(
  db: Db,
  filter: RecordFilter,
  { offset, limit }: { offset: number; limit: number },
) {
  const page = offset === 0 ? firstPage(db, filter, limit) : laterPage(db, filter, offset, limit);
  const rows = await page.execute();
  return { rows, total: rows[0]?.kept ?? (await totalOfConsents(db, filter)) };
}

const firstPage = (db: Db, filter: RecordFilter, limit: number) =>
  newestFirst(filtered(db, filter)).select(countOf(db, filter).as('kept')).limit(limit);

/** The counts tell on which day the page begins: nothing newer is read, and of that day only the index. */
function laterPage(db: Db, filter: RecordFilter, offset: number, limit: number) {
  const place = sql<{ kept: number; day: string | null; skipped: number }>`(
    select max(upto) as kept, max(case when upto > ${offset} then day end) as day,
      coalesce(max(case when upto <= ${offset} then upto end), 0) as skipped
    from (
      select day, sum(kept) over (order by day desc) as upto
      from (${dailyCountsOf(db, filter)
        .select(['day', KEPT.as('kept')])
        .groupBy('day')}) as days
    ) as summed)`;
  const ids = newestFirst(filtered(db, filter))
    .clearSelect()
    .select('consent_records.id')
    .where('day', '<=', sql<string>`(select day from place)`)
    .offset(sql<number>`(select cast(${offset} - skipped as bigint) from place)`)
    .limit(limit);
  return newestFirst(
    db
      .with(
        (name) => name('place').materialized(),
        () => place,
      )
      .selectFrom('consent_records')
      .where('consent_records.id', 'in', ids),
  ).select(sql<number>`(select kept from place)`.as('kept'));
}

/** In floating numbers, which are exact here: PostgreSQL sums integers as decimals, in twice the time. */
const KEPT = sql<number>`coalesce(sum(cast(total - removed as double precision)), 0)`;

const countOf = (db: Db, filter: RecordFilter) => dailyCountsOf(db, filter).select(KEPT.as('kept'));

async function totalOfConsents(db: Db, filter: RecordFilter): Promise<number> {
  const { kept } = await countOf(db, filter).executeTakeFirstOrThrow();
  return kept;
}

/**
 * Few matches are fetched and sorted; where there are many, enough of them are soon met by walking
 * back from the newest record, unless that leads too far.
 */
async function searchConsents(
  db: Db,
  filter: RecordFilter & { visitor: string },
  { offset, limit }: { offset: number; limit: number },
) {
  const matching = ofVisitors(db, filter);
  const some = await matching
    .selectAll('consent_records')
    .limit(FEW_MATCHES + 1)
    .execute();
  if (some.length <= FEW_MATCHES) {
    const rows = some.toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : b.id - a.id));
    return { rows: rows.slice(offset, offset + limit), total: rows.length };
  }
  const total = await countMatching(db, filter);
  if (offset >= total) return { rows: [], total };
  const walked = ((offset + limit) / total) * (await totalOfConsents(db, {}));
  const page =
    walked < total
      ? filtered(db, filter).where(beginsWith(filter.visitor)(unindexed(db, 'visitor_id')))
      : matching;
  return { rows: await newestFirst(page).offset(offset).limit(limit).execute(), total };
}

async function countMatching(db: Db, filter: RecordFilter & { visitor: string }): Promise<number> {
  const { visitor, ...others } = filter;
  const count = sql<number>`count(*)`.as('total');
  // The index is enough, unless the records have to be asked.
  const counted = Object.values(others).some(Boolean)
    ? ofVisitors(db, filter).select(count)
    : db.selectFrom(visitorsBeginning(db, visitor).as('found')).select(count);
  const { total } = await counted.executeTakeFirstOrThrow();
  return Number(total);
}

/** Records in the order in which they were made, from `afterId` on. */
export async function nextConsents(
  db: Db,
  filter: RecordFilter,
  afterId: number,
  limit: number,
): Promise<ConsentRecord[]> {
  const { visitor } = filter;
  const wanted = visitor ? ofVisitors(db, { ...filter, visitor }) : filtered(db, filter);
  const rows = await wanted
    .selectAll('consent_records')
    .where('consent_records.id', '>', afterId)
    .orderBy('consent_records.id')
    .limit(limit)
    .execute();
  return rows.map(toConsent);
}

/** Days, both inclusive; an end that is not given is open. */
type DayRange = Pick<RecordFilter, 'dayFrom' | 'dayTo'>;

/** How many records of a range have each action, by day from `shown` on and all earlier ones together. */
export async function actionCounts(
  db: Db,
  range: DayRange,
  shown: string,
): Promise<{ day: string | null; action: string; total: number }[]> {
  const rows = await dailyCountsOf(db, range)
    .select([
      sql<string | null>`case when day >= ${shown} then day end`.as('shown'),
      'consent_action',
      sql<number>`sum(cast(total as double precision))`.as('counted'),
    ])
    .groupBy(['shown', 'consent_action'])
    .execute();
  return rows.map(({ shown: day, consent_action, counted }) => ({
    day,
    action: consent_action,
    total: counted,
  }));
}

/** How often each category was accepted and rejected on some days, ordered by category; without days, ever. */
export async function categoryCounts(db: Db, days: Required<DayRange> | null) {
  const { dayFrom, dayTo } = days ?? { dayFrom: ALL_DAYS, dayTo: ALL_DAYS };
  return db
    .selectFrom('consent_category_daily')
    .select([
      'category',
      sql<number>`sum(cast(accepted as double precision))`.as('accepted'),
      sql<number>`sum(cast(rejected as double precision))`.as('rejected'),
    ])
    .where('day', '>=', dayFrom)
    .where('day', '<=', dayTo)
    .groupBy('category')
    .orderBy('category')
    .execute();
}

const dailyCountsOf = (db: Db, filter: RecordFilter) =>
  db.selectFrom('consent_daily').where(isWithin(filter));

const filtered = (db: Db, filter: RecordFilter) =>
  db.selectFrom('consent_records').where(isWithin(filter));

type RecordQuery = ReturnType<typeof filtered>;

/** By the columns that records and the counts of a day have in common. */
function isWithin({ action, dayFrom, dayTo }: RecordFilter): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (action) conditions.push(sql`consent_action = ${action}`);
  if (dayFrom) conditions.push(sql`day >= ${dayFrom}`);
  if (dayTo) conditions.push(sql`day <= ${dayTo}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** The day stands first for the index's sake: within it, later ones have larger ids. */
const newestFirst = (query: RecordQuery) =>
  query.selectAll('consent_records').orderBy('day', 'desc').orderBy('consent_records.id', 'desc');

/**
 * The records of visitors whose ids begin with a text, found by these, whatever else they have to
 * meet: a cross join is in the order in which it is written.
 */
function ofVisitors(db: Db, filter: RecordFilter & { visitor: string }): RecordQuery {
  const query = db
    .selectFrom(visitorsBeginning(db, filter.visitor).as('found'))
    .crossJoin('consent_records')
    .whereRef('consent_records.id', '=', 'found.id')
    .where(isWithin(filter));
  // To whoever goes on with it, it is one of records.
  return query as unknown as RecordQuery;
}

const visitorsBeginning = (db: Db, start: string): RawBuilder<{ id: number }> =>
  sql`(${findIdsByKey(db, 'consent_records', 'visitor_id', beginsWith(start))})`;

/** A range that an index answers, where LIKE would depend on the engine; texts compare by byte. */
const beginsWith = (start: string) => (visitor: RawBuilder<unknown>) =>
  sql<boolean>`${visitor} >= ${start} and ${visitor} < ${`${start}\u{10ffff}`}`;

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
