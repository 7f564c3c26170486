import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { run } from '../support/engines.ts';
import {
  dataFolder,
  pavis,
  pavisJson,
  type ServerProcess,
  startServer,
} from '../support/process.ts';

const SITE = 'https://shop.example.org';
const NEVER_GIVEN_AGAIN = 5_000_000;

describe('an installation that moves from SQLite to PostgreSQL', () => {
  const folder = dataFolder();
  const file = join(folder.path, 'pavis.db');
  const embedded = { PAVIS_DATA_DIR: folder.path };
  const url = new URL(inject('templates').postgres);
  url.pathname = `/moved_${process.pid}`;
  const name = url.pathname.slice(1);
  const move = (to = url.href) => pavis(['move', to], embedded);
  let key: string;
  let token: string;

  beforeAll(async () => {
    await run(inject('templates').postgres, `create database ${name}`);
    const server = await startServer(embedded);
    const issue = [
      'licence',
      'issue',
      '--email',
      'Zoë@example.org',
      '--tier',
      'pro',
      '--days',
      '9',
    ];
    ({ key } = await pavisJson(issue, embedded));
    ({ token } = await pavisJson(['customer', 'token', 'zoë@example.org'], embedded));
    await server.http.site('activate', key, SITE);
    const body = {
      request_type: 'access',
      email: 'ada@example.org',
      additional_info: 'a\\"b\n\u2028',
    };
    await server.http.post('/wp-json/svc/v1/dsar/intake', { body });
    await pavisJson(['seed', '--consents', '2500'], embedded);
    await pavisJson(['scan', `${server.url}/privacy/`, '--depth', '0'], {
      ...embedded,
      PAVIS_CHROMIUM: 'off',
    });
    expect((await move()).stderr).toMatch(/pavis\.db is in use: stop the server/);
    await server.stop();
    const db = new DatabaseSync(file);
    db.prepare('insert into banner_picture_files (sha256, png) values (?, ?)').run(
      'bytes',
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    );
    db.prepare(`update sqlite_sequence set seq = ? where name = 'customers'`).run(
      NEVER_GIVEN_AGAIN,
    );
    db.close();
  });
  afterAll(async () => {
    await run(inject('templates').postgres, `drop database ${name} with (force)`);
    folder.remove();
  });

  it('rejects invalid targets', async () => {
    expect(await move('sqlite:/tmp/other.db')).toMatchObject({ code: 2, stdout: '' });
    const away = await move('postgres://nobody:secret@127.0.0.1:9/none');
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringMatching(/^pavis: cannot use[^\n]+\n$/),
    ]);
    expect(away.stderr).not.toContain('secret');
    const used = new URL(url);
    used.pathname = '/pavis_template';
    expect((await move(used.href)).stderr).toMatch(/there is something in the other database/);
    const elsewhere = { PAVIS_DATA_DIR: join(folder.path, 'nothing') };
    expect((await pavis(['move', url.href], elsewhere)).stderr).toMatch(/there is no database/);
  });

  it('says what is done and what is left to do if the file cannot be marked as moved', async () => {
    const database = `unmarked_${process.pid}`;
    await run(inject('templates').postgres, `create database ${database}`);
    const mark = join(folder.path, 'installation.json');
    renameSync(mark, `${mark}.kept`);
    mkdirSync(mark);
    const { code, stdout, stderr } = await move(new URL(database, url).href);
    rmdirSync(mark);
    renameSync(`${mark}.kept`, mark);
    await run(inject('templates').postgres, `drop database ${database} with (force)`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\d+ rows copied to postgres:.* Now set:\n {2}PAVIS_DATABASE_URL /);
    expect(stdout).not.toContain('no longer starts');
    expect(stderr).toMatch(
      /pavis: everything was copied, but [^\n]+pavis\.db could not be marked as moved \(E[^\n]+\)\. Do not move again\. [^\n]+rename or delete [^\n]+\n$/,
    );
  });

  it('has every row in PostgreSQL', async () => {
    const { tables, rows } = await pavisJson(['move', url.href], embedded);
    expect(rows).toBeGreaterThan(2_500);
    const source = new DatabaseSync(file, { readOnly: true });
    const log = new DatabaseSync(join(folder.path, 'log/consent-log.db'), { readOnly: true });
    const target = new pg.Client({ connectionString: url.href });
    // Integers as numbers, like in Pavis.
    target.setTypeParser(20, Number);
    await target.connect();
    const there = await target.query(
      `select table_name as name from information_schema.tables
        where table_schema = 'public' and table_name not like 'pavis_migrations%'`,
    );
    expect(tables.map(({ table }: { table: string }) => table).toSorted()).toEqual(
      there.rows.map((each) => each.name).toSorted(),
    );
    // The drivers have different types for bytes.
    const toText = (value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
    const inOrder = (all: object[]) =>
      all
        .map((row) =>
          JSON.stringify(Object.entries(row).map(([key, value]) => [key, toText(value)])),
        )
        .toSorted();
    for (const { table } of tables) {
      const from = /^consent_log_(?!records|witnesses|verifications)/.test(table) ? log : source;
      const before = from.prepare(`select * from "${table}"`).all();
      const after = await target.query(`select * from "${table}"`);
      expect(inOrder(after.rows), table).toEqual(inOrder(before));
    }
    source.close();
    log.close();
    await target.end();
  });

  it('no longer starts with the file, until its mark is removed', async () => {
    const reason = `the database sqlite:${file} was moved to postgres://`;
    const listing = await pavis(['licence', 'list'], embedded);
    expect([listing.code, listing.stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(listing.stderr).toMatch(/^pavis: [^\n]+set PAVIS_DATABASE_URL to that\.[^\n]+\n$/);
    expect((await pavis(['serve'], { ...embedded, PAVIS_PORT: '0' })).stderr).toContain(reason);
    expect((await pavis(['doctor'], embedded)).stdout).toContain(reason);
    const backup = join(folder.path, 'abandoned.db');
    for (const args of [['backup', backup], ['restore', file], ['compact']]) {
      const { code, stdout, stderr } = await pavis(args, embedded);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toContain(reason);
    }
    expect(existsSync(backup)).toBe(false);
    const again = await move();
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(reason)]);
    const [copy, link] = [`${folder.path}-copy`, `${folder.path}-link`];
    cpSync(folder.path, copy, { recursive: true });
    symlinkSync(folder.path, link);
    const renamed = join(copy, 'renamed.db');
    renameSync(join(copy, 'pavis.db'), renamed);
    for (const env of [
      { PAVIS_DATA_DIR: copy, PAVIS_DATABASE_URL: `sqlite:${renamed}` },
      { PAVIS_DATA_DIR: link },
    ]) {
      const { code, stderr } = await pavis(['licence', 'list'], env);
      expect([env, code, stderr]).toEqual([env, 1, expect.stringContaining(reason)]);
    }
    rmSync(copy, { recursive: true });
    rmSync(link);
    const mark = join(folder.path, 'installation.json');
    const content = readFileSync(mark);
    rmSync(mark);
    expect((await pavis(['licence', 'list'], embedded)).code).toBe(0);
    writeFileSync(mark, content);
  });

  it('continues with the same secret, keys and users, and reuses no id', async () => {
    const env = {
      ...embedded,
      PAVIS_DATABASE_URL: url.href,
      PAVIS_SECRET: readFileSync(join(folder.path, 'secret'), 'utf8').trim(),
    };
    const target = new pg.Client({ connectionString: url.href });
    await target.connect();
    const server = await startServer(env);
    try {
      const { json } = await server.http.site('validate', key, SITE);
      expect(json).toMatchObject({ valid: true, sites_used: 1 });
      const headers = { authorization: `Bearer ${token}` };
      expect((await server.http.get('/customer/licences', { headers })).status).toBe(200);
      const body = { visitor_id: 'new', consent_action: 'accept_all' };
      expect((await server.http.post('/wp-json/svc/v1/consent', { body })).json.id).toBe(2_501);
      // The log is continued. Rows have their entry once older transactions of the database server have ended.
      await expect
        .poll(async () => {
          const { rows } = await target.query(
            'select size, (select count(*) from consent_log_records) as facts from consent_log_head',
          );
          return Number(rows[0].size) - Number(rows[0].facts);
        })
        .toBe(2_501);
    } finally {
      await server.stop();
    }
    await pavisJson(
      ['licence', 'issue', '--email', 'b@example.org', '--tier', 'pro', '--days', '9'],
      env,
    );
    const { rows } = await target.query('select max(id) as id from customers');
    await target.end();
    expect(Number(rows[0].id)).toBe(NEVER_GIVEN_AGAIN + 1);
  });
});

