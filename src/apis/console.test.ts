import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../test/support/dsar.ts';
import { ENGINES } from '../../test/support/engines.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { makeUser, signIn } from '../../test/support/users.ts';
import { DAY_MS } from '../platform/durations.ts';
import { insertJob } from '../platform/jobs/store.ts';
import { sendReminders } from '../privacy/dsar/cases/reminders.ts';

const TEXT = expect.stringMatching(/\S/);
const REST_NONCE = '/wp-admin/admin-ajax.php?action=rest-nonce';
const refusal = (status: number, code: unknown = TEXT) => ({
  code,
  message: TEXT,
  data: { status },
});

describe.each(ENGINES)('Console sign-in on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_TRUSTED_PROXIES: '127.0.0.1' });
  let clients = 0;
  /** An address that nobody has signed in from yet. */
  const freshAddress = () => ({ 'x-forwarded-for': `198.51.100.${++clients}` });
  const attempt = (login: string, password: string, headers = freshAddress()) =>
    app.http.post('/console/session', { headers, body: { login, password } });

  it('sets the cookie and answers the user and a nonce', async () => {
    const { id, login, email, password } = await makeUser(app.platform);
    for (const who of [login, login.toUpperCase(), email]) {
      const { status, headers, json } = await attempt(who, password);
      expect(status).toBe(200);
      expect(json).toEqual({
        user: { id, login, email, role: 'administrator', capabilities: ['manage_options', 'read'] },
        nonce: expect.stringMatching(/^[0-9a-f]{10}$/),
        second_factor_setup_required: false,
        time_zone: 'UTC',
        is_mail_sent: false,
      });
      const [session, device, ...more] = headers.getSetCookie();
      expect(session).toMatch(
        /^pavis_session=[\w-]{43}; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax$/,
      );
      expect(device).toMatch(
        /^pavis_device=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
      );
      expect(more).toEqual([]);
      expect(headers.get('cache-control')).toBe('no-store, private');
    }
  });

  it('answers the user and a nonce afresh to the cookie, and 401 to the signed-out', async () => {
    const user = await makeUser(app.platform, 'editor');
    const { cookie, nonce } = await signIn(app.http, user);
    const { status, headers, json } = await app.http.get('/console/session', {
      headers: { cookie },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ user: { login: user.login, role: 'editor' }, nonce });
    expect(headers.get('cache-control')).toBe('no-store, private');
    const nobody = await app.http.get('/console/session');
    expect([nobody.status, nobody.json]).toEqual([401, refusal(401, 'rest_not_logged_in')]);
    expect(nobody.headers.get('www-authenticate')).toBeNull();
  });

  it('returns the operations status to administrators only', async () => {
    await insertJob(app.platform.datastore.db, 'an-hourly-job', 1_800_000_000_000);
    const { cookie, nonce } = await signIn(app.http, await makeUser(app.platform));
    const ask = (headers: Record<string, string>) =>
      app.http.get('/console/operations', { headers });
    const { status, headers, json } = await ask({ cookie, 'x-wp-nonce': nonce });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store, private');
    expect(json).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node_version: process.version,
      host: TEXT,
      started_at: expect.stringMatching(/^\d{4}-.+Z$/),
      memory_bytes: expect.any(Number),
      database: { engine, size_bytes: expect.any(Number), fault: null },
      disk: { free_bytes: expect.any(Number), alerts: [] },
      jobs: expect.arrayContaining([
        {
          name: 'an-hourly-job',
          is_running: false,
          next_run_at: '2027-01-15T08:00:00.000Z',
          last_started_at: null,
          last_finished_at: null,
          last_result: null,
        },
      ]),
      backup: { last_at: null },
      queues: [
        { name: 'dsar_tasks', waiting: 0, failed: 0 },
        { name: 'scans', waiting: 0, failed: 0 },
      ],
      banner_pictures: { waiting_versions: 0, without_browser_at: null },
      mail: { is_sent: false, waiting: 0, failed: 0, last_failure: null },
    });
    expect(json.database.size_bytes).toBeGreaterThan(10_000);
    expect((await ask({ cookie })).status).toBe(403);
    expect((await ask({})).status).toBe(401);
    const editor = await signIn(app.http, await makeUser(app.platform, 'editor'));
    const refused = await ask({ cookie: editor.cookie, 'x-wp-nonce': editor.nonce });
    expect([refused.status, refused.json.code]).toEqual([403, 'rest_forbidden']);
  });

  it('returns the health of the server to users of any role, and 401 to the signed-out', async () => {
    const { cookie } = await signIn(app.http, await makeUser(app.platform, 'viewer'));
    const { status, headers, json } = await app.http.get('/console/health', {
      headers: { cookie },
    });
    expect([status, json]).toEqual([200, (await app.http.get('/health')).json]);
    expect(headers.get('cache-control')).toBe('no-store, private');
    const nobody = await app.http.get('/console/health');
    expect([nobody.status, nobody.json]).toEqual([401, refusal(401, 'rest_not_logged_in')]);
  });

  it('answers the bare nonce to api-fetch, and 400 with 0 to the signed-out and to other actions', async () => {
    const { cookie, nonce } = await signIn(app.http, await makeUser(app.platform));
    const good = await app.http.get(REST_NONCE, { headers: { cookie } });
    expect([good.status, good.text]).toEqual([200, nonce]);
    expect(good.headers.get('content-type')).toMatch(/^text\/html/);
    expect(good.headers.get('cache-control')).toBe('no-store, private');
    for (const answer of [
      await app.http.get(REST_NONCE),
      await app.http.get('/wp-admin/admin-ajax.php', { headers: { cookie } }),
      await app.http.get('/wp-admin/admin-ajax.php?action=other', { headers: { cookie } }),
    ]) {
      expect([answer.status, answer.text]).toEqual([400, '0']);
    }
  });

  it('signs out with the nonce: the session and its nonce are worth nothing from then on', async () => {
    const { cookie, nonce } = await signIn(app.http, await makeUser(app.platform));
    const out = (headers: Record<string, string>) =>
      app.http.request('DELETE', '/console/session', { headers });
    for (const headers of [
      { cookie },
      { cookie, 'x-wp-nonce': 'wrong' },
      { 'x-wp-nonce': nonce },
    ]) {
      const { status, json } = await out(headers as Record<string, string>);
      expect([status, json]).toEqual([403, refusal(403, 'rest_cookie_invalid_nonce')]);
    }
    const done = await out({ cookie, 'x-wp-nonce': nonce });
    expect(done.status).toBe(200);
    expect(done.headers.get('set-cookie')).toMatch(/^pavis_session=; Path=\/; Max-Age=0;/);
    expect((await app.http.get('/console/session', { headers: { cookie } })).status).toBe(401);
    expect((await app.http.get(REST_NONCE, { headers: { cookie } })).status).toBe(400);
    expect((await out({ cookie, 'x-wp-nonce': nonce })).status).toBe(403);
  });

  it('refuses a wrong password, an unknown login and an application password alike', async () => {
    const { login, applicationPassword } = await makeUser(app.platform);
    const answers = [
      await attempt(login, 'wrong password'),
      await attempt('nobody', 'wrong password'),
      await attempt(login, applicationPassword),
    ];
    for (const { status, headers, json } of answers) {
      expect([status, json]).toEqual([401, refusal(401)]);
      expect(headers.get('set-cookie')).toBeNull();
      expect(json).toEqual(answers[0]?.json);
    }
  });

  it.each([
    ['nothing', undefined, 400],
    ['a broken body', '{', 400],
    ['no object', '[]', 400],
    ['no password', { login: 'a' }, 400],
    ['a number as password', { login: 'a', password: 1 }, 400],
    ['a password of 201 characters', { login: 'a', password: 'x'.repeat(201) }, 400],
    ['a login with control characters', { login: 'a\u0000', password: 'x' }, 400],
    ['a form', new URLSearchParams('login=a').toString(), 400],
    ['a body that is too large', { login: 'a', password: 'x'.repeat(300_000) }, 413],
  ])('refuses %s in the shape of the plugin interface', async (_what, body, status) => {
    const answer = await app.http.post('/console/session', {
      headers: freshAddress(),
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.status, answer.json]).toEqual([status, refusal(status)]);
  });

  it('answers 404 in the shape of the plugin interface to other paths and methods beside it', async () => {
    for (const path of ['/console', '/console/other', '/wp-admin', '/wp-admin/other.php']) {
      const { status, json } = await app.http.get(path);
      expect([path, status, json]).toEqual([path, 404, refusal(404, 'rest_no_route')]);
    }
    const put = await app.http.request('PUT', '/console/session', { body: {} });
    expect([put.status, put.json]).toEqual([404, refusal(404, 'rest_no_route')]);
  });

  it('counts no success', async () => {
    const { login, password } = await makeUser(app.platform);
    const from = freshAddress();
    for (let n = 0; n < 12; n++) {
      expect((await attempt(login, password, from)).status).toBe(200);
    }
  });
});

