import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, ENGINES, type Engine, run } from '../../test/support/engines.ts';
import { FIXTURE_ADMIN, FIXTURE_SECRET } from '../../test/support/filled-installation.ts';
import { openEmptyDatabase } from '../../test/support/old-database.ts';
import { dataFolder, pavis, startServer } from '../../test/support/process.ts';
import { VERSION } from '../config/version.ts';
import {
  type Datastore,
  type Migration,
  migrate,
  migrationStatus,
  openDatastore,
} from '../platform/db/index.ts';
import { computeChecksum } from '../platform/db/migration-checksum.ts';
import { createLogger } from '../platform/log.ts';
import { migrations } from './index.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures');
const RELEASES = readdirSync(FIXTURES).filter((name) => name.startsWith('schema-'));
const fixture = (release: string, file: string) =>
  readFileSync(join(FIXTURES, release, file), 'utf8');

const notes = (columns: string[]): Migration => ({
  async up(db: Kysely<unknown>) {
    let table = db.schema.createTable('notes');
    for (const column of columns) table = table.addColumn(column, 'text');
    await table.execute();
  },
});

describe.each(ENGINES)('The migrations on %s', (engine) => {
  let url: string;
  let datastore: Datastore;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ url, datastore, close } = await openEmptyDatabase(engine));
  });
  afterEach(() => close());

  const checksums = async () =>
    (
      await sql<{ name: string; checksum: string }>`
        select name, checksum from pavis_migrations_checksums order by name`.execute(datastore.db)
    ).rows;

  it('are refused when one of them was edited after it was applied, and nothing is changed', async () => {
    await migrate(datastore, { '001-notes': notes(['text']) });
    const edited = { '001-notes': notes(['text', 'author']), '002-more': notes([]) };
    await expect(migrate(datastore, edited)).rejects.toThrow(
      /^the migration 001-notes was edited after it was applied to this database .*new migration$/,
    );
    expect((await checksums()).map(({ name }) => name)).toEqual(['001-notes']);
  });

  it('are not told apart by names in the code, comments or line ends', async () => {
    const one = {
      up: async (db: Kysely<unknown>) => void (await sql`drop  table\n a`.execute(db)),
    };
    const renamed: Migration = {
      // Written again in another way.
      async up(anything: Kysely<unknown>) {
        await sql`drop table\r\n  a`.execute(anything);
      },
    };
    expect(await computeChecksum(one, engine)).toBe(await computeChecksum(renamed, engine));
    expect(await computeChecksum(one, engine)).not.toBe(await computeChecksum(notes([]), engine));
  });

  it('get their checksums at the first start on a database that has none', async () => {
    await load(engine, url, 'schema-0.1.0');
    await migrate(datastore, migrations);
    const known = await checksums();
    expect(known.map(({ name }) => name)).toEqual(Object.keys(migrations).toSorted());
    expect(known.filter(({ checksum }) => !checksum)).toEqual([]);
    await migrate(datastore, migrations);
    expect(await checksums()).toEqual(known);
  });

  it.each(RELEASES)(
    'bring a database of %s to the schema of a new one, with its rows',
    async (from) => {
      await load(engine, url, from);
      const before = await countRows(datastore);
      await migrate(datastore, migrations);
      const upgraded = await describeSchema(datastore);
      const after = await countRows(datastore);
      for (const [table, count] of Object.entries(before)) {
        // Each migration that came later is a row of its own.
        if (!(table in after) || table.startsWith('pavis_migrations')) continue;
        // Which consent records are from before the log is a fact, which 0.1.0 does not have.
        const added = table === 'installation' && from === 'schema-0.1.0' ? 1 : 0;
        expect([table, after[table]]).toEqual([table, count + added]);
      }

      const fresh = await createDatabase(engine);
      const other = await openDatastore(fresh.url, await createLogger('silent'));
      expect(upgraded).toEqual(await describeSchema(other));
      await other.close();
      await fresh.drop();
    },
  );

  it.each(RELEASES)('leave a database of %s on which the server runs as before', async (from) => {
    await load(engine, url, from);
    const folder = dataFolder();
    const server = await startServer({
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: url,
      PAVIS_SECRET: FIXTURE_SECRET,
    });
    const signedIn = await server.http.post('/console/session', { body: FIXTURE_ADMIN });
    expect(signedIn.status).toBe(200);
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const headers = { cookie, 'x-wp-nonce': signedIn.json.nonce };
    for (const path of ['consent/records', 'dsar/cases', 'data-map', 'scanner/scans', 'vendors']) {
      const { status, json } = await server.http.get(`/wp-json/svc/v1/${path}`, { headers });
      expect([path, status, json.length > 0]).toEqual([path, 200, true]);
    }
    await server.stop();
    folder.remove();
  });

  it.each(RELEASES)('leave a database of %s unchanged with another secret', async (from) => {
    await load(engine, url, from);
    const folder = dataFolder();
    const secret = 'the secret of another installation, by mistake';
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: url, PAVIS_SECRET: secret };
    const { applied } = await migrationStatus(datastore, migrations);
    for (const command of ['migrate', 'serve', 'doctor']) {
      const { code, stdout, stderr } = await pavis([command], { ...env, PAVIS_CHROMIUM: 'off' });
      expect([command, code]).toEqual([command, 1]);
      expect(stdout + stderr).toContain('this database was made with another PAVIS_SECRET');
    }
    expect((await migrationStatus(datastore, migrations)).applied).toEqual(applied);
    folder.remove();
  });

  it.each(RELEASES)(
    'fail no check of doctor while they are pending on a database of %s',
    async (from) => {
      await load(engine, url, from);
      const folder = dataFolder();
      const env = {
        PAVIS_DATA_DIR: folder.path,
        PAVIS_DATABASE_URL: url,
        PAVIS_SECRET: FIXTURE_SECRET,
        PAVIS_CHROMIUM: 'off',
        PAVIS_REQUIRE_SECOND_FACTOR: 'all',
        PAVIS_STRIPE_SECRET_KEY: 'sk_test_1',
        PAVIS_STRIPE_PRICES: 'pro/year=price_1',
        PAVIS_STRIPE_API_URL: 'http://127.0.0.1:9',
      };
      const { stdout } = await pavis(['doctor', '--json'], env, { timeoutMs: 60_000 });
      const checks: { name: string; ok: boolean; message: string }[] = JSON.parse(stdout).checks;
      // The fixture has no file of the consent log, and there is no Stripe.
      const absent = ['consent log', 'Stripe key'];
      expect(checks.filter(({ ok, name }) => !ok && !absent.includes(name))).toEqual([]);
      expect(checks).toContainEqual({
        name: 'mail queue',
        ok: true,
        message: 'checked when no migrations are pending',
      });
      folder.remove();
    },
  );

  it.each(RELEASES)('of %s still do what they did when it was released', async (release) => {
    const released: Record<string, string> = JSON.parse(fixture(release, 'checksums.json'))[engine];
    const now: Record<string, string> = {};
    for (const name of Object.keys(released)) {
      const migration = migrations[name];
      now[name] = migration ? await computeChecksum(migration, engine) : 'missing';
    }
    expect(now, 'a released migration is frozen: make changes in a new one').toEqual(released);
  });
});

