import { type RawBuilder, sql } from 'kysely';
import { type Db, findIdsByKey, type Trx } from '../../platform/db/index.ts';
import type {
  ErasureMoment,
  Identity,
  PersonalDataDeclaration,
  RetentionException,
} from '../declaration.ts';
import type { KeepingGround } from '../grounds.ts';
import {
  anonymiseRecords,
  deleteRecords,
  hasNoLegalHold,
  lockRecords,
  matchException,
  toColumnRef,
} from '../store.ts';

/** The records of a person that a row stands for; none where the type knows no such identity. */
function ofPerson(
  db: Db,
  type: PersonalDataDeclaration,
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
    ? sql`${toColumnRef(type, 'id')} in (${findIdsByKey(db, type.table, first, (key) => sql`${key} ${found}`)})`
    : sql`${toColumnRef(type, first)} ${found}`;
  return type.due === undefined
    ? isTheirs
    : sql`${isTheirs} and ${toColumnRef(type, 'anonymised_at')} is null`;
}

/**
 * A page of what is held about a person in records of one type, oldest first: whole rows, with what
 * the declaration names besides.
 * @param after the last id of the page before; 0 for the first page
 */
export async function listPersonRecords(
  db: Db,
  type: PersonalDataDeclaration,
  identity: Identity,
  value: string,
  { after, limit }: { after: number; limit: number },
): Promise<Record<string, unknown>[]> {
  const where = ofPerson(db, type, identity, value);
  if (!where) return [];
  const id = toColumnRef(type, 'id');
  const named = Object.entries(type.named ?? {}).map(([name, [column, target]]) => {
    const [table = ''] = target.split('.');
    return sql`(select ${sql.ref(target)} from ${sql.table(table)}
      where ${sql.ref(`${table}.id`)} = ${toColumnRef(type, column)}) as ${sql.ref(name)}`;
  });
  const columns = sql.join([sql`${sql.table(type.table)}.*`, ...named]);
  const { rows } = await sql<Record<string, unknown>>`
    select ${columns} from ${sql.table(type.table)}
    where ${where} and ${id} > ${after} order by ${id} limit ${limit}`.execute(db);
  return rows;
}

/** Records of a person that stay. */
interface KeptRecords {
  ground: KeepingGround;
  count: number;
  /** The latest moment from which their age counts, in epoch milliseconds; null if that has not come. */
  lastDue: number | null;
}

/** What becomes, or became, of a person's records of one type. */
export interface Erasure {
  erased: number;
  anonymised: number;
  kept: KeptRecords[];
}

const nothing = (): Erasure => ({ erased: 0, anonymised: 0, kept: [] });

/** What of a person's records stays and why, and which are left to be erased. */
async function partition(
  db: Db | Trx,
  type: PersonalDataDeclaration,
  theirs: RawBuilder<unknown>,
  at: number,
): Promise<{ kept: KeptRecords[]; left: RawBuilder<unknown> }> {
  const defaults: RetentionException[] = [{ ground: 'in_use', where: 'ongoing' }];
  const reasons: [KeepingGround, RawBuilder<unknown>][] = (type.keeps ?? defaults).map((keep) => [
    keep.ground,
    matchException(type, keep, at),
  ]);
  reasons.push(['legal_hold', sql`not (${hasNoLegalHold(type)})`]);
  const kept: KeptRecords[] = [];
  let left = theirs;
  for (const [ground, stays] of reasons) {
    const { count, lastDue } = await tally(db, type, sql`${left} and (${stays})`);
    const known = kept.find((each) => each.ground === ground);
    if (known) known.count += count;
    else if (count > 0) kept.push({ ground, count, lastDue });
    left = sql`${left} and not (${stays})`;
  }
  return { kept, left };
}

async function tally(
  db: Db | Trx,
  type: PersonalDataDeclaration,
  where: RawBuilder<unknown>,
): Promise<{ count: number; lastDue: number | null }> {
  const due = type.due === undefined ? sql`null` : sql`max(${toColumnRef(type, type.due)})`;
  const { rows } = await sql<{ count: number; last_due: number | null }>`
    select count(*) as count, ${due} as last_due from ${sql.table(type.table)}
    where ${where}`.execute(db);
  const [{ count, last_due } = { count: 0, last_due: null }] = rows;
  return { count: Number(count), lastDue: last_due === null ? null : Number(last_due) };
}

/** What `erasePerson` would do at a moment; nothing is written. */
export async function previewErasure(
  db: Db | Trx,
  type: PersonalDataDeclaration,
  identity: Identity,
  value: string,
  at: number,
): Promise<Erasure> {
  const theirs = ofPerson(db, type, identity, value);
  if (!theirs) return nothing();
  const { kept, left } = await partition(db, type, theirs, at);
  const { count } = await tally(db, type, left);
  return { ...nothing(), [type.erasure === 'delete' ? 'erased' : 'anonymised']: count, kept };
}

/**
 * Anonymises or deletes what is held about a person in records of one type, by the same declaration
 * as retention does. What the declaration keeps, and what is held, stays.
 */
export async function erasePerson(
  trx: Trx,
  type: PersonalDataDeclaration,
  identity: Identity,
  value: string,
  moment: ErasureMoment,
): Promise<Erasure> {
  const theirs = ofPerson(trx, type, identity, value);
  if (!theirs) return nothing();
  await lockRecords(trx, type);
  await type.beforeErasure?.(trx, value, moment);
  const { kept, left } = await partition(trx, type, theirs, moment.at);
  if (type.erasure === 'delete')
    return { ...nothing(), erased: await deleteRecords(trx, type, left), kept };
  // What holds nothing personal itself is nobody's once what it leads to is anonymised.
  const isBare = Object.keys(type.personal).length === 0;
  const anonymised = isBare
    ? (await tally(trx, type, left)).count
    : await anonymiseRecords(trx, type, left, moment.at);
  return { ...nothing(), anonymised, kept };
}
