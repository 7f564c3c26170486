import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createDatabase, run, type TestDatabase } from '../support/engines.ts';
import { makePluginZip } from '../support/plugin-zip.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const SITE = 'https://shop.example.org';
/** For a busy machine, and shorter than the caches, which alone would meet a condition after minutes. */
const PATIENT = { timeout: 30_000, interval: 20 };
const PAVIS_SECRET = 'one secret for all nodes, long enough';
const folder = dataFolder();
afterAll(() => folder.remove());

/** The environment of a node and of the command line. */
const nodeOn = (url: string) => ({
  PAVIS_DATA_DIR: folder.path,
  PAVIS_DATABASE_URL: url,
  PAVIS_SECRET,
});

const issue = (env: Record<string, string>): Promise<{ id: string; key: string }> =>
  pavisJson(['licence', 'issue', '--email', 'a@example.org', '--tier', 'pro', '--days', '30'], env);

describe('two nodes on one PostgreSQL database', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  let a: ServerProcess;
  let b: ServerProcess;
  let observer: pg.Client;

  beforeAll(async () => {
    database = await createDatabase('postgres');
    env = nodeOn(database.url);
    [a, b] = await Promise.all([startServer(env), startServer(env)]);
    observer = new pg.Client({ connectionString: database.url });
    await observer.connect();
  });
  afterAll(async () => {
    await observer?.end();
    await Promise.all([a?.stop('SIGKILL'), b?.stop('SIGKILL')]);
    await database?.drop();
  });

  const node = (n: number) => (n % 2 === 0 ? a : b).http;
  const validOn = async ({ http }: ServerProcess, key: string) =>
    (await http.site('validate', key, SITE)).json.valid;

  /** Waits until both nodes respond alike for a licence. */
  const untilBothSay = (key: string, valid: boolean) =>
    vi.waitFor(
      async () => expect([await validOn(a, key), await validOn(b, key)]).toEqual([valid, valid]),
      PATIENT,
    );

  /** Measures a change and its effect three times. The fastest counts, since a busy machine can delay each. */
  async function expectWithinASecond(
    change: (n: number) => Promise<unknown>,
    effect: (n: number) => Promise<unknown>,
  ): Promise<void> {
    const took: number[] = [];
    for (const n of [0, 1, 2]) {
      await change(n);
      const start = performance.now();
      await effect(n);
      took.push(performance.now() - start);
    }
    expect(Math.min(...took)).toBeLessThan(1_000);
  }

  it('activate exactly three of fifty sites that request both at once, and reject the others', async () => {
    const { key } = await issue(env);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        node(n).site('activate', key, `https://site-${n}.example.org`),
      ),
    );
    const told = answers.map(({ status, json }) => `${status} ${json.error ?? 'activated'}`);
    expect(told.filter((each) => each === '200 activated')).toHaveLength(3);
    expect(told.filter((each) => each === '403 activation_limit_reached')).toHaveLength(47);
    for (const { http } of [a, b]) {
      expect((await http.site('validate', key, SITE)).json).toMatchObject({
        valid: false,
        sites_used: 3,
      });
    }
  });

  it('activate a site once that requests both thirty times at once', async () => {
    const { key } = await issue(env);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => node(n).site('activate', key, SITE)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(new Set(answers.map(({ json }) => json.activation_id)).size).toBe(1);
    expect((await b.http.site('validate', key, SITE)).json.sites_used).toBe(1);
  });

  it('show a change of a plan on every node within a second, also for cached licences', async () => {
    const plan = (...args: string[]) => pavisJson(['plan', ...args, '--product', 'forms'], env);
    await pavisJson(['product', 'create', 'forms', '--name', 'Forms'], env);
    await plan('create', 'solo', '--features', 'export');
    const buyer = [
      '--email',
      'b@example.org',
      '--product',
      'forms',
      '--tier',
      'solo',
      '--days',
      '9',
    ];
    const { key } = await pavisJson(['licence', 'issue', ...buyer], env);
    const featuresOn = async ({ http }: ServerProcess) =>
      (await http.site('validate', key, SITE)).json.features;
    expect([await featuresOn(a), await featuresOn(b)]).toEqual([['export'], ['export']]);
    await plan('update', 'solo', '--features', 'export,api');
    await vi.waitFor(
      async () =>
        expect([await featuresOn(a), await featuresOn(b)]).toEqual([
          ['export', 'api'],
          ['export', 'api'],
        ]),
      PATIENT,
    );
  });

  it('offer, serve and yank a release on every node at once', async () => {
    const run = (...args: string[]) => pavisJson(args, env);
    await run('product', 'create', 'tables', '--name', 'Tables');
    await run('plan', 'create', 'solo', '--product', 'tables');
    const issued = ['--email', 'c@example.org', '--product', 'tables', '--tier', 'solo'];
    const { key } = await run('licence', 'issue', ...issued, '--days', '9');
    await a.http.site('activate', key, SITE);
    const zip = join(folder.path, 'tables-1.0.0.zip');
    const releaseKey = join(folder.path, 'tables.pem');
    writeFileSync(zip, await makePluginZip('tables', '1.0.0'));
    const { public_key } = await run('release', 'keygen', '--out', releaseKey);
    await run('release', 'key', 'add', public_key, '--product', 'tables');
    await run('release', 'sign', zip, '--key', releaseKey);
    const offered = async ({ http }: ServerProcess) =>
      (
        await http.get(`/releases/tables/update?site_url=${SITE}`, {
          headers: { 'x-licence-key': key },
        })
      ).json;
    expect((await offered(a)).update_available).toBe(false);
    await run('release', 'publish', zip, '--product', 'tables');
    const [onA, onB] = [await offered(a), await offered(b)];
    expect([onA.version, onB.version]).toEqual(['1.0.0', '1.0.0']);
    // The link of one node works on the other.
    const { pathname, search } = new URL(onA.package);
    const answer = await b.http.get(pathname + search);
    expect([answer.status, answer.headers.get('x-content-signature')]).toEqual([
      200,
      onB.signature,
    ]);
    await run('release', 'yank', '1.0.0', '--product', 'tables');
    expect((await b.http.get(pathname + search)).status).toBe(404);
    expect([(await offered(a)).update_available, (await offered(b)).update_available]).toEqual([
      false,
      false,
    ]);
  });

  it('activate a site on one node after a slot is freed on the other', async () => {
    const { key } = await issue(env);
    for (let round = 0; round < 5; round++) {
      for (const n of [0, 1, 2]) {
        const taken = await node(n).site('activate', key, `https://${round}-${n}.example.org`);
        expect(taken.status).toBe(200);
      }
      expect((await node(round).site('activate', key, SITE)).status).toBe(403);
      for (const n of [0, 1, 2]) {
        await node(n + 1).site('deactivate', key, `https://${round}-${n}.example.org`);
      }
    }
  });

  it('count an activation of one node on the other within a second, despite its cache', async () => {
    const { key } = await issue(env);
    const siteOf = (n: number) => `https://counted-${n}.example.org`;
    expect((await b.http.site('validate', key, SITE)).json.sites_used).toBe(0);
    await expectWithinASecond(
      (n) => a.http.site('activate', key, siteOf(n)),
      (n) =>
        vi.waitFor(
          async () =>
            expect((await b.http.site('validate', key, siteOf(n))).json).toMatchObject({
              sites_used: n + 1,
              site_active: true,
            }),
          PATIENT,
        ),
    );
  });

  it('issue one licence for requests with one idempotency key to both at once', async () => {
    const scopes = 'licences:read,licences:issue,licences:write';
    const { id, secret } = await pavisJson(
      ['api-token', 'create', 'Shop', '--scopes', scopes],
      env,
    );
    const headers = { authorization: `Bearer ${secret}` };
    const root = '/admin/licences';
    const body = { email: 'order-1@example.org', tier: 'pro', days: 30, mail: true };
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        node(n).post(root, { headers: { ...headers, 'idempotency-key': 'order-1' }, body }),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(30).fill(201));
    expect(new Set(all.map(({ json }) => json.licence_key)).size).toBe(1);
    const found = await b.http.get(`${root}?email=${body.email}`, { headers });
    expect(found.json.licences).toHaveLength(1);
    expect(await validOn(b, all[0]?.json.licence_key)).toBe(true);

    await pavisJson(['api-token', 'revoke', String(id)], env);
    for (const each of [a, b]) expect((await each.http.get(root, { headers })).status).toBe(401);
  });

  it('apply a suspension by the command line within a second', async () => {
    const { id, key } = await issue(env);
    await untilBothSay(key, true);
    await expectWithinASecond(
      (n) => pavisJson(['licence', n % 2 ? 'reinstate' : 'suspend', id], env),
      (n) => untilBothSay(key, n % 2 === 1),
    );
  });

  it('accept a licence that was issued right after requests with unknown keys', async () => {
    let key = '';
    await expectWithinASecond(
      async (n) => {
        const unknown = `pv_live_${String(n).repeat(32)}`;
        for (const { http } of [a, b]) {
          expect((await http.site('validate', unknown, SITE)).status).toBe(404);
        }
        ({ key } = await issue(env));
      },
      () => untilBothSay(key, true),
    );
  });

  it('allow an origin within a second, and accept the banner version of the other node at once', async () => {
    const login = ['editor-in-chief', '--email', 'chief@example.com', '--role', 'administrator'];
    await pavisJson(['user', 'create', ...login], env);
    const names = ['user', 'app-password', 'editor-in-chief', '--name', 'test'];
    const { password } = await pavisJson(names, env);
    const basic = Buffer.from(`editor-in-chief:${password}`).toString('base64');
    const save = (body: object) =>
      a.http.request('PUT', '/wp-json/svc/v1/settings', {
        headers: { authorization: `Basic ${basic}` },
        body,
      });
    const decideOn = ({ http }: ServerProcess, more: object, headers = {}) =>
      http.post('/wp-json/svc/v1/consent', {
        headers,
        body: { visitor_id: 'v', consent_action: 'reject_all', ...more },
      });
    const toOrigin = (n: number) => `https://shop-${n}.example.org`;
    await expectWithinASecond(
      async (n) => {
        expect((await decideOn(b, {}, { origin: toOrigin(n) })).status).toBe(403);
        await save({ origins: { allowed: [toOrigin(n)] } });
      },
      (n) =>
        vi.waitFor(
          async () => expect((await decideOn(b, {}, { origin: toOrigin(n) })).status).toBe(200),
          PATIENT,
        ),
    );
    for (let edit = 0; edit < 5; edit++) {
      await save({ consent: { title: `Title ${edit}` } });
      const { version } = (await a.http.get('/wp-json/svc/v1/consent/status')).json;
      expect((await decideOn(b, { config_version: version })).status).toBe(200);
    }
  });

  it('reconnect after the connection for notifications is cut', async () => {
    const { id, key } = await issue(env);
    await untilBothSay(key, true);
    const cut = await observer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'pavis-listener' and datname = current_database()`,
    );
    expect(cut.rowCount).toBe(2);
    await pavisJson(['licence', 'suspend', id], env);
    await untilBothSay(key, false);
    await pavisJson(['licence', 'reinstate', id], env);
    await untilBothSay(key, true);
    expect([a.child.exitCode, b.child.exitCode]).toEqual([null, null]);
  });

  it('recover after all connections are cut, and lose no response except to 503', async () => {
    const { key } = await issue(env);
    await observer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'pavis%' and datname = current_database()`,
    );
    const first = await Promise.all(
      [0, 1].map((n) => node(n).site('activate', key, `https://cut-${n}.example.org`)),
    );
    for (const { status } of first) expect([200, 503]).toContain(status);
    await vi.waitFor(
      async () => expect((await node(0).site('activate', key, SITE)).status).toBe(200),
      PATIENT,
    );
  });

  it('survive an invalid notification on their channel', async () => {
    await vi.waitFor(async () => {
      const { rowCount } = await observer.query(
        `select from pg_stat_activity where application_name = 'pavis-listener'
           and datname = current_database() and query ~ '^(listen|select 1)' and state = 'idle'`,
      );
      expect(rowCount).toBe(2);
    }, PATIENT);
    for (const payload of ['', 'no json', '{}', '[1]', '["licence"]']) {
      await observer.query('select pg_notify($1, $2)', ['pavis_changes', payload]);
    }
    const { id, key } = await issue(env);
    expect([await validOn(a, key), await validOn(b, key)]).toEqual([true, true]);
    await pavisJson(['licence', 'suspend', id], env);
    await untilBothSay(key, false);
    expect([a.child.exitCode, b.child.exitCode]).toEqual([null, null]);
  });
});

