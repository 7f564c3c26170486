import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import { VERSION } from '../../src/config/version.ts';
import { migrations } from '../../src/migrations/index.ts';
import { openDatastore } from '../../src/platform/db/index.ts';
import { computeChecksum, listStatements } from '../../src/platform/db/migration-checksum.ts';
import { createLogger } from '../../src/platform/log.ts';

import { FIXTURE_SECRET, fillInstallation } from '../support/filled-installation.ts';
import { startPostgres } from '../support/postgres.ts';
import { dataFolder } from '../support/process.ts';
import { PROJECT } from './cruised.ts';

/*
 * Writes the fixture of this version's schema: a database of each engine as use leaves it, as SQL. Run
 * `npm run schema-fixture` once, at a release; what a release has written is frozen.
 */

type Row = Record<string, unknown>;
type Engine = (typeof ENGINES)[number];

const ENGINES = ['sqlite', 'postgres'] as const;

/** What only background work and failures leave, as a row of each. */
const LEFT_BY_FAILURES: [table: string, row: Row][] = [
  ['jobs', { name: 'fixture', next_at: 1, holder: 'a node', leased_until: 2 }],
  ['dsar_pages', { case_id: 1, task_id: 1, records: '[{"id":1}]' }],
  ['site_farewells', { sealed_key: 'k', key_hash: 'h', site: 'example.com', created_at: 1 }],
  ['erasures', { id: 'a5e1', at: 1 }],
];

/** Statements that change rows and not the schema. The rows of the fixture are those that they have left. */
const CHANGES_ROWS = /^\s*(?:insert|update|delete|with)\b/i;

/** A value as the engine reads it. */
function literal(value: unknown, engine: Engine): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value).toString('hex');
    return engine === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'`;
  }
  return `'${String(value).replaceAll("'", "''")}'`;
}

function insert(table: string, row: Row, engine: Engine): string {
  const columns = Object.keys(row).map((name) => `"${name}"`);
  const values = Object.values(row).map((value) => literal(value, engine));
  return `insert into "${table}" (${columns.join(', ')}) values (${values.join(', ')});`;
}

/** Everything in an embedded database, as statements that make it anew. */
function dumpSqlite(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const schema = db
    .prepare('select name, type, sql from sqlite_schema where sql is not null order by rowid')
    .all()
    .filter(({ name }) => !String(name).startsWith('sqlite_'));
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => String(name));
  const rowsOf = (table: string) => db.prepare(`select * from "${table}"`).all() as Row[];
  const lines = [
    ...schema.map(({ sql }) => `${sql};`),
    ...tables.flatMap((table) => rowsOf(table).map((row) => insert(table, row, 'sqlite'))),
    'delete from sqlite_sequence;',
    ...rowsOf('sqlite_sequence').map((row) => insert('sqlite_sequence', row, 'sqlite')),
  ];
  db.close();
  return lines;
}

/** The statements of the migrations, which is all that makes tables, and then the rows. */
async function dumpPostgres(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async (sql: string) => (await client.query(sql)).rows as Row[];
  const lines = [
    'create table "pavis_migrations" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);',
    'create table "pavis_migrations_checksums" ("name" text primary key, "checksum" text not null);',
    'create table "pavis_migrations_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);',
  ];
  for (const migration of Object.values(migrations)) {
    const statements = await listStatements(migration, 'postgres');
    const ofSchema = statements.filter(({ sql }) => !CHANGES_ROWS.test(sql));
    lines.push(...ofSchema.map(({ sql }) => `${sql};`));
  }
  const tables = await read(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  // Rows come in the order of the tables' names, so what refers to others may come before them.
  lines.push("set session_replication_role = 'replica';");
  for (const { name } of tables) {
    const rows = await read(`select * from "${name}"`);
    lines.push(...rows.map((row) => insert(String(name), row, 'postgres')));
  }
  lines.push("set session_replication_role = 'origin';");
  const sequences = await read(
    'select sequencename as name, last_value as value from pg_sequences where last_value is not null order by 1',
  );
  for (const { name, value } of sequences) lines.push(`select setval('${name}', ${value});`);
  await client.end();
  return lines;
}

async function listChecksums(engine: Engine): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {};
  for (const [name, migration] of Object.entries(migrations)) {
    checksums[name] = await computeChecksum(migration, engine);
  }
  return checksums;
}

const target = join(PROJECT, 'test/fixtures', `schema-${VERSION}`);
mkdirSync(target, { recursive: true });
const postgres = await startPostgres();
const checksums: Partial<Record<Engine, object>> = {};
for (const engine of ENGINES) {
  checksums[engine] = await listChecksums(engine);
  const folder = dataFolder();
  const file = join(folder.path, 'pavis.db');
  const url = engine === 'sqlite' ? `sqlite:${file}` : postgres.url('postgres');
  await fillInstallation({
    PAVIS_DATA_DIR: folder.path,
    PAVIS_DATABASE_URL: url,
    PAVIS_SECRET: FIXTURE_SECRET,
  });
  const datastore = await openDatastore(url, await createLogger('silent'));
  for (const [table, row] of LEFT_BY_FAILURES) {
    await sql.raw(insert(table, row, engine)).execute(datastore.db);
  }
  await datastore.close();
  const lines = engine === 'sqlite' ? dumpSqlite(file) : await dumpPostgres(url);
  writeFileSync(join(target, `${engine}.sql`), `${lines.join('\n')}\n`);
  folder.remove();
}
writeFileSync(join(target, 'checksums.json'), `${JSON.stringify(checksums, null, 2)}\n`);
await postgres.stop();
