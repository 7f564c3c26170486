import { type RawBuilder, sql } from 'kysely';
import {
  beforeBracket,
  type Condition,
  type Db,
  jsonMembers,
  lockName,
  randomText,
  type Trx,
} from '../platform/db/index.ts';
import { DAY_MS } from '../platform/durations.ts';
import type {
  DeclarationPart,
  PersonalDataDeclaration,
  Replacement,
  RetentionAction,
  RetentionException,
} from './declaration.ts';

/** The records of a kind that are due under a policy. */
export interface DueRecords {
  type: PersonalDataDeclaration & { due: string };
  action: RetentionAction;
  /** Epoch milliseconds: from this moment on, and before that one. */
  from: number;
  before: number;
}

/** A position in the order of processing. */
export interface Cursor {
  due: number;
  id: number;
}

/** A part of the due records. */
export interface Range {
  /** Whether it is about records that are anonymised already, which can only be deleted. */
  anonymised: boolean;
  /** Held records as well as those that are free: to be counted only. */
  heldToo?: boolean | undefined;
  after?: Cursor | undefined;
  upTo?: Cursor | undefined;
}

/** Anonymised records and others have separate indexes, so they are processed apart. */
export const partition = ({ action }: DueRecords): Range[] =>
  action === 'delete' ? [{ anonymised: false }, { anonymised: true }] : [{ anonymised: false }];

export const toColumnRef = (type: PersonalDataDeclaration, column: string) =>
  sql.ref(`${type.table}.${column}`);

/** The predicate that dry run, run and preview share. */
function matchDueRecords(
  { type, from, before }: DueRecords,
  { anonymised, heldToo = false, after, upTo }: Range,
): RawBuilder<unknown> {
  const due = toColumnRef(type, type.due);
  const id = toColumnRef(type, 'id');
  // One bound each way: given two, SQLite may begin at the one that lies further back.
  const conditions = [
    after ? sql`(${due}, ${id}) > (${after.due}, ${after.id})` : sql`${due} >= ${from}`,
    upTo ? sql`(${due}, ${id}) <= (${upTo.due}, ${upTo.id})` : sql`${due} < ${before}`,
    sql`${toColumnRef(type, 'anonymised_at')} is ${anonymised ? sql`not null` : sql`null`}`,
  ];
  if (!heldToo) conditions.push(hasNoLegalHold(type));
  for (const keep of type.keeps ?? []) {
    if (keep.fromRetention) conditions.push(sql`not (${matchException(type, keep, before)})`);
  }
  return sql.join(conditions, sql` and `);
}

/** Whether a record stays for this reason at a moment. */
export function matchException(
  type: PersonalDataDeclaration,
  { where }: RetentionException,
  at: number,
): Condition {
  if (where === undefined) return sql`1 = 1`;
  if (typeof where === 'function') return where(at);
  return type.due === undefined ? sql`1 = 1` : sql`${toColumnRef(type, type.due)} is null`;
}

/** No hold on the record, nor on its whole category. */
export function hasNoLegalHold(type: PersonalDataDeclaration): RawBuilder<unknown> {
  const holds = sql`select 1 from record_holds where lifted_at is null and data_category = ${type.category}`;
  return sql`not exists (${holds} and record_id = ${toColumnRef(type, 'id')}) and not exists (${holds} and record_id is null)`;
}

/** Whether anything of a type is held. */
export async function hasLegalHolds(
  db: Db,
  { category }: PersonalDataDeclaration,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from record_holds where lifted_at is null and data_category = ${category} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Whether a record is held. */
export async function isUnderLegalHold(
  db: Db | Trx,
  type: PersonalDataDeclaration,
  id: number,
): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(type.table)}
    where id = ${id} and not (${hasNoLegalHold(type)})`.execute(db);
  return rows.length > 0;
}

/** Whether there is a record of that id. */
export async function hasRecord(
  db: Db | Trx,
  type: PersonalDataDeclaration,
  id: number,
): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(type.table)} where id = ${id}`.execute(db);
  return rows.length > 0;
}

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
    from ${sql.table(type.table)} where ${matchDueRecords(claim, range)}
    order by due, id limit 1 offset ${n - 1}`.execute(db);
  return rows[0];
}

/** Counts the records of a range. */
export async function countRange(db: Db | Trx, claim: DueRecords, range: Range): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(claim.type.table)}
    where ${matchDueRecords(claim, range)}`.execute(db);
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
    select ${id} as id from ${sql.table(type.table)} where ${matchDueRecords(claim, range)}
    order by ${toColumnRef(type, type.due)}, ${id} limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Serialises retention batches and erasures of one kind of record. */
