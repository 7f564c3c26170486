import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dataFolder,
  pavis,
  pavisJson,
  type ServerProcess,
  startServer,
} from '../support/process.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SITE = 'https://shop.example.org';

describe('the first start with an empty data folder', () => {
  const folder = dataFolder();
  const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: 'on', PAVIS_LOG_LEVEL: 'trace' };
  const noteFile = join(folder.path, 'first-run.json');
  const note = () => readFileSync(noteFile, 'utf8');
  const liveKey = (): string => JSON.parse(note()).licences[0].key;
  const secrets: string[] = [];
  let server: ServerProcess;
  let log = '';

  beforeAll(async () => {
    server = await startServer(env);
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    folder.remove();
  });

  /** A licence as its customer sees it. */
  async function info(email: string, key: string) {
    const { token } = await pavisJson(['customer', 'token', email], env);
    secrets.push(token);
    const headers = { authorization: `Bearer ${token}` };
    return server.http.get(`/licence/info?key=${key}`, { headers });
  }

  it('writes a note that only its owner can read, with an administrator, a live and a test licence', async () => {
    expect(statSync(noteFile).mode & 0o777).toBe(0o600);
    const demo = (mode: string) => ({
      id: expect.stringMatching(/^lic_/),
      key: expect.stringMatching(new RegExp(`^pv_${mode}_[A-Za-z0-9]{32}$`)),
      mode,
      tier: 'pro',
      sites_allowed: 3,
      expires_at: expect.stringMatching(MOMENT),
    });
    const found = JSON.parse(note());
    expect(found).toMatchObject({
      base_url: server.url,
      rest_root: `${server.url}/wp-json`,
      admin_url: `${server.url}/admin/`,
      account_url: `${server.url}/account/`,
      docs_url: `${server.url}/docs`,
      demo_site_url: `${server.url}/demo/`,
      admin: {
        login: 'admin',
        password: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
        application_password: expect.stringMatching(/^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/),
      },
      customer: { email: expect.stringContaining('@') },
      licences: [demo('live'), demo('test')],
    });
    const { password, application_password } = found.admin;
    secrets.push(password, application_password, application_password.replaceAll(' ', ''));
    for (const { key, expires_at } of found.licences) {
      secrets.push(key);
      expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
    }
  });

  it('responds at every address of the note and the start page', async () => {
    const { base_url, admin_url, docs_url, demo_site_url, account_url } = JSON.parse(note());
    for (const path of ['/', '/privacy/', '/livez', '/readyz', '/openapi.json', '/health']) {
      expect((await server.http.get(path)).status, path).toBe(200);
    }
    expect((await fetch(docs_url)).status).toBe(200);
    expect((await fetch(admin_url)).status).toBe(200);
    expect((await fetch(demo_site_url)).status).toBe(200);
    expect((await fetch(account_url)).status).toBe(200);
    const health = await fetch(`${base_url}/health`);
    expect(await health.json()).toMatchObject({ status: 'ok', database: 'ok' });
  });

  it('signs the administrator of the note in and out', async () => {
    const { login, password } = JSON.parse(note()).admin;
    const body = { login, password };
    const signedIn = await server.http.post('/console/session', { body });
    expect(signedIn.status).toBe(200);
    expect(signedIn.json.user).toMatchObject({ login: 'admin', role: 'administrator' });
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    secrets.push(cookie.replace('pavis_session=', ''));
    const seen = await server.http.get('/console/session', { headers: { cookie } });
    expect(seen.json).toEqual(signedIn.json);
    const headers = { cookie, 'x-wp-nonce': seen.json.nonce };
    expect((await server.http.request('DELETE', '/console/session', { headers })).status).toBe(200);
    expect((await server.http.get('/console/session', { headers })).status).toBe(401);
  });

  it.each(['the key of the note', 'a key issued while the server runs'])(
    'runs %s from validation over activation and history to deactivation',
    async (which) => {
      const issue = ['licence', 'issue', '--email', 'buyer@example.org', '--tier', 'pro'];
      const issued = which.startsWith('a key')
        ? await pavisJson([...issue, '--days', '30'], env)
        : { ...JSON.parse(note()).licences[0], email: JSON.parse(note()).customer.email };
      secrets.push(issued.key);
      const { key, email } = issued;

      const before = await server.http.site('validate', key, SITE);
      expect(before.status).toBe(200);
      expect(before.json).toEqual({
        valid: true,
        tier: 'pro',
        sites_allowed: 3,
        sites_used: 0,
        expires_at: issued.expires_at,
        paid_until: issued.expires_at,
        message: expect.any(String),
        site_active: false,
        mode: 'live',
        product: 'pavis',
        features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
        state: 'not_activated',
      });

      const activated = await server.http.site('activate', key, SITE);
      expect(activated.status).toBe(200);
      expect(activated.json).toMatchObject({ success: true, activation_id: expect.any(Number) });
      const during = await server.http.site('validate', key, SITE);
      expect(during.json).toMatchObject({ valid: true, sites_used: 1, site_active: true });

      const seen = await info(email, key);
      expect(seen.status).toBe(200);
      expect(seen.json).toMatchObject({
        id: issued.id,
        key: `${key.slice(0, 12)}…${key.slice(-4)}`,
        tier: 'pro',
        status: 'active',
        sites_allowed: 3,
        expires_at: issued.expires_at,
        activations: [
          {
            id: activated.json.activation_id,
            site_url: SITE,
            activated_at: expect.stringMatching(MOMENT),
            deactivated_at: null,
          },
        ],
      });

      const freed = await server.http.site('deactivate', key, SITE);
      expect(freed.json).toMatchObject({ success: true, message: expect.stringContaining(SITE) });
      const after = await server.http.site('validate', key, SITE);
      expect(after.json).toMatchObject({ valid: true, sites_used: 0, site_active: false });
      const history = (await info(email, key)).json.activations;
      expect(history).toMatchObject([{ deactivated_at: expect.stringMatching(MOMENT) }]);
    },
  );

  it('changes nothing when it is started again with the same data', async () => {
    const before = {
      note: note(),
      modified: statSync(noteFile).mtimeMs,
      licences: await pavisJson(['licence', 'list'], env),
      users: await pavisJson(['user', 'list'], env),
    };
    log += server.log();
    expect(await server.stop('SIGTERM')).toBe(0);
    server = await startServer(env);

    const after = {
      note: note(),
      modified: statSync(noteFile).mtimeMs,
      licences: await pavisJson(['licence', 'list'], env),
      users: await pavisJson(['user', 'list'], env),
    };
    expect(after).toEqual(before);
    const { status, json } = await server.http.site('validate', liveKey(), SITE);
    expect([status, json.valid]).toEqual([200, true]);
  });

  it('writes no key and no token into any file except the note, and no email address outside the database', async () => {
    // Written now, so that it is in the write-ahead log only.
    await server.http.site('activate', liveKey(), SITE);
    const emails = [JSON.parse(note()).customer.email, 'buyer@example.org', 'admin@example.com'];
    expect(statSync(join(folder.path, 'secret')).mode & 0o777).toBe(0o600);
    const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name !== 'first-run.json')
      .filter((name) => statSync(join(folder.path, name)).isFile());
    const some = ['pavis.db', 'pavis.db-wal', 'secret', join('log', 'consent-log.db')];
    expect(files).toEqual(expect.arrayContaining(some));
    for (const name of files) {
      const bytes = readFileSync(join(folder.path, name));
      const parts = secrets.flatMap((secret) => [secret, secret.replace(/^pv_\w+_/, '')]);
      const needles = name.startsWith('pavis.db') ? parts : [...parts, ...emails];
      const found = needles.filter((needle) => bytes.includes(needle));
      expect(found.length, name).toBe(0);
    }
  });

  it('exits with 0 on SIGTERM and SIGINT, and logs no key, token or email address', async () => {
    await info(JSON.parse(note()).customer.email, liveKey());
    await server.http.get(`/licence/info?key=${liveKey()}`);
    await server.http.get(`/nothing/here?email=buyer@example.org&key=${liveKey()}`);
    await server.http.post('/licence/activate', {
      headers: { 'x-licence-key': liveKey() },
      body: `{"licence_key":"${liveKey()}","site_url":`,
    });
    expect(await server.stop('SIGTERM')).toBe(0);
    log += server.log();
    server = await startServer(env);
    expect(await server.stop('SIGINT')).toBe(0);
    log += server.log();

    expect(log).toContain('/licence/activate');
    const emails = [JSON.parse(note()).customer.email, 'buyer@example.org', 'admin@example.com'];
    const needles = [...secrets, ...emails];
    expect(needles.filter((needle) => log.includes(needle))).toEqual([]);
  });

  it('refers to no other data folder once the note is deleted', async () => {
    rmSync(noteFile);
    server = await startServer(env);
    expect(server.printed()).toContain('Start page');
    expect(server.printed()).not.toContain('first-run.json');
  });
});

