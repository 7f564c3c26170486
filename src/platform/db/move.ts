import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { CliError } from '../errors.ts';
import type { Trx } from './database.ts';
import type { Datastore } from './datastore.ts';
import { openExclusively } from './exclusive-access.ts';
import { MIGRATIONS_TABLE } from './migrate.ts';

const ROWS_AT_ONCE = 1_000;
/** The maximum for binary columns, such as pictures. */
const BYTES_AT_ONCE = 4_000_000;

/** Rows per table. */
type Moved = { table: string; rows: number }[];

/**
 * Copies an SQLite database into an empty PostgreSQL database with the same schema, in one transaction.
 * @param options.others further files whose tables PostgreSQL has in the same schema; those that do not exist are left
 * out
 * @param options.filled tables in which migrations have written rows, the referring ones first. The copied rows replace
 * these
 * @param onProgress called with the rows since the last call and the total
 * @throws CliError if a process has the SQLite database open, or the other is not empty
 */
export async function moveToPostgres(
  database: string,
  { others, filled }: { others: readonly string[]; filled: readonly string[] },
  target: Datastore,
  onProgress: (rows: number, ofAll: number) => void,
): Promise<Moved> {
  const sources: DatabaseSync[] = [];
  try {
    for (const file of [database, ...others]) {
      const source = openExclusively(file, false);
      if (source) sources.push(source);
      else if (file === database) throw new CliError(`there is no database ${database}`);
    }
    const tables = sources.flatMap((source) =>
      listTables(source).map((table) => ({ source, table })),
    );
    const all = tables.reduce((sum, { source, table }) => sum + countRows(source, table), 0);
    return await target.transaction(async (trx) => {
      await assertEmpty(
        trx,
        tables.map(({ table }) => table).filter((table) => !filled.includes(table)),
      );
      for (const table of filled) await sql`delete from ${sql.table(table)}`.execute(trx);
      const moved: Moved = [];
      for (const { source, table } of tables) {
        const rows = await copyTable(source, trx, table, (copied) => onProgress(copied, all));
        moved.push({ table, rows });
      }
      const [main] = sources;
      if (main) await continueSequences(main, trx);
      return moved;
    });
  } finally {
    for (const source of sources) source.close();
  }
}

/** In the order of their references, without indexes, which only SQLite has as tables. */
function listTables(source: DatabaseSync): string[] {
  const names = source
    .prepare(
      `select name from sqlite_schema where type = 'table'
        and name not like 'sqlite\\_%' escape '\\' and name not like 'index\\_%' escape '\\'
        and name not like '${MIGRATIONS_TABLE}%' order by name`,
    )
    .all();
  const ordered = new Set<string>();
  function add(table: string): void {
    if (ordered.has(table)) return;
    const references = source.prepare('select "table" as name from pragma_foreign_key_list(?)');
    for (const { name } of references.all(table)) if (name !== table) add(String(name));
    ordered.add(table);
  }
  for (const { name } of names) add(String(name));
  return [...ordered];
}

async function assertEmpty(trx: Trx, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(trx);
    if (rows.length > 0) {
      throw new CliError(
        `there is something in the other database (table ${table}): name an empty one, that no server has used`,
      );
    }
  }
}

const countRows = (source: DatabaseSync, table: string): number =>
  Number(source.prepare(`select count(*) as rows from "${table}"`).get()?.rows);

async function copyTable(
  source: DatabaseSync,
  trx: Trx,
  table: string,
  onCopied: (rows: number) => void,
): Promise<number> {
  let copied = 0;
  let batch: unknown[] = [];
  let bytes = 0;
  const write = async () => {
    const rows = JSON.stringify(batch);
    await sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`.execute(trx);
    copied += batch.length;
    onCopied(batch.length);
    batch = [];
    bytes = 0;
  };
  for (const row of source.prepare(`select * from "${table}"`).iterate()) {
    for (const [column, value] of Object.entries(row)) {
      if (!(value instanceof Uint8Array)) continue;
      bytes += value.length;
      // The hex format of bytea, which JSON can hold.
      row[column] = `\\x${Buffer.from(value).toString('hex')}`;
    }
    batch.push(row);
    if (batch.length === ROWS_AT_ONCE || bytes > BYTES_AT_ONCE) await write();
  }
  if (batch.length > 0) await write();
  return copied;
}

/** No id is given twice, that of a deleted row included. */
async function continueSequences(source: DatabaseSync, trx: Trx): Promise<void> {
  const sequences = source.prepare(
    `select s.name as "table", s.seq, i.name as id from sqlite_sequence s, pragma_table_info(s.name) i
      where i.pk = 1 and s.seq > 0`,
  );
  for (const { table, id, seq } of sequences.all()) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${id}), ${seq})`.execute(trx);
  }
}