it(`has a fixture of version ${VERSION}`, () => {
  expect(RELEASES, 'run "npm run schema-fixture" once at the release').toContain(
    `schema-${VERSION}`,
  );
});

/** Puts the database of a release in the place of the empty one. */
async function load(engine: Engine, url: string, release: string): Promise<void> {
  const text = fixture(release, `${engine}.sql`);
  if (engine === 'postgres') return run(url, text);
  const db = new DatabaseSync(url.slice('sqlite:'.length));
  db.exec(`begin; pragma defer_foreign_keys = on; ${text} commit`);
  db.close();
}

async function countRows({ db }: Datastore): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)}`.execute(db);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}

/** Tables, columns, indexes and constraints, as the engine itself describes them. */
async function describeSchema({ db, engine }: Datastore): Promise<unknown[]> {
  if (engine === 'sqlite') {
    return (
      await sql`select type, name, tbl_name, sql from sqlite_schema
      where name not like 'sqlite_stat%' order by type, name`.execute(db)
    ).rows;
  }
  const parts = [
    sql`select table_name, column_name, data_type, collation_name, is_nullable, column_default,
      is_identity, identity_generation from information_schema.columns
      where table_schema = 'public' order by table_name, column_name`,
    sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname`,
    sql`select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
  ];
  const rows = [];
  for (const part of parts) rows.push(...(await part.execute(db)).rows);
  return rows;
}
