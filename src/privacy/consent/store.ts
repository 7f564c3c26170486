import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Db, findIdsByKey, unindexed } from '../../platform/db/index.ts';
import type { ConsentAction } from './rules.ts';
import { ALL_DAYS, type ConsentRecordTable } from './tables.ts';

export type ConsentRow = Selectable<ConsentRecordTable>;

export interface RecordFilter {
  consent_action?: ConsentAction;
  /** Days are inclusive. */
  date_from?: string;
  date_to?: string;
  /** The start of a visitor id. */
  search?: string;
}
type VisitorFilter = RecordFilter & { search: string };

/** Up to this many matches are fetched and sorted in memory. */
const FEW_MATCHES = 200;

interface Slice {
  offset: number;
  limit: number;
}

/** Records, newest first, and their total. */
export async function listConsents(
  db: Db,
  filter: RecordFilter,
  slice: Slice,
): Promise<{ rows: ConsentRow[]; total: number }> {
  const { search } = filter;
  return search ? searchConsents(db, { ...filter, search }, slice) : readPage(db, filter, slice);
}

/** The total comes from the daily counts, in the same query if it has rows. */
async function readPage(db: Db, filter: RecordFilter, { offset, limit }: Slice) {
  const page = offset === 0 ? firstPage(db, filter, limit) : laterPage(db, filter, offset, limit);
  const rows = await page.execute();
  return { rows, total: rows[0]?.kept ?? (await countConsents(db, filter)) };
}

const firstPage = (db: Db, filter: RecordFilter, limit: number) =>
  newestFirst(filtered(db, filter)).select(selectCount(db, filter).as('kept')).limit(limit);

