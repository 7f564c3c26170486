import { type Selectable, sql } from 'kysely';
import { type Db, rowsOf, type Trx } from '../../platform/db/index.ts';
import type { ConsentAction } from './rules.ts';
import type { ConsentRecordTable } from './tables.ts';

/** A decision that is to be written; moments in epoch milliseconds. */
export interface NewConsent {
  visitorId: string;
  accepted: string[];
  rejected: string[];
  action: ConsentAction;
  day: string;
  createdAt: number;
  configVersion: number;
  expiresAt: number;
  source: string | null;
  language: string | null;
  pageUrl: string | null;
  gpc: boolean | null;
}

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

const RECORD_COLUMNS = {
  visitor_id: 'text',
  categories_accepted: 'text',
  categories_rejected: 'text',
  consent_action: 'text',
  day: 'text',
  created_at: 'integer',
  config_version: 'integer',
  expires_at: 'integer',
  source: 'text',
  language: 'text',
  page_url: 'text',
  gpc: 'integer',
} as const;
const RECORD_NAMES = sql.join(Object.keys(RECORD_COLUMNS).map((name) => sql.ref(name)));
const RECORD_TYPES = Object.values(RECORD_COLUMNS);

/** Writes decisions and what they add to the counts; gives their ids in the same order. */
export async function insertConsents(trx: Trx, consents: readonly NewConsent[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`insert into consent_records (${RECORD_NAMES})
    ${rowsOf(trx, RECORD_TYPES, consents.map(toRow))} returning id`.execute(trx);
  await addToDaily(trx, consents);
  await addToCategories(trx, consents);
  // Ids are given in the order of the rows; the order in which they come back is not promised.
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

async function addToDaily(trx: Trx, consents: readonly NewConsent[]): Promise<void> {
  const counts = new Map<string, [day: string, action: string, total: number]>();
  for (const { day, action } of consents) {
    const key = `${day} ${action}`;
    const count = counts.get(key) ?? [day, action, 0];
    count[2]++;
    counts.set(key, count);
  }
  await sql`insert into consent_daily (day, consent_action, total)
    ${rowsOf(trx, ['text', 'text', 'integer'], inOneOrder(counts))}
    on conflict (day, consent_action) do update set total = consent_daily.total + excluded.total`.execute(
    trx,
  );
}

async function addToCategories(trx: Trx, consents: readonly NewConsent[]): Promise<void> {
  const counts = new Map<string, [category: string, accepted: number, rejected: number]>();
  const countOf = (category: string) => {
    const count = counts.get(category) ?? [category, 0, 0];
    counts.set(category, count);
    return count;
  };
  for (const { accepted, rejected } of consents) {
    for (const category of accepted) countOf(category)[1]++;
    for (const category of rejected) countOf(category)[2]++;
  }
  await sql`insert into consent_categories (category, accepted, rejected)
    ${rowsOf(trx, ['text', 'integer', 'integer'], inOneOrder(counts))}
    on conflict (category) do update set accepted = consent_categories.accepted + excluded.accepted,
      rejected = consent_categories.rejected + excluded.rejected`.execute(trx);
}

/** The same order on every node, so that two batches cannot wait for each other. */
const inOneOrder = <T>(counts: ReadonlyMap<string, T>): T[] =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);

/** A page of the records, newest first. */
export async function listConsents(
  db: Db,
  filter: RecordFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ConsentRecord[]> {
  const rows = await filtered(db, filter)
    .selectAll()
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(toConsent);
}

/** How many records a filter leaves: of whole days and actions the counts know, visitors are counted. */
export async function countConsents(db: Db, filter: RecordFilter): Promise<number> {
  if (filter.visitor) {
    const { total } = await filtered(db, filter)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  }
  const { action, dayFrom, dayTo } = filter;
  let query = db.selectFrom('consent_daily').select((eb) => eb.fn.sum<number>('total').as('total'));
  if (action) query = query.where('consent_action', '=', action);
  if (dayFrom) query = query.where('day', '>=', dayFrom);
  if (dayTo) query = query.where('day', '<=', dayTo);
  return Number((await query.executeTakeFirstOrThrow()).total ?? 0);
}

export async function dailyCounts(
  db: Db,
): Promise<{ day: string; action: string; total: number }[]> {
  const rows = await db.selectFrom('consent_daily').selectAll().orderBy('day').execute();
  return rows.map(({ day, consent_action, total }) => ({ day, action: consent_action, total }));
}

export async function categoryCounts(db: Db) {
  return db.selectFrom('consent_categories').selectAll().execute();
}

function filtered(db: Db, { action, dayFrom, dayTo, visitor }: RecordFilter) {
  let query = db.selectFrom('consent_records');
  if (action) query = query.where('consent_action', '=', action);
  if (dayFrom) query = query.where('day', '>=', dayFrom);
  if (dayTo) query = query.where('day', '<=', dayTo);
  if (visitor) {
    // A range that the index answers, where LIKE would depend on the engine; texts compare by byte.
    query = query
      .where('visitor_id', '>=', visitor)
      .where('visitor_id', '<', `${visitor}\u{10ffff}`);
  }
  return query;
}

/** In the order of `RECORD_COLUMNS`. */
const toRow = (consent: NewConsent) => [
  consent.visitorId,
  JSON.stringify(consent.accepted),
  JSON.stringify(consent.rejected),
  consent.action,
  consent.day,
  consent.createdAt,
  consent.configVersion,
  consent.expiresAt,
  consent.source,
  consent.language,
  consent.pageUrl,
  consent.gpc === null ? null : Number(consent.gpc),
];

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