export const lockRecords = (trx: Trx, { category }: PersonalDataDeclaration): Promise<void> =>
  lockName(trx, `records:${category}`);

/**
 * Anonymises or deletes the records of a range, with their parts.
 * @param at when, in epoch milliseconds
 * @returns how many records it were
 */
export async function applyAction(
  trx: Trx,
  claim: DueRecords,
  range: Range,
  at: number,
): Promise<number> {
  const where = matchDueRecords(claim, range);
  return claim.action === 'delete'
    ? deleteRecords(trx, claim.type, where)
    : anonymiseRecords(trx, claim.type, where, at);
}

/** Deletes records, with their parts. */
export async function deleteRecords(
  trx: Trx,
  type: PersonalDataDeclaration,
  where: RawBuilder<unknown>,
): Promise<number> {
  for (const part of type.parts ?? []) {
    await sql`delete from ${sql.table(part.table)} where ${belongs(part, type, where)}`.execute(
      trx,
    );
  }
  if (type.deletions) await countDeletions(trx, type, type.deletions, where);
  const { numAffectedRows } = await sql`
    delete from ${sql.table(type.table)} where ${where}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Puts what the declaration says in the place of what is personal. */
export async function anonymiseRecords(
  trx: Trx,
  type: PersonalDataDeclaration,
  where: RawBuilder<unknown>,
  at: number,
): Promise<number> {
  for (const part of type.parts ?? []) {
    const changes = replacements(trx, part.personal, at);
    if (changes.length === 0) continue;
    await sql`update ${sql.table(part.table)} set ${sql.join(changes)}
      where ${belongs(part, type, where)}`.execute(trx);
  }
  const changes = replacements(trx, type.personal, at);
  if (type.due !== undefined) changes.push(sql`anonymised_at = ${at}`);
  const { numAffectedRows } = await sql`
    update ${sql.table(type.table)} set ${sql.join(changes)} where ${where}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

function belongs(
  { table, parent }: DeclarationPart,
  type: PersonalDataDeclaration,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [column, ...steps] = typeof parent === 'string' ? [parent] : parent;
  const records = sql`in (select ${toColumnRef(type, 'id')} from ${sql.table(type.table)} where ${where})`;
  const found = steps.reduceRight<RawBuilder<unknown>>((inner, step) => {
    const [between = ''] = step.split('.');
    return sql`in (select id from ${sql.table(between)} where ${sql.ref(step)} ${inner})`;
  }, records);
  return sql`${sql.ref(`${table}.${column}`)} ${found}`;
}

const replacements = (
  trx: Trx,
  personal: Readonly<Record<string, Replacement>>,
  at: number,
): RawBuilder<unknown>[] =>
  Object.entries(personal).map(
    ([column, by]) => sql`${sql.ref(column)} = ${replacement(trx, column, by, at)}`,
  );

function replacement(trx: Trx, column: string, by: Replacement, at: number): RawBuilder<unknown> {
  const old = sql.ref(column);
  if (typeof by === 'object') {
    if ('members' in by) return jsonMembers(trx, column, by.members);
    if ('text' in by) return sql`${by.text}`;
    const user = sql.ref(by.user);
    return sql`case when ${user} is null then ${beforeBracket(trx, column)} else 'user ' || ${user} end`;
  }
  switch (by) {
    case 'null':
      return sql`null`;
    case 'random':
      return sql`'anonymised-' || ${randomText(trx)}`;
    case 'now':
      return sql`coalesce(${old}, ${at})`;
    case 'next':
      return sql`${old} + 1`;
    case 'day_start':
      return dayStart(old);
    case 'day_end':
      return sql`${dayStart(old)} + ${sql.lit(DAY_MS - 1)}`;
  }
}

const dayStart = (moment: RawBuilder<unknown>) => sql`${moment} - ${moment} % ${sql.lit(DAY_MS)}`;

async function countDeletions(
  trx: Trx,
  type: PersonalDataDeclaration,
  { table, column, by }: NonNullable<PersonalDataDeclaration['deletions']>,
  where: RawBuilder<unknown>,
): Promise<void> {
  const key = sql.join(by.map((name) => sql.ref(name)));
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + gone.count
    from (select ${key}, count(*) as count from ${sql.table(type.table)} where ${where} group by ${key}) as gone
    where ${sql.join(
      by.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`gone.${name}`)}`),
      sql` and `,
    )}`.execute(trx);
}
