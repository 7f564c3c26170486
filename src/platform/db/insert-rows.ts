import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Trx } from './database.ts';
import { getEngine } from './dialect.ts';

type Value = string | number | null;

/** Rows per statement on SQLite, so that few statements are prepared and each has few parameters. */
const CHUNKS = [64, 16, 4, 1] as const;

/**
 * Returns a function that inserts many rows with few statements that stay prepared, which costs half of what
 * `listRows` does. It gives the ids of the rows in their order.
 * @param columns whose type is the same on both engines
 * @param computed further columns, which the database computes for each row
 */
export function createInsert(
  table: string,
  columns: Readonly<Record<string, 'text' | 'integer'>>,
  computed: Readonly<Record<string, (trx: Trx) => RawBuilder<unknown>>>,
): (trx: Trx, rows: readonly (readonly Value[])[]) => Promise<number[]> {
  const names = Object.keys(columns);
  const into = `insert into ${table} (${[...names, ...Object.keys(computed)].join(', ')})`;
  let forPostgres: string | undefined;
  let forSqlite: ReadonlyMap<number, string> | undefined;
  const compute = (trx: Trx) => Object.values(computed).map((each) => each(trx).compile(trx).sql);

  function compileForPostgres(trx: Trx): string {
    const arrays = Object.values(columns).map(
      (type, at) => `$${at + 1}::${type === 'text' ? 'text' : 'bigint'}[]`,
    );
    return `${into} select ${[...names, ...compute(trx)].join(', ')}
      from unnest(${arrays.join(', ')}) as given (${names.join(', ')}) returning id`;
  }

  function compileForSqlite(trx: Trx): ReadonlyMap<number, string> {
    const row = `(${[...names.map(() => '?'), ...compute(trx)].join(', ')})`;
    return new Map(
      CHUNKS.map((size) => [size, `${into} values ${Array(size).fill(row).join(', ')}`]),
    );
  }

  async function insertIntoSqlite(trx: Trx, rows: readonly (readonly Value[])[]) {
    forSqlite ??= compileForSqlite(trx);
    const ids: number[] = [];
    for (const [size, text] of forSqlite) {
      while (rows.length - ids.length >= size) {
        const values = rows.slice(ids.length, ids.length + size).flat();
        const { insertId } = await trx.executeQuery(CompiledQuery.raw(text, values));
        // The rows of one statement have ids in a row, and the last one is known.
        const last = Number(insertId);
        for (let id = last - size + 1; id <= last; id++) ids.push(id);
      }
    }
    return ids;
  }

  async function insertIntoPostgres(trx: Trx, rows: readonly (readonly Value[])[]) {
    forPostgres ??= compileForPostgres(trx);
    const arrays = names.map((_, at) => rows.map((row) => row[at]));
    const query = CompiledQuery.raw(forPostgres, arrays) as CompiledQuery<{ id: number }>;
    const inserted = await trx.executeQuery(query);
    // Ids rise with the order of the rows, but RETURNING has no guaranteed order.
    return inserted.rows.map(({ id }) => id).sort((a, b) => a - b);
  }

  return (trx, rows) =>
    getEngine(trx) === 'sqlite' ? insertIntoSqlite(trx, rows) : insertIntoPostgres(trx, rows);
}
