import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../platform/db/index.ts';
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

/** Writes decisions and what they add to the counts; gives their ids in the same order. */
export async function insertConsents(trx: Trx, consents: readonly NewConsent[]): Promise<number[]> {
  const rows = await trx
    .insertInto('consent_records')
    .values(consents.map(toRow))
    .returning('id')
    .execute();
  await addToDaily(trx, consents);
  await addToCategories(trx, consents);
  // Ids are given in the order of the rows; the order in which they come back is not promised.
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

async function addToDaily(trx: Trx, consents: readonly NewConsent[]): Promise<void> {
  const counts = new Map<string, { day: string; consent_action: string; total: number }>();
  for (const { day, action } of consents) {
    const key = `${day} ${action}`;
    const count = counts.get(key) ?? { day, consent_action: action, total: 0 };
    count.total++;
    counts.set(key, count);
  }
  // In one order on every node, so that two batches cannot wait for each other.
  const rows = [...counts.keys()].sort().flatMap((key) => counts.get(key) ?? []);
  await trx
    .insertInto('consent_daily')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['day', 'consent_action']).doUpdateSet({
        total: sql<number>`consent_daily.total + excluded.total`,
      }),
    )
    .execute();
}

async function addToCategories(trx: Trx, consents: readonly NewConsent[]): Promise<void> {
  const counts = new Map<string, { category: string; accepted: number; rejected: number }>();
  const countOf = (category: string) => {
    const count = counts.get(category) ?? { category, accepted: 0, rejected: 0 };
    counts.set(category, count);
    return count;
  };
  for (const { accepted, rejected } of consents) {
    for (const category of accepted) countOf(category).accepted++;
    for (const category of rejected) countOf(category).rejected++;
  }
  const rows = [...counts.keys()].sort().flatMap((category) => counts.get(category) ?? []);
  if (rows.length === 0) return;
  await trx
    .insertInto('consent_categories')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('category').doUpdateSet({
        accepted: sql<number>`consent_categories.accepted + excluded.accepted`,
        rejected: sql<number>`consent_categories.rejected + excluded.rejected`,
      }),
    )
    .execute();
}

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

const toRow = (consent: NewConsent): Insertable<ConsentRecordTable> => ({
  visitor_id: consent.visitorId,
  categories_accepted: JSON.stringify(consent.accepted),
  categories_rejected: JSON.stringify(consent.rejected),
  consent_action: consent.action,
  day: consent.day,
  created_at: consent.createdAt,
  config_version: consent.configVersion,
  expires_at: consent.expiresAt,
  source: consent.source,
  language: consent.language,
  page_url: consent.pageUrl,
  gpc: consent.gpc === null ? null : consent.gpc ? 1 : 0,
});

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