describe('two nodes with a rate limit', () => {
  const own = dataFolder();
  let database: TestDatabase;
  let env: Record<string, string>;
  let a: ServerProcess;
  let b: ServerProcess;

  beforeAll(async () => {
    database = await createDatabase('postgres');
    env = {
      ...nodeOn(database.url),
      PAVIS_DATA_DIR: own.path,
      PAVIS_RATE_LIMIT_VALIDATE: '10',
      PAVIS_TRUSTED_PROXIES: '127.0.0.1',
    };
    [a, b] = await Promise.all([startServer(env), startServer(env)]);
  });
  afterAll(async () => {
    await Promise.all([a?.stop('SIGKILL'), b?.stop('SIGKILL')]);
    await database?.drop();
    own.remove();
  });

  let clients = 0;
  /** Waits until a node has counted what another has told it. It hears in order, so it hears of a new client last. */
  async function untilHeard(from: ServerProcess, on: ServerProcess): Promise<void> {
    for (let waitMs = 10; ; waitMs *= 2) {
      const headers = { 'x-forwarded-for': `203.0.113.${++clients}` };
      const remaining = async ({ http }: ServerProcess) =>
        (await http.post('/licence/validate', { headers })).headers.get('ratelimit-remaining');
      expect(await remaining(from)).toBe('9');
      await wait(waitMs);
      if ((await remaining(on)) === '8') return;
    }
  }

  it('share it: a request to one counts on the other', async () => {
    const { key } = await issue(env);
    const askTimes = async ({ http }: ServerProcess, times: number) => {
      const answers = [];
      for (let n = 0; n < times; n++) answers.push(await http.site('validate', key, SITE));
      return answers.map(({ status, headers }) => [status, headers.get('ratelimit-remaining')]);
    };
    expect(await askTimes(a, 5)).toEqual([9, 8, 7, 6, 5].map((left) => [200, String(left)]));
    await untilHeard(a, b);
    expect(await askTimes(b, 6)).toEqual([
      ...[4, 3, 2, 1, 0].map((left) => [200, String(left)]),
      [429, '0'],
    ]);
    await untilHeard(b, a);
    expect(await askTimes(a, 1)).toEqual([[429, '0']]);
  });

  it('share failed sign-ins, and their removal after a success', async () => {
    const user = ['user', 'create', 'ada', '--email', 'ada@example.com', '--role', 'administrator'];
    const { password } = await pavisJson(user, env);
    const signIn = async ({ http }: ServerProcess, tried: string) =>
      (await http.post('/console/session', { body: { login: 'ada', password: tried } })).status;
    const wrong = Array.from({ length: 9 }, () => signIn(a, 'wrong'));
    expect(await Promise.all(wrong)).toEqual(Array(9).fill(401));
    await untilHeard(a, b);
    expect(await signIn(b, password)).toBe(200);
    await untilHeard(b, a);
    expect(await signIn(a, 'wrong')).toBe(401);
    await untilHeard(a, b);
    expect(await signIn(b, password)).toBe(429);
    expect(await pavisJson(['user', 'unlock', 'ada'], env)).toEqual({
      login: 'ada',
      unlocked: true,
    });
    for (const node of [a, b]) await expect.poll(() => signIn(node, password), PATIENT).toBe(200);
  });
});