describe('the first start with data of a version without users', () => {
  const folder = dataFolder();
  const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: 'on' };
  const noteFile = join(folder.path, 'first-run.json');
  const note = () => JSON.parse(readFileSync(noteFile, 'utf8'));
  const startAndStop = async () => (await startServer(env)).stop();
  afterAll(() => folder.remove());

  it('adds the administrator to the note and keeps the other entries', async () => {
    await startAndStop();
    const { admin, ...rest } = note();
    const earlier = { ...rest, base_url: 'http://127.0.0.1:1', remark: 'mine' };
    writeFileSync(noteFile, JSON.stringify(earlier));
    const db = new DatabaseSync(join(folder.path, 'pavis.db'));
    db.exec(`delete from application_passwords; delete from sessions; delete from users;
      delete from installation where name = 'first_run_admin'`);
    db.close();

    await startAndStop();
    const { admin: added, ...kept } = note();
    expect(kept).toEqual(earlier);
    expect(added).toMatchObject({ login: 'admin' });
    expect(added.password).not.toBe(admin.password);
    expect(statSync(noteFile).mode & 0o777).toBe(0o600);
    expect((await pavisJson(['licence', 'list'], env)).licences).toHaveLength(2);
    expect((await pavisJson(['user', 'list'], env)).users).toHaveLength(1);
  });

  it('does not overwrite a note that it cannot read, and creates nothing', async () => {
    const other = dataFolder();
    writeFileSync(join(other.path, 'first-run.json'), '{"licences": [');
    const theirs = { ...env, PAVIS_DATA_DIR: other.path, PAVIS_PORT: '0' };
    const { code, stderr } = await pavis(['serve', '--json'], theirs);
    expect(code).toBe(1);
    expect(stderr).toMatch(/pavis: .*first-run\.json cannot be read as JSON/);
    expect((await pavisJson(['user', 'list'], theirs)).users).toEqual([]);
    other.remove();
  });

  it('creates no administrator if there are users', async () => {
    const other = dataFolder();
    const theirs = { ...env, PAVIS_DATA_DIR: other.path };
    const make = ['user', 'create', 'root', '--email', 'r@example.com', '--role', 'administrator'];
    await pavisJson(make, theirs);
    const server = await startServer(theirs);
    await server.stop();
    const { users } = await pavisJson(['user', 'list'], theirs);
    expect(users.map(({ login }: { login: string }) => login)).toEqual(['root']);
    const found = JSON.parse(readFileSync(join(other.path, 'first-run.json'), 'utf8'));
    expect(Object.keys(found)).not.toContain('admin');
    expect(found.licences).toHaveLength(2);
    other.remove();
  });
});