it('a restored database that moves has the loss in its log, and gives no id out again', async () => {
  const folder = dataFolder();
  const embedded = { PAVIS_DATA_DIR: folder.path, PAVIS_CHROMIUM: 'off' };
  const url = new URL(inject('templates').postgres);
  url.pathname = `/restored_${process.pid}`;
  const name = url.pathname.slice(1);
  await run(inject('templates').postgres, `create database ${name}`);
  const decide = async ({ http }: ServerProcess, count: number) => {
    const body = { visitor_id: 'v-1', consent_action: 'accept_all' };
    const ids: number[] = [];
    for (let n = 0; n < count; n++)
      ids.push((await http.post('/wp-json/svc/v1/consent', { body })).json.id);
    return ids;
  };
  try {
    const backup = join(folder.path, 'monday.db');
    const before = await startServer(embedded);
    await decide(before, 3);
    await pavisJson(['backup', backup], embedded);
    expect(await decide(before, 3)).toEqual([4, 5, 6]);
    // The log has them when the server has ended.
    expect(await before.stop()).toBe(0);
    await pavisJson(['restore', backup], embedded);
    await pavisJson(['move', url.href], embedded);

    const env = {
      ...embedded,
      PAVIS_DATABASE_URL: url.href,
      PAVIS_SECRET: readFileSync(join(folder.path, 'secret'), 'utf8').trim(),
    };
    const after = await startServer(env);
    expect(await decide(after, 2)).toEqual([7, 8]);
    // What a server has not logged when it ends, it logs after the next start.
    await expect
      .poll(() => pavisJson(['log', 'verify', '--deep'], env), { timeout: 30_000 })
      .toMatchObject({ ok: true, consent_records: { intact: 5, lost: 3 } });
    expect(await after.stop()).toBe(0);
  } finally {
    await run(inject('templates').postgres, `drop database ${name} with (force)`);
    folder.remove();
  }
});
