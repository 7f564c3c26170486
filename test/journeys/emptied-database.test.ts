import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, ENGINES, run, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavis, pavisJson, startServer } from '../support/process.ts';

const ISSUE = ['licence', 'issue', '--email', 'a@example.org', '--tier', 'pro', '--days', '30'];

describe.each(ENGINES)('a database on %s that has lost all data', (engine) => {
  let folder: ReturnType<typeof dataFolder>;
  let database: TestDatabase;
  let env: Record<string, string>;
  let mark: string;
  const file = () => database.url.slice('sqlite:'.length);

  beforeEach(async () => {
    folder = dataFolder();
    database = await createDatabase(engine);
    mark = join(folder.path, 'installation.json');
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: database.url, PAVIS_PORT: '0' };
    await pavisJson(ISSUE, env);
  });
  afterEach(async () => {
    await database.drop();
    folder.remove();
  });

  async function empty(): Promise<void> {
    if (engine === 'postgres') {
      await run(database.url, 'drop schema public cascade; create schema public');
    } else for (const end of ['', '-wal', '-shm']) rmSync(file() + end, { force: true });
  }

  async function countTables(): Promise<number> {
    if (engine === 'sqlite') {
      const db = new DatabaseSync(file());
      const { count } = db.prepare('select count(*) as count from sqlite_schema').get() ?? {};
      db.close();
      return Number(count);
    }
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "select count(*)::int as count from pg_tables where schemaname = 'public'",
    );
    await client.end();
    return rows[0].count;
  }

  it.each([
    ['the server', ['serve', '--json']],
    ['a command', ['licence', 'list']],
    ['a migration', ['migrate']],
  ])('is rejected by %s, which says what to do and leaves it empty', async (_what, command) => {
    await empty();
    const { code, stderr } = await pavis(command, env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^pavis: the database .* is empty, but .*installation\.json says that/);
    expect(stderr).toMatch(/restore/);
    expect(stderr).toContain(`To start with an empty one on purpose, remove ${mark}`);
    expect(stderr).not.toContain('postgres:postgres@');
    expect(await countTables()).toBe(0);
  });

  it('is rejected as well if its tables are empty', async () => {
    if (engine === 'postgres') await run(database.url, 'delete from installation');
    else {
      const db = new DatabaseSync(file());
      db.exec('delete from installation');
      db.close();
    }
    const { code, stderr } = await pavis(['serve', '--json'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is empty, but')]);
  });

  it('is reported by doctor', async () => {
    await empty();
    const { stdout } = await pavis(['doctor', '--json'], env);
    const schema = JSON.parse(stdout).checks.find(
      ({ name }: { name: string }) => name === 'schema',
    );
    expect(schema).toMatchObject({ ok: false, message: expect.stringContaining('is empty, but') });
  });

  it('is initialised again after the file named in the error is removed', async () => {
    await empty();
    rmSync(mark);
    const server = await startServer(env);
    expect((await server.http.get('/health')).status).toBe(200);
    await server.stop();
    expect(existsSync(mark)).toBe(true);
    expect((await pavisJson(['licence', 'list'], env)).licences).toEqual([]);
  });
});

it('A lost database file is restored from a backup', async () => {
  const folder = dataFolder();
  const env = { PAVIS_DATA_DIR: folder.path };
  const backup = join(folder.path, 'backup.db');
  await pavisJson(ISSUE, env);
  await pavisJson(['backup', backup], env);
  rmSync(join(folder.path, 'pavis.db'));
  expect((await pavis(['licence', 'list'], env)).code).toBe(1);
  await pavisJson(['restore', backup], env);
  expect((await pavisJson(['licence', 'list'], env)).licences).toHaveLength(1);
  folder.remove();
});
