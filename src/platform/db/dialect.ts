import {
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import { SqliteUnavailable } from './sqlite-driver.ts';

/*
 * The only place that knows how the two engines differ. Everything else writes portable SQL:
 * integer ids, integer epoch milliseconds, 0/1 booleans, `YYYY-MM-DD` and JSON as text.
 */

export type Engine = 'sqlite' | 'postgres';

// biome-ignore lint/suspicious/noExplicitAny: any schema will do
export const getEngine = (db: Kysely<any>): Engine =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';

/** Locks the rows of a query until the transaction ends. SQLite has locked the whole file already (BEGIN IMMEDIATE). */
export function lockRows<DB, TB extends keyof DB, O>(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return getEngine(db) === 'postgres' ? query.forUpdate() : query;
}

/** Locks the rows of a query and leaves out those that another transaction has locked, so that several workers share a queue. */
export function lockFreeRows<DB, TB extends keyof DB, O>(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return getEngine(db) === 'postgres' ? query.forUpdate().skipLocked() : query;
}

/** Lets one transaction at a time past, where there may be no row yet to lock. SQLite has locked the whole file already. */
// biome-ignore lint/suspicious/noExplicitAny: any schema will do
export async function lockName(trx: Kysely<any>, name: string): Promise<void> {
  if (getEngine(trx) === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx);
}

/**
 * A column, in a condition for which its index is not to be used, because a walk along the order
 * finds enough sooner. PostgreSQL's planner knows that by itself.
 */
export function unindexed(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  column: string,
): RawBuilder<unknown> {
  return getEngine(db) === 'sqlite' ? sql`+${sql.ref(column)}` : sql.ref(column);
}

/**
 * A query that gives rows as they are handed in, in their order: what is inserted from it is one
 * short statement however many rows there are, where a list of values takes longer to build than to write.
 * A list among the values becomes its JSON.
 */
export function listRows(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  columns: readonly ('text' | 'integer')[],
  rows: readonly (readonly (string | number | null | readonly string[])[])[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const isPostgres = getEngine(db) === 'postgres';
  const fields = columns.map((type, at) => {
    const field = sql.raw(`value ->> ${at}`);
    return isPostgres && type === 'integer' ? sql`(${field})::bigint` : field;
  });
  const source = isPostgres ? sql`json_array_elements(${json}::json)` : sql`json_each(${json})`;
  // The condition tells SQLite's parser that a conflict clause after it belongs to the insert.
  return sql`select ${sql.join(fields)} from ${source} where true`;
}

/** A condition on rows, for a query that others build. */
export type Condition = RawBuilder<unknown>;

/** Of a JSON object in a text column the members with these names; an object without any is `{}`. */
export function jsonMembers(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  column: string,
  names: readonly string[],
): RawBuilder<string> {
  if (names.length === 0) return sql`'{}'`;
  const wanted = sql.join(names.map((name) => sql.lit(name)));
  return getEngine(db) === 'postgres'
    ? sql`(select coalesce(jsonb_object_agg(key, value), '{}')::text
        from jsonb_each(${sql.ref(column)}::jsonb) where key in (${wanted}))`
    : sql`(select json_group_object(key, ${sql.ref(column)} -> fullkey)
        from json_each(${sql.ref(column)}) where key in (${wanted}))`;
}

/** A text up to the first ` (`. */
export function beforeBracket(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  column: string,
): RawBuilder<string> {
  const text = sql.ref(column);
  return getEngine(db) === 'postgres'
    ? sql`split_part(${text}, ' (', 1)`
    : sql`substr(${text}, 1, instr(${text} || ' (', ' (') - 1)`;
}

/**
 * What a database's error means to us:
 * `contention`, try again; `unavailable`, it is gone; `unwritable`, it is there but full, read-only or
 * on a broken disk; `fault`, our own mistake. In each case nothing was written.
 */
export type DatabaseFault = 'contention' | 'unavailable' | 'unwritable' | 'fault';

const SQLITE_PRIMARY_CODES: Record<number, DatabaseFault> = {
  5: 'contention', // BUSY
  6: 'contention', // LOCKED
  8: 'unwritable', // READONLY
  10: 'unwritable', // IOERR
  11: 'unwritable', // CORRUPT
  13: 'unwritable', // FULL
  14: 'unavailable', // CANTOPEN
  26: 'unavailable', // NOTADB
};

const POSTGRES_CONTENTION = new Set(['40001', '40P01', '55P03']);
/** Full, read-only, and a fault of the disk. */
const POSTGRES_UNWRITABLE = new Set(['53100', '25006', '58030']);
/** Classes of SQLSTATE that say the server is away: connection, resources, operator intervention, system. */
const POSTGRES_AWAY = /^(?:08|53|57|58)|^(?:28P01|28000|3D000)$/;
const NETWORK_AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);
/** What `pg` says without a code. */
const POSTGRES_AWAY_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|the database system is|Client was closed|Cannot use a pool after)/;

/** Whether all connections of a pool were in use for so long that nobody waits any longer. */
export const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/** Tells a database's error from any other; undefined if it is none. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof SqliteUnavailable) return 'unavailable';
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR') {
    return typeof errcode === 'number'
      ? (SQLITE_PRIMARY_CODES[errcode & 0xff] ?? 'fault')
      : 'fault';
  }
  if (typeof code === 'string') {
    if (POSTGRES_CONTENTION.has(code)) return 'contention';
    if (POSTGRES_UNWRITABLE.has(code)) return 'unwritable';
    if ('severity' in error) return POSTGRES_AWAY.test(code) ? 'unavailable' : 'fault';
    // A name with several addresses fails with all their errors in one.
    const isNetwork = 'syscall' in error || error instanceof AggregateError;
    if (isNetwork && NETWORK_AWAY.has(code)) return 'unavailable';
  }
  return POSTGRES_AWAY_MESSAGES.test(error.message) ? 'unavailable' : undefined;
}

/** A text that no one can guess, made anew for each row. */
// biome-ignore lint/suspicious/noExplicitAny: any schema will do
export const randomText = (db: Kysely<any>): RawBuilder<string> =>
  getEngine(db) === 'postgres'
    ? sql`replace(gen_random_uuid()::text, '-', '')`
    : sql`lower(hex(randomblob(16)))`;
