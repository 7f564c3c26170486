import { type RawBuilder, sql } from 'kysely';
import { beforeBracket, jsonMembers, randomText, type Trx } from '../../platform/db/index.ts';
import { DAY_MS } from '../../platform/durations.ts';
import type {
  DeclarationPart,
  PersonalDataDeclaration,
  PreparedRemoval,
  RemovalCause,
  Replacement,
  RetentionAction,
} from '../declaration.ts';
import {
  type DueRecords,
  matchDueRecords,
  matchReferences,
  type Range,
  toColumnRef,
} from '../store.ts';

/** Why and when records are changed. */
interface Change {
  cause: RemovalCause;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Anonymises or deletes the records of a range, with their parts.
 * @returns the number of records
 */
export async function applyAction(
  trx: Trx,
  claim: DueRecords,
  range: Range,
  change: Change,
): Promise<number> {
  const where = matchDueRecords(trx, claim, range);
  return claim.action === 'delete'
    ? deleteRecords(trx, claim.type, where, change)
    : anonymiseRecords(trx, claim.type, where, change);
}

/** Deletes records with their parts. */
export async function deleteRecords(
  trx: Trx,
  type: PersonalDataDeclaration,
  matching: RawBuilder<unknown>,
  change: Change,
): Promise<number> {
  const { where } = await prepareRemoval(trx, type, 'delete', matching, change);
  for (const part of type.parts ?? []) {
    await sql`delete from ${sql.table(part.table)} where ${matchPart(part, type, where)}`.execute(
      trx,
    );
  }
  if (type.deletions) await countDeletions(trx, type, type.deletions, where);
  const { numAffectedRows } = await sql`
    delete from ${sql.table(type.table)} where ${where}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Replaces personal data in records and their parts, as declared. */
export async function anonymiseRecords(
  trx: Trx,
  type: PersonalDataDeclaration,
  matching: RawBuilder<unknown>,
  change: Change,
): Promise<number> {
  const { at } = change;
  const { where, kept } = await prepareRemoval(trx, type, 'anonymise', matching, change);
  for (const part of type.parts ?? []) {
    const changes = listChanges(trx, part.personal, at);
    if (changes.length === 0) continue;
    await sql`update ${sql.table(part.table)} set ${sql.join(changes)}
      where ${matchPart(part, type, where)}`.execute(trx);
  }
  const changes = listChanges(trx, type.personal, at);
  if (type.due !== undefined) changes.push(sql`anonymised_at = ${at}`);
  const update = sql`update ${sql.table(type.table)} set`;
  // One update: on PostgreSQL each one writes the row and its indexes again.
  const statement = kept
    ? sql`with ${kept.table} ${update} ${sql.join([...changes, ...kept.changes])}
      from ${sql.table(kept.name)} where ${kept.on}`
    : sql`${update} ${sql.join(changes)} where ${where}`;
  const { numAffectedRows } = await statement.execute(trx);
  return Number(numAffectedRows ?? 0);
}

const prepareRemoval = async (
  trx: Trx,
  type: PersonalDataDeclaration,
  action: RetentionAction,
  where: RawBuilder<unknown>,
  change: Change,
): Promise<PreparedRemoval> =>
  (await type.beforeRemoval?.(trx, { action, where, ...change })) ?? { where };

function matchPart(
  { table, parent }: DeclarationPart,
  type: PersonalDataDeclaration,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [column, ...steps] = typeof parent === 'string' ? [parent] : parent;
  const records = sql`in (select ${toColumnRef(type, 'id')} from ${sql.table(type.table)} where ${where})`;
  return sql`${sql.ref(`${table}.${column}`)} ${matchReferences(steps, records)}`;
}

const listChanges = (
  trx: Trx,
  personal: Readonly<Record<string, Replacement>>,
  at: number,
): RawBuilder<unknown>[] =>
  Object.entries(personal).map(
    ([column, by]) => sql`${sql.ref(column)} = ${toValue(trx, column, by, at)}`,
  );

function toValue(trx: Trx, column: string, by: Replacement, at: number): RawBuilder<unknown> {
  const old = sql.ref(column);
  if (typeof by === 'object') {
    if ('members' in by) return jsonMembers(trx, column, by.members);
    if ('text' in by) return sql`${by.text}`;
    const user = sql.ref(by.user);
    return sql`case when ${user} is null then ${beforeBracket(trx, column)} else 'user ' || ${user} end`;
  }
  const dayStart = sql`${old} - ${old} % ${sql.lit(DAY_MS)}`;
  const values = {
    null: sql`null`,
    random: sql`'anonymised-' || ${randomText(trx)}`,
    now: sql`coalesce(${old}, ${at})`,
    next: sql`${old} + 1`,
    day_start: dayStart,
    day_end: sql`${dayStart} + ${sql.lit(DAY_MS - 1)}`,
  };
  return values[by];
}

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
