import { type RawBuilder, sql } from 'kysely';
import { type Db, readIntegers } from '../../../platform/db/index.ts';
import type { LogSource } from '../log/tables.ts';
import type { EntryColumns } from './columns.ts';

/** The tables of the rows that have entries. */
export const SOURCE_TABLES = { 1: 'consent_records', 2: 'consent_log_records' } as const;

/**
 * Rows of a source, in the order of their ids.
 * @param selected the columns
 * @param from the table of the source, with what decides which rows are read
 */
export async function listInOrder<T>(
  db: Db,
  source: LogSource,
  {
    selected,
    from,
    limit,
  }: { selected: RawBuilder<unknown>; from: RawBuilder<unknown>; limit: number },
): Promise<T[]> {
  // With the table, for `id` alone is the expression of the result, by which SQLite would sort all rows.
  const id = sql.ref(`${SOURCE_TABLES[source]}.id`);
  const { rows } = await sql<T>`
    select ${selected} from ${from} order by ${id} limit ${limit}`.execute(db);
  return rows;
}

/** The columns of `consent_records` that an entry needs. */
export const selectRecord = (db: Db, { personal, facts }: EntryColumns): RawBuilder<unknown> =>
  select(db, 'consent_records', [
    'salt',
    'personal_hash',
    ...[...personal, ...facts].map(({ name }) => name),
  ]);

/** The columns of `consent_log_records` that an entry needs. */
export const selectFacts = (db: Db): RawBuilder<unknown> =>
  select(db, 'consent_log_records', ['id', 'kind', 'facts', 'created_at']);

const select = (db: Db, table: string, columns: readonly string[]) =>
  sql.join(columns.map((name) => sql`${readIntegers(db, `${table}.${name}`)} as ${sql.ref(name)}`));