const [HTTPS, HTTP] = ['https://privacy.example.com', 'http://127.0.0.1:8787'];

describe.each([
  ['PAVIS_BASE_URL', { PAVIS_BASE_URL: HTTPS }],
  ['PAVIS_REST_ROOT', { PAVIS_REST_ROOT: `${HTTPS}/wp-json` }],
  ['PAVIS_REST_ROOT beside http', { PAVIS_REST_ROOT: `${HTTPS}/wp-json`, PAVIS_BASE_URL: HTTP }],
])('Console sign-in behind https: %s', (_name, env) => {
  const app = useTestApp('sqlite', env);

  it('gives cookies with the prefix __Host-, for https only', async () => {
    const { login, password } = await makeUser(app.platform);
    const { headers } = await app.http.post('/console/session', { body: { login, password } });
    const [session, device] = headers.getSetCookie();
    expect(session).toMatch(
      /^__Host-pavis_session=[\w-]{43}; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(device).toMatch(
      /^__Host-pavis_device=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('is where emails about requests lead administrators', async () => {
    await makeUser(app.platform);
    const dsarClient = createDsarClient(app);
    const { id } = await dsarClient.request();
    app.clock.advance(60 * DAY_MS);
    await sendReminders(dsarClient.dsar());
    const mails = await dsarClient.allMails();
    for (const kind of ['dsar_new_requests', 'dsar_reminder']) {
      expect(mails.find((mail) => mail.kind === kind)?.text).toContain(
        `${HTTPS}/admin/requests/${id}\n`,
      );
    }
  });

  it('ignores a session cookie without the prefix, which another subdomain can plant', async () => {
    const [mine, theirs] = [await makeUser(app.platform), await makeUser(app.platform)];
    const own = await signIn(app.http, mine);
    const other = await signIn(app.http, theirs);
    const planted = other.cookie.replace('__Host-', '');
    const session = (cookie: string) => app.http.get('/console/session', { headers: { cookie } });
    expect((await session(planted)).status).toBe(401);
    expect((await session(`${planted}; ${own.cookie}`)).json.user.login).toBe(mine.login);
    const list = await app.http.get('/wp-json/svc/v1/users/me', {
      headers: { cookie: planted, 'x-wp-nonce': other.nonce },
    });
    expect(list.status).toBe(401);
    const nonce = await app.http.get(REST_NONCE, { headers: { cookie: planted } });
    expect(nonce.status).toBe(400);
  });

  it('signs out by deleting the cookie with the prefix', async () => {
    const { cookie, nonce } = await signIn(app.http, await makeUser(app.platform));
    const { headers } = await app.http.request('DELETE', '/console/session', {
      headers: { cookie, 'x-wp-nonce': nonce },
    });
    expect(headers.getSetCookie()).toEqual([
      '__Host-pavis_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
  });
});

describe.each([
  ['PAVIS_REST_ROOT', { PAVIS_REST_ROOT: `${HTTP}/wp-json`, PAVIS_BASE_URL: HTTPS }],
  ['the default of PAVIS_REST_ROOT', { PAVIS_SERVICES: 'plugin', PAVIS_BASE_URL: HTTPS }],
])('Console sign-in over http: %s', (_name, env) => {
  const app = useTestApp('sqlite', env);

  it('gives cookies that browsers send over http', async () => {
    const { login, password } = await makeUser(app.platform);
    const { headers } = await app.http.post('/console/session', { body: { login, password } });
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).not.toMatch(/__Host-|Secure/);
  });
});
