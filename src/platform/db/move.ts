import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { CliError } from '../errors.ts';
import type { Trx } from './database.ts';
import type { Datastore } from './datastore.ts';
import { openExclusively } from './exclusive-access.ts';
import { MIGRATIONS_TABLE } from './migrate.ts';

const ROWS_AT_ONCE = 1_000;

/** How many rows went into each table. */
type Moved = { table: string; rows: number }[];

/**
 * Copies all that an embedded database holds into an empty one of PostgreSQL with the same schema, in
 * one transaction: everything is there then, or nothing. The embedded one stays as it is.
 * @param onProgress called with how many rows there were since it was called before, and all there are
 * @throws CliError if a process has the one open, or there is something in the other
 */
export async function moveToPostgres(
  database: string,
  target: Datastore,
  onProgress: (rows: number, ofAll: number) => void,
): Promise<Moved> {
  const source = openExclusively(database, false);
  if (!source) throw new CliError(`there is no database ${database}`);
  try {
    const tables = tablesOf(source);
    const all = tables.reduce((sum, table) => sum + countRows(source, table), 0);
    return await target.transaction(async (trx) => {
      await assertEmpty(trx, tables);
      const moved: Moved = [];
      for (const table of tables) {
        const rows = await copyTable(source, trx, table, (copied) => onProgress(copied, all));
        moved.push({ table, rows });
      }
      await goOnCounting(source, trx);
      return moved;
    });
  } finally {
    source.close();
  }
}

/** Each after those that it refers to; but for indexes, which only the embedded one has as tables. */
function tablesOf(source: DatabaseSync): string[] {
  const names = source
    .prepare(
      `select name from sqlite_schema where type = 'table'
        and name not like 'sqlite\\_%' escape '\\' and name not like 'index\\_%' escape '\\'
        and name not like '${MIGRATIONS_TABLE}%' order by name`,
    )
    .all();
  const ordered = new Set<string>();
  function take(table: string): void {
    if (ordered.has(table)) return;
    const references = source.prepare('select "table" as name from pragma_foreign_key_list(?)');
    for (const { name } of references.all(table)) if (name !== table) take(String(name));
    ordered.add(table);
  }
  for (const { name } of names) take(String(name));
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
  let some: unknown[] = [];
  const write = async () => {
    const rows = JSON.stringify(some);
    await sql`insert into ${sql.table(table)}
      select * from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`.execute(trx);
    copied += some.length;
    onCopied(some.length);
    some = [];
  };
  for (const row of source.prepare(`select * from "${table}"`).iterate()) {
    some.push(row);
    if (some.length === ROWS_AT_ONCE) await write();
  }
  if (some.length > 0) await write();
  return copied;
}

/** No id is given twice, that of a deleted row included. */
async function goOnCounting(source: DatabaseSync, trx: Trx): Promise<void> {
  const counted = source.prepare(
    `select s.name as "table", s.seq, i.name as id from sqlite_sequence s, pragma_table_info(s.name) i
      where i.pk = 1 and s.seq > 0`,
  );
  for (const { table, id, seq } of counted.all()) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${id}), ${seq})`.execute(trx);
  }
}
