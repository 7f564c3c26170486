import { type RawBuilder, sql } from 'kysely';
import {
  type Condition,
  type Db,
  impliedCondition,
  lockName,
  type Trx,
} from '../platform/db/index.ts';
import type {
  PersonalDataDeclaration,
  RetentionAction,
  RetentionException,
} from './declaration.ts';

/** The records of a kind that are due under a policy. */
export interface DueRecords {
  type: PersonalDataDeclaration & { due: string };
  action: RetentionAction;
  /** Epoch milliseconds, inclusive; `before` is exclusive. */
  from: number;
  before: number;
  /** The moment at which exceptions apply, for a claim of only some due records of a policy. Default: `before`. */
  keptAt?: number | undefined;
}

/** A position in the order of processing. */
export interface Cursor {
  due: number;
  id: number;
}

/** A part of the due records. */
export interface Range {
  /** The records that are anonymised already, which can only be deleted, or the others. */
  anonymised: boolean;
  /** The records under a legal hold, for counting, instead of the others. */
  held?: boolean | undefined;
  after?: Cursor | undefined;
  upTo?: Cursor | undefined;
}

/** Anonymised records and others have separate indexes, so they are processed separately. */
export const partition = ({ action }: DueRecords): Range[] =>
  action === 'delete' ? [{ anonymised: false }, { anonymised: true }] : [{ anonymised: false }];

export const toColumnRef = (type: PersonalDataDeclaration, column: string) =>
  sql.ref(`${type.table}.${column}`);

/** The predicate that dry run, run and preview share. */
export function matchDueRecords(
  db: Db | Trx,
  { type, from, before, keptAt = before }: DueRecords,
  { anonymised, held = false, after, upTo }: Range,
): RawBuilder<unknown> {
  const due = toColumnRef(type, type.due);
  const id = toColumnRef(type, 'id');
  // For a comparison of pairs, SQLite uses the index for the first column only, which can be the same for very many records.
  const isWithinOne = after !== undefined && after.due === upTo?.due;
  // One bound each way: given two, SQLite may start at the earlier one.
  const conditions = isWithinOne
    ? [sql`${due} = ${after.due} and ${id} > ${after.id} and ${id} <= ${upTo.id}`]
    : [
        after ? sql`(${due}, ${id}) > (${after.due}, ${after.id})` : sql`${due} >= ${from}`,
        upTo ? sql`(${due}, ${id}) <= (${upTo.due}, ${upTo.id})` : sql`${due} < ${before}`,
      ];
  conditions.push(
    impliedCondition(db, sql`${due} >= ${after?.due ?? from} and ${due} <= ${upTo?.due ?? before}`),
    sql`${toColumnRef(type, 'anonymised_at')} is ${anonymised ? sql`not null` : sql`null`}`,
  );
  const isFree = hasNoLegalHold(type);
  conditions.push(held ? sql`not (${isFree})` : isFree);
  for (const keep of type.keeps ?? []) {
    if (keep.fromRetention) conditions.push(sql`not (${matchException(type, keep, keptAt)})`);
  }
  return sql.join(conditions, sql` and `);
}

/** Whether an exception applies to a record at a moment. */
export function matchException(
  type: PersonalDataDeclaration,
  { where }: RetentionException,
  at: number,
): Condition {
  if (typeof where === 'function') return where(at);
  const isOngoing = where === 'ongoing' && type.due !== undefined;
  return isOngoing ? sql`${toColumnRef(type, type.due)} is null` : sql`1 = 1`;
}

/** Neither the record nor its category is under a legal hold, nor a record with which it is held. */
export function hasNoLegalHold(type: PersonalDataDeclaration): RawBuilder<unknown> {
  const isFree = (category: string, records: Condition) => {
    const holds = sql`select 1 from record_holds where lifted_at is null and data_category = ${category}`;
    return sql`not exists (${holds} and record_id in (${records})) and not exists (${holds} and record_id is null)`;
  };
  const others = Object.entries(type.heldWith ?? {}).map(([category, records]) =>
    isFree(category, records),
  );
  return sql.join([isFree(type.category, toColumnRef(type, 'id')), ...others], sql` and `);
}

/** The categories of the legal holds that protect records of a type. */
const listHoldCategories = ({ category, heldWith = {} }: PersonalDataDeclaration): string[] => [
  category,
  ...Object.keys(heldWith),
];

/** A condition on a column whose id leads, by way of columns `table.column`, to rows that match. */
export const matchReferences = (
  steps: readonly string[],
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  steps.reduceRight((inner, step) => {
    const [table = ''] = step.split('.');
    return sql`in (select id from ${sql.table(table)} where ${sql.ref(step)} ${inner})`;
  }, condition);

const hasRows = async (db: Db | Trx, query: RawBuilder<unknown>): Promise<boolean> =>
  (await query.execute(db)).rows.length > 0;

export const hasLegalHolds = (db: Db, type: PersonalDataDeclaration): Promise<boolean> =>
  hasRows(
    db,
    sql`select 1 from record_holds where lifted_at is null and data_category in (${sql.join(listHoldCategories(type))}) limit 1`,
  );

/** Whether there is a record with this id. */
export const hasRecord = (
  db: Db | Trx,
  type: PersonalDataDeclaration,
  id: number,
): Promise<boolean> => hasRows(db, sql`select 1 from ${sql.table(type.table)} where id = ${id}`);

export const isUnderLegalHold = (
  db: Db | Trx,
  type: PersonalDataDeclaration,
  id: number,
): Promise<boolean> =>
  hasRows(
    db,
    sql`select 1 from ${sql.table(type.table)} where id = ${id} and not (${hasNoLegalHold(type)})`,
  );

/** The cursor of the n-th record of a range; undefined if there are fewer. */
export async function findCursor(
  db: Db | Trx,
  claim: DueRecords,
  range: Range,
  n: number,
): Promise<Cursor | undefined> {
  const { type } = claim;
  const { rows } = await sql<Cursor>`
    select ${toColumnRef(type, type.due)} as due, ${toColumnRef(type, 'id')} as id
    from ${sql.table(type.table)} where ${matchDueRecords(db, claim, range)}
    order by due, id limit 1 offset ${n - 1}`.execute(db);
  return rows[0];
}

export async function countRange(db: Db | Trx, claim: DueRecords, range: Range): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(claim.type.table)}
    where ${matchDueRecords(db, claim, range)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** The ids of the first records of a range. */
export async function listFirstIds(
  db: Db,
  claim: DueRecords,
  range: Range,
  limit: number,
): Promise<number[]> {
  const { type } = claim;
  const id = toColumnRef(type, 'id');
  const { rows } = await sql<{ id: number }>`
    select ${id} as id from ${sql.table(type.table)} where ${matchDueRecords(db, claim, range)}
    order by ${toColumnRef(type, type.due)}, ${id} limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Serialises retention batches, erasures and legal holds of one kind of record. */
export async function lockRecords(trx: Trx, type: PersonalDataDeclaration): Promise<void> {
  // In one order, so that two transactions cannot deadlock.
  for (const category of listHoldCategories(type).toSorted())
    await lockName(trx, `records:${category}`);
}
