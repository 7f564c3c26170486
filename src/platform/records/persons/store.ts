import { type RawBuilder, sql } from 'kysely';
import { type Db, idsByKey, type Trx } from '../../db/index.ts';
import type { Identity, RecordType } from '../record-type.ts';
import { anonymise, columnOf, isFree, lockRecords } from '../store.ts';

/** The records of a person that a row stands for; none where the type knows no such identity. */
function ofPerson(
  db: Db,
  type: RecordType,
  identity: Identity,
  value: string,
): RawBuilder<unknown> | undefined {
  const path = type.person?.[identity];
  if (!path) return undefined;
  const [first, ...steps] = path;
  const found = steps.reduceRight<RawBuilder<unknown>>((inner, step) => {
    const [table = ''] = step.split('.');
    return sql`in (select id from ${sql.table(table)} where ${sql.ref(step)} ${inner})`;
  }, sql`= ${value}`);
  const isTheirs = type.randomKeys
    ? sql`${columnOf(type, 'id')} in (${idsByKey(db, type.table, first, (key) => sql`${key} ${found}`)})`
    : sql`${columnOf(type, first)} ${found}`;
  return type.due === undefined
    ? isTheirs
    : sql`${isTheirs} and ${columnOf(type, 'anonymised_at')} is null`;
}

/**
 * A page of what is held about a person in records of one type, oldest first: whole rows, with the
 * columns that the declaration names and `id`.
 * @param after the last id of the page before; 0 for the first page
 */
export async function listOfPerson(
  db: Db,
  type: RecordType,
  identity: Identity,
  value: string,
  { after, limit }: { after: number; limit: number },
): Promise<Record<string, unknown>[]> {
  const where = ofPerson(db, type, identity, value);
  if (!where) return [];
  const id = columnOf(type, 'id');
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.table(type.table)}.* from ${sql.table(type.table)}
    where ${where} and ${id} > ${after} order by ${id} limit ${limit}`.execute(db);
  return rows;
}

/**
 * Anonymises what is held about a person in records of one type, by the same declaration as
 * retention does. What is in use, and what is held, stays.
 * @param at when, in epoch milliseconds
 * @returns how many records were anonymised, and how many stay and why
 */
export async function erasePerson(
  trx: Trx,
  type: RecordType,
  identity: Identity,
  value: string,
  at: number,
): Promise<{ anonymised: number; inUse: number; held: number }> {
  const theirs = ofPerson(trx, type, identity, value);
  if (!theirs) return { anonymised: 0, inUse: 0, held: 0 };
  await lockRecords(trx, type);
  const count = async (where: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(type.table)} where ${where}`.execute(trx);
    return Number(rows[0]?.count ?? 0);
  };
  if (type.due === undefined) return { anonymised: 0, inUse: await count(theirs), held: 0 };
  const due = columnOf(type, type.due);
  const inUse = await count(sql`${theirs} and ${due} is null`);
  const ended = sql`${theirs} and ${due} is not null`;
  const held = await count(sql`${ended} and not (${isFree(type)})`);
  const anonymised = await anonymise(trx, type, sql`${ended} and ${isFree(type)}`, at);
  return { anonymised, inUse, held };
}
