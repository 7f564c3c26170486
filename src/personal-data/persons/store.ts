import { type RawBuilder, sql } from 'kysely';
import { type Db, findIdsByKey, type Trx } from '../../platform/db/index.ts';
import { anonymiseRecords, deleteRecords } from '../changes/store.ts';
import type {
  ErasureMoment,
  Identity,
  PersonalDataDeclaration,
  RetentionException,
} from '../declaration.ts';
import type { KeepingGround } from '../grounds.ts';
import {
  hasNoLegalHold,
  lockRecords,
  matchException,
  matchReferences,
  toColumnRef,
} from '../store.ts';

/** The records of a person; undefined where records of the type are not found by this identity. */
function matchPerson(
  db: Db,
  type: PersonalDataDeclaration,
  identity: Identity,
  value: string,
): RawBuilder<unknown> | undefined {
  const path = type.person?.[identity];
  if (!path) return undefined;
  const [first, ...steps] = path;
  const found = matchReferences(steps, sql`= ${value}`);
  const isTheirs = type.randomKeys
    ? sql`${toColumnRef(type, 'id')} in (${findIdsByKey(db, type.table, first, (key) => sql`${key} ${found}`)})`
    : sql`${toColumnRef(type, first)} ${found}`;
  return type.due === undefined
    ? isTheirs
    : sql`${isTheirs} and ${toColumnRef(type, 'anonymised_at')} is null`;
}

/**
 * The records of a person of one type, oldest first: whole rows with the `named` columns.
 * @param after the last id of the previous page; 0 for the first page
 */
export async function listPersonRecords(
  db: Db,
  type: PersonalDataDeclaration,
  identity: Identity,
  value: string,
  { after, limit }: { after: number; limit: number },
): Promise<Record<string, unknown>[]> {
  const where = matchPerson(db, type, identity, value);
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

interface KeptRecords {
  ground: KeepingGround;
  count: number;
  /** The latest due date, in epoch milliseconds; null while none has one. */
  lastDue: number | null;
}

/** The result of an erasure for the records of one type. */
export interface Erasure {
  erased: number;
  anonymised: number;
  kept: KeptRecords[];
}

const NOTHING: Erasure = { erased: 0, anonymised: 0, kept: [] };

/** Which records of a person are kept and why, and a condition for the others. */
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
  let left = type.uncounted ? sql`${theirs} and not (${type.uncounted})` : theirs;
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

/** The result that `erasePerson` would have at a moment. */
export async function previewRecordErasure(
  db: Db | Trx,
  type: PersonalDataDeclaration,
  identity: Identity,
  value: string,
  at: number,
): Promise<Erasure> {
  const theirs = matchPerson(db, type, identity, value);
  if (!theirs) return NOTHING;
  const { kept, left } = await partition(db, type, theirs, at);
  const { count } = await tally(db, type, left);
  return { ...NOTHING, [type.erasure === 'delete' ? 'erased' : 'anonymised']: count, kept };
}

/**
 * Anonymises or deletes the records of a person of one type, except those that the declaration keeps and those under a
 * legal hold.
 */
export async function erasePerson(
  trx: Trx,
  type: PersonalDataDeclaration,
  identity: Identity,
  value: string,
  moment: ErasureMoment,
): Promise<Erasure> {
  const theirs = matchPerson(trx, type, identity, value);
  if (!theirs) return NOTHING;
  await lockRecords(trx, type);
  await type.beforeErasure?.(trx, value, moment);
  const change = { cause: { cause: 'erasure' }, at: moment.at } as const;
  const { kept, left } = await partition(trx, type, theirs, moment.at);
  if (type.erasure === 'delete')
    return { ...NOTHING, erased: await deleteRecords(trx, type, left, change), kept };
  // Records without personal data of their own are anonymous once the records that they refer to are.
  const isBare = Object.keys(type.personal).length === 0;
  const anonymised = isBare
    ? (await tally(trx, type, left)).count
    : await anonymiseRecords(trx, type, left, change);
  return { ...NOTHING, anonymised, kept };
}
