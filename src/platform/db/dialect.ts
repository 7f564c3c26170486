import { PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { AnyDb } from './database.ts';

/*
 * The only place that knows how the two engines differ. Everything else writes portable SQL: integer ids, integer epoch
 * milliseconds, 0/1 booleans, `YYYY-MM-DD` and JSON as text.
 */

export type Engine = 'sqlite' | 'postgres';

export const getEngine = (db: AnyDb): Engine =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';

const isPostgres = (db: AnyDb): boolean => getEngine(db) === 'postgres';

/** Locks the rows of a query until the transaction ends. SQLite has locked the file already (BEGIN IMMEDIATE). */
export const lockRows = <DB, TB extends keyof DB, O>(
  db: AnyDb,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (isPostgres(db) ? query.forUpdate() : query);

/** Locks the rows of a query except those that another transaction has locked, so that workers can share a queue. */
export const lockFreeRows = <DB, TB extends keyof DB, O>(
  db: AnyDb,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (isPostgres(db) ? query.forUpdate().skipLocked() : query);

/** The same at the end of a query in SQL. */
export const lockedRows = (db: AnyDb): RawBuilder<unknown> =>
  isPostgres(db) ? sql`for update` : sql``;

/** Locks a name until the transaction ends, where there may be no row to lock. SQLite has locked the file already. */
export async function lockName(trx: AnyDb, name: string): Promise<void> {
  if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx);
}

/** A column in a condition that must not use its index, because a scan in order finds enough rows sooner. PostgreSQL's planner knows. */
export const unindexed = (db: AnyDb, column: string): RawBuilder<unknown> =>
  isPostgres(db) ? sql.ref(column) : sql`+${sql.ref(column)}`;

/**
 * A query that returns the given rows in their order, to insert from. It is one short statement however many rows
 * there are; a list of values takes longer to build than to write. An array among the values becomes JSON.
 * @param computed further columns, which the database computes for each row
 */
export function listRows(
  db: AnyDb,
  columns: readonly ('text' | 'integer')[],
  rows: readonly (readonly (string | number | null | readonly string[])[])[],
  computed: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const fields = columns.map((type, at) => {
    const field = sql.raw(`value ->> ${at}`);
    return isPostgres(db) && type === 'integer' ? sql`(${field})::bigint` : field;
  });
  const source = isPostgres(db) ? sql`json_array_elements(${json}::json)` : sql`json_each(${json})`;
  // With the condition, SQLite's parser takes a conflict clause after it as part of the insert.
  return sql`select ${sql.join([...fields, ...computed])} from ${source} where true`;
}

export type Condition = RawBuilder<unknown>;

/**
 * A condition that follows from others. PostgreSQL estimates by it how few rows match a comparison of pairs, and without it reads
 * the whole table for a few of them. SQLite would search by it in place of the pairs.
 */
export const impliedCondition = (db: AnyDb, condition: Condition): Condition =>
  isPostgres(db) ? condition : sql`true`;

/** The named members of a JSON object in a text column; `{}` without any. */
export function jsonMembers(
  db: AnyDb,
  column: string,
  names: readonly string[],
): RawBuilder<string> {
  if (names.length === 0) return sql`'{}'`;
  const wanted = sql.join(names.map((name) => sql.lit(name)));
  return isPostgres(db)
    ? sql`(select coalesce(jsonb_object_agg(key, value), '{}')::text
        from jsonb_each(${sql.ref(column)}::jsonb) where key in (${wanted}))`
    : sql`(select json_group_object(key, ${sql.ref(column)} -> fullkey)
        from json_each(${sql.ref(column)}) where key in (${wanted}))`;
}

/** A text up to the first ` (`. */
export function beforeBracket(db: AnyDb, column: string): RawBuilder<string> {
  const text = sql.ref(column);
  return isPostgres(db)
    ? sql`split_part(${text}, ' (', 1)`
    : sql`substr(${text}, 1, instr(${text} || ' (', ' (') - 1)`;
}

/** An unguessable text, different for each row. */
export const randomText = (db: AnyDb): RawBuilder<string> =>
  isPostgres(db) ? sql`replace(gen_random_uuid()::text, '-', '')` : sql`lower(hex(randomblob(16)))`;

/** 16 random bytes from a cryptographically secure generator, different for each row. */
export const randomSalt = (db: AnyDb): RawBuilder<Uint8Array> =>
  isPostgres(db)
    ? sql`substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16)`
    : sql`randomblob(16)`;

/** A column whose integers beyond 2^53, which a number cannot hold, are read as texts. Pavis writes none. */
export const readIntegers = (db: AnyDb, column: string): RawBuilder<unknown> => {
  const value = sql.ref(column);
  const isTooLarge = sql`typeof(${value}) = 'integer' and ${value} not between -9007199254740991 and 9007199254740991`;
  return isPostgres(db)
    ? value
    : sql`case when ${isTooLarge} then 'integer ' || ${value} else ${value} end`;
};

/** Bytes from hexadecimal text. */
export const fromHex = (db: AnyDb, text: RawBuilder<unknown>): RawBuilder<Uint8Array> =>
  isPostgres(db) ? sql`decode(${text}, 'hex')` : sql`unhex(${text})`;