/** Finds the day on which the offset lies from the daily counts, so that newer records are not read. */
function laterPage(db: Db, filter: RecordFilter, offset: number, limit: number) {
  const place = sql<{ kept: number; day: string | null; skipped: number }>`(
    select max(upto) as kept, max(case when upto > ${offset} then day end) as day,
      coalesce(max(case when upto <= ${offset} then upto end), 0) as skipped
    from (
      select day, sum(kept) over (order by day desc) as upto
      from (${selectDailyCounts(db, filter)
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

/** Floating-point numbers are exact here. PostgreSQL sums integers as decimals, which takes twice as long. */
const KEPT = sql<number>`coalesce(sum(cast(total - removed as double precision)), 0)`;

const selectCount = (db: Db, filter: RecordFilter) =>
  selectDailyCounts(db, filter).select(KEPT.as('kept'));

async function countConsents(db: Db, filter: RecordFilter): Promise<number> {
  const { kept } = await selectCount(db, filter).executeTakeFirstOrThrow();
  return kept;
}

/**
 * Few matches are sorted by themselves. With many matches, walking back from the newest record finds enough of them
 * sooner, unless the offset is too large.
 */
async function searchConsents(db: Db, filter: VisitorFilter, { offset, limit }: Slice) {
  const few = await sortMatches(db, filter, { offset, limit }).execute();
  const matches = Number(few[0]?.matches ?? Number.NaN);
  if (matches <= FEW_MATCHES) return { rows: few, total: matches };
  const total = await countMatching(db, filter);
  if (offset >= total) return { rows: [], total };
  const walked = ((offset + limit) / total) * (await countConsents(db, {}));
  const page =
    walked < total
      ? filtered(db, filter).where(beginsWith(filter.search)(unindexed(db, 'visitor_id')))
      : selectByVisitor(db, filter);
  return { rows: await newestFirst(page).offset(offset).limit(limit).execute(), total };
}

/** Reads whole records of the page only. `matches` is their number, up to one more than are sorted. */
function sortMatches(db: Db, filter: VisitorFilter, { offset, limit }: Slice) {
  // The index alone is enough to sort by id, which rises with time.
  const [found, order] = hasOtherFilters(filter)
    ? [
        sql`(${selectByVisitor(db, filter).select(['consent_records.id', 'day'])})`,
        sql`day desc, id desc`,
      ]
    : [selectVisitorIds(db, filter.search), sql`id desc`];
  const matching = sql<{ id: number }>`(select * from ${found} as found limit ${FEW_MATCHES + 1})`;
  const page = sql<number>`(select id from matching order by ${order}
    limit ${limit} offset ${offset})`;
  return db
    .with('matching', () => matching)
    .selectFrom('consent_records')
    .where('consent_records.id', 'in', page)
    .selectAll('consent_records')
    .select(sql<number>`(select count(*) from matching)`.as('matches'))
    .orderBy(order);
}

const hasOtherFilters = ({ consent_action, date_from, date_to }: RecordFilter): boolean =>
  Boolean(consent_action || date_from || date_to);

async function countMatching(db: Db, filter: VisitorFilter): Promise<number> {
  const count = sql<number>`count(*)`.as('total');
  // Without other filters the index alone is enough.
  const counted = hasOtherFilters(filter)
    ? selectByVisitor(db, filter).select(count)
    : db.selectFrom(selectVisitorIds(db, filter.search).as('found')).select(count);
  const { total } = await counted.executeTakeFirstOrThrow();
  return Number(total);
}

/** Records in ascending order of id, after `afterId`. */
export async function nextConsents(
  db: Db,
  filter: RecordFilter,
  afterId: number,
  limit: number,
): Promise<ConsentRow[]> {
  const { search } = filter;
  const wanted = search ? selectByVisitor(db, { ...filter, search }) : filtered(db, filter);
  return wanted
    .selectAll('consent_records')
    .where('consent_records.id', '>', afterId)
    .orderBy('consent_records.id')
    .limit(limit)
    .execute();
}

/** The ids of the first records of some visitors, apart from those that are anonymised. */
export async function findFirstConsents(
  db: Db,
  visitorIds: readonly string[],
): Promise<Map<string, number>> {
  const areTheirs = (key: RawBuilder<unknown>) => sql`${key} in (${sql.join(visitorIds)})`;
  const ids = findIdsByKey(db, 'consent_records', 'visitor_id', areTheirs);
  const rows = await db
    .selectFrom('consent_records')
    .select(['visitor_id', db.fn.min('id').as('first')])
    .where('id', 'in', sql<number>`(select id from (${ids}) as found)`)
    .groupBy('visitor_id')
    .execute();
  return new Map(rows.map(({ visitor_id, first }) => [visitor_id, Number(first)]));
}

type DayRange = Pick<RecordFilter, 'date_from' | 'date_to'>;

/** Records per action, by day from `shown` on; earlier days together. */
export async function countActions(
  db: Db,
  range: DayRange,
  shown: string,
): Promise<{ shown: string | null; action: string; counted: number }[]> {
  return selectDailyCounts(db, range)
    .select([
      sql<string | null>`case when day >= ${shown} then day end`.as('shown'),
      'consent_action as action',
      sql<number>`sum(cast(total as double precision))`.as('counted'),
    ])
    .groupBy(['shown', 'consent_action'])
    .execute();
}

/** Acceptances and rejections per category; null: of all days. */
export async function countCategories(db: Db, days: Required<DayRange> | null) {
  const { date_from, date_to } = days ?? { date_from: ALL_DAYS, date_to: ALL_DAYS };
  return db
    .selectFrom('consent_category_daily')
    .select([
      'category',
      sql<number>`sum(cast(accepted as double precision))`.as('accepted'),
      sql<number>`sum(cast(rejected as double precision))`.as('rejected'),
    ])
    .where('day', '>=', date_from)
    .where('day', '<=', date_to)
    .groupBy('category')
    .orderBy('category')
    .execute();
}

const selectDailyCounts = (db: Db, filter: RecordFilter) =>
  db.selectFrom('consent_daily').where(isWithin(filter));

const filtered = (db: Db, filter: RecordFilter) =>
  db.selectFrom('consent_records').where(isWithin(filter));

type RecordQuery = ReturnType<typeof filtered>;

/** By the columns that records and the counts of a day have in common. */
function isWithin({ consent_action, date_from, date_to }: RecordFilter): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (consent_action) conditions.push(sql`consent_action = ${consent_action}`);
  if (date_from) conditions.push(sql`day >= ${date_from}`);
  if (date_to) conditions.push(sql`day <= ${date_to}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** By day first, to use the index; within a day ids rise with time. */
const newestFirst = (query: RecordQuery) =>
  query.selectAll('consent_records').orderBy('day', 'desc').orderBy('consent_records.id', 'desc');

/**
 * The records of visitors whose ids begin with a text. The cross join makes SQLite look the visitor ids up first,
 * whatever the other conditions are.
 */
function selectByVisitor(db: Db, filter: VisitorFilter): RecordQuery {
  const query = db
    .selectFrom(selectVisitorIds(db, filter.search).as('found'))
    .crossJoin('consent_records')
    .whereRef('consent_records.id', '=', 'found.id')
    .where(isWithin(filter));
  // Callers use only the columns of the records.
  return query as unknown as RecordQuery;
}

/** One search of the index per form. No id begins with two of them. */
const selectVisitorIds = (db: Db, start: string): RawBuilder<{ id: number }> => {
  const found = listForms(start).map(
    (form) =>
      sql`select id from (${findIdsByKey(db, 'consent_records', 'visitor_id', isInRange(form))}) as form`,
  );
  return sql`(${sql.join(found, sql` union all `)})`;
};

/** The index has ids as they are, so of other spellings only those are found that are all in one case, as UUIDs are. */
const listForms = (start: string): string[] => [
  ...new Set([start, start.toLowerCase(), start.toUpperCase()]),
];

const beginsWith = (start: string) => (visitor: RawBuilder<unknown>) =>
  sql<boolean>`(${sql.join(
    listForms(start).map((form) => isInRange(form)(visitor)),
    sql` or `,
  )})`;

/** A range that can use the index on both engines; LIKE cannot. Texts compare by byte. */
const isInRange = (start: string) => (visitor: RawBuilder<unknown>) =>
  sql<boolean>`${visitor} >= ${start} and ${visitor} < ${`${start}\u{10ffff}`}`;