describe('two nodes that start at the same time on an empty database', () => {
  it('both become ready, agree on the schema, and create the demo licences once', async () => {
    const url = new URL(inject('templates').postgres);
    const server = url.href.replace(/\/\w+$/, '/postgres');
    const name = `empty_${process.pid}`;
    await run(server, `create database ${name} template template0`);
    url.pathname = `/${name}`;
    const started = await Promise.allSettled(
      [0, 1].map(async () => {
        const own = dataFolder();
        const node = await startServer({
          ...nodeOn(url.href),
          PAVIS_DATA_DIR: own.path,
          PAVIS_DEMO: 'on',
        });
        onTestFinished(async () => {
          await node.stop('SIGKILL');
          own.remove();
        });
        return node;
      }),
    );
    onTestFinished(() => run(server, `drop database ${name} with (force)`));

    expect(started.filter(({ status }) => status === 'rejected')).toEqual([]);
    for (const node of started) {
      if (node.status === 'rejected') continue;
      expect((await node.value.http.get('/readyz')).status).toBe(200);
    }
    const { pending } = await pavisJson(['migrate', '--status'], nodeOn(url.href));
    expect(pending).toEqual([]);
    expect((await pavisJson(['licence', 'list'], nodeOn(url.href))).licences).toHaveLength(2);
  });
});
