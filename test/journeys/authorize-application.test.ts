import { describe, expect, it } from 'vitest';
import { ENGINES } from '../support/engines.ts';
import { useTestApp } from '../support/test-app.ts';
import { basic, makeUser, signIn } from '../support/users.ts';

const PAGE = '/wp-admin/authorize-application.php';
const ME = '/wp-json/svc/v1/users/me';
const APP_ID = '123e4567-e89b-42d3-a456-426614174000';
const FORM = 'application/x-www-form-urlencoded';

describe.each(ENGINES)('authorize-application.php on %s', (engine) => {
  const app = useTestApp(engine);

  const pageOf = (params: Record<string, string>) => `${PAGE}?${new URLSearchParams(params)}`;
  const post = (path: string, fields: Record<string, string>, headers = {}) =>
    app.http.post(path, {
      headers: { 'content-type': FORM, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  /** As `post`, with fields that can be repeated. */
  const send = (path: string, fields: string[][], cookie: string) =>
    app.http.post(path, {
      headers: { 'content-type': FORM, cookie },
      body: new URLSearchParams(fields).toString(),
    });
  const fieldOf = (text: string, name: string) =>
    new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1] ?? '';
  /** Opens the page as a signed-in user, and presses "Approve". */
  async function approve(cookie: string, path: string, fields: Record<string, string> = {}) {
    const { text } = await app.http.get(path, { headers: { cookie } });
    const own = { _wpnonce: fieldOf(text, '_wpnonce'), name: fieldOf(text, 'name'), approve: '1' };
    return post(path, { ...own, ...fields }, { cookie });
  }

  it('sends a new application password to the application, which works and can be revoked', async () => {
    const user = await makeUser(app.platform);
    const { cookie } = await signIn(app.http, user);
    const success = 'https://app.example.com/done?state=a%20b&password=x#top';
    const params = { app_name: 'Reports', app_id: APP_ID, success_url: success };
    const shown = await app.http.get(pageOf(params), { headers: { cookie } });
    expect(shown.status).toBe(200);
    for (const words of ['“Reports”', 'app.example.com', user.login])
      expect(shown.text).toContain(words);
    const { status, headers } = await approve(cookie, pageOf(params));
    expect(status).toBe(303);
    const to = new URL(headers.get('location') ?? '');
    expect([to.origin, to.pathname, to.hash]).toEqual(['https://app.example.com', '/done', '#top']);
    expect(to.search).toContain('state=a%20b');
    expect(to.searchParams.get('site_url')).toBe(app.url);
    expect(to.searchParams.get('user_login')).toBe(user.login);
    const password = to.searchParams.getAll('password').at(-1) ?? '';
    expect(password).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(app.logged()).not.toContain(password);

    const own = { headers: basic(user.login, password) };
    expect((await app.http.get(ME, own)).json.id).toBe(user.id);
    const passwords = (await app.http.get(`${ME}/application-passwords`, own)).json;
    const made = passwords.find(({ name }: { name: string }) => name === 'Reports');
    expect(made).toMatchObject({ app_id: APP_ID });
    await app.http.request('DELETE', `${ME}/application-passwords/${made.uuid}`, own);
    expect((await app.http.get(ME, own)).status).toBe(401);
  });

  it('requires signing in first, and continues from there', async () => {
    const user = await makeUser(app.platform, 'viewer');
    const path = pageOf({ app_name: '<b>Evil</b>', success_url: 'https://app.example.com/' });
    const form = await app.http.get(path);
    expect(form.text).toContain('name="password"');
    expect(form.text).toContain('&#60;b&#62;Evil');
    expect(form.text).not.toContain('<b>Evil');
    const wrong = await post(path, { login: user.login, password: 'wrong' });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    expect((await app.http.post(path)).status).toBe(401);
    expect((await app.http.post(path, { body: {} })).status).toBe(415);
    const { status, headers } = await post(path, { login: user.login, password: user.password });
    const to = headers.get('location') ?? '';
    expect([status, to.startsWith('authorize-application.php?app_name=')]).toEqual([303, true]);
    const cookie = (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    expect(cookie).toMatch(/^pavis_session=/);
    const next = await app.http.get(`/wp-admin/${to}`, { headers: { cookie } });
    expect(next.text).toContain('Approve');
    // The limits of sign-in apply.
    for (let n = 0; n < 9; n++) await post(path, { login: user.login, password: 'wrong' });
    const locked = await post(path, { login: user.login, password: user.password });
    expect([locked.status, Number(locked.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('signs in with a password of as many characters as are allowed', async () => {
    const { id, login, email } = await makeUser(app.platform, 'viewer');
    const boss = await makeUser(app.platform);
    const password = '\u{1f680}\u{1f9ed}'.repeat(100);
    const changed = await app.http.request('PUT', `/wp-json/svc/v1/users/${id}`, {
      headers: basic(boss.login, boss.applicationPassword),
      body: { password },
    });
    expect([changed.status, changed.json.email]).toEqual([200, email]);
    const { status } = await post(pageOf({ app_name: 'Reports' }), { login, password });
    expect(status).toBe(303);
  });

  it('shows the application password if the request has no success_url', async () => {
    const user = await makeUser(app.platform, 'subscriber');
    const { cookie } = await signIn(app.http, user);
    const { status, text, headers } = await approve(cookie, PAGE, { name: 'By hand' });
    const [, password = ''] = /<code>([\w ]{29})<\/code>/.exec(text) ?? [];
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store, private']);
    expect((await app.http.get(ME, { headers: basic(user.login, password) })).status).toBe(200);
  });

  it.each([
    ['success_url', 'http://app.example.com/'],
    ['success_url', 'javascript:alert(1)'],
    ['success_url', 'data:text/html,x'],
    ['success_url', '//app.example.com/'],
    ['success_url', '/admin/'],
    ['success_url', 'https://user:pass@app.example.com/'],
    ['success_url', 'http://127.0.0.1.example.com/'],
    ['success_url', 'http://localhost.example.com/'],
    ['success_url', 'app://done'],
    ['success_url', `https://app.example.com/${'x'.repeat(3_000)}`],
    ['reject_url', 'http://app.example.com/'],
    ['reject_url', 'javascript:alert(1)'],
    ['app_id', 'not-a-uuid'],
  ])('rejects %s=%s, for signed-in users and for others', async (name, value) => {
    const { cookie } = await signIn(app.http, await makeUser(app.platform));
    for (const headers of [{}, { cookie }]) {
      const { status, text } = await app.http.get(pageOf({ [name]: value }), { headers });
      expect([status, text.includes(`${name} must be`), text.includes('<form')]).toEqual([
        400,
        true,
        false,
      ]);
      expect((await post(pageOf({ [name]: value }), { approve: '1' }, headers)).status).toBe(400);
    }
  });

  it('accepts http on this device, and returns with success=false or to reject_url', async () => {
    const { cookie } = await signIn(app.http, await makeUser(app.platform));
    const show = async (params: Record<string, string>) =>
      (await app.http.get(pageOf(params), { headers: { cookie } })).text;
    for (const success_url of ['http://localhost:3000/a', 'http://127.0.0.1/a', 'http://[::1]:9/a'])
      expect(await show({ success_url })).toContain(`href="${success_url}?success=false"`);
    const both = { success_url: 'https://a.example/', reject_url: 'https://b.example/no' };
    expect(await show(both)).toContain('href="https://b.example/no"');
    expect(await show({})).toContain('<a href="../admin/">Do not approve</a>');
    const to = await approve(cookie, pageOf({ app_name: 'v6', success_url: 'http://[::1]:9/a' }));
    expect(to.status).toBe(303);
    expect(to.headers.get('content-security-policy')).toContain("form-action 'self' http:;");
  });

  it('creates nothing for a form of another site, an expired form, or without a session', async () => {
    const user = await makeUser(app.platform);
    const { cookie, nonce } = await signIn(app.http, user);
    const path = pageOf({ app_name: 'X', success_url: 'https://app.example.com/' });
    const fields = { _wpnonce: nonce, name: 'X', approve: '1' };
    for (const [more, headers] of [
      [{}, { cookie, 'sec-fetch-site': 'cross-site' }],
      [{}, { cookie, 'sec-fetch-site': 'same-site' }],
      [{ _wpnonce: 'wrong' }, { cookie }],
      [{ _wpnonce: '' }, { cookie }],
      [{}, {}],
      [{}, basic(user.login, user.applicationPassword)],
    ] as const) {
      const { status, headers: said } = await post(path, { ...fields, ...more }, headers);
      expect([status, said.get('location')]).toEqual([403, null]);
    }
    const signedIn = await post(
      path,
      { login: user.login, password: user.password },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([403, null]);
    const list = await app.http.get(`${ME}/application-passwords`, {
      headers: { cookie, 'x-wp-nonce': nonce },
    });
    expect(list.json.map(({ name }: { name: string }) => name)).toEqual(['tests']);
    expect((await post(path, fields, { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(
      303,
    );
  });

  it('sends no-store and denies framing, and asks again for a name that is taken', async () => {
    const { cookie } = await signIn(app.http, await makeUser(app.platform));
    const path = pageOf({ app_name: 'tests', success_url: 'https://app.example.com/' });
    const { text, headers } = await app.http.get(path, { headers: { cookie } });
    expect(fieldOf(text, 'name')).toBe('tests 2');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain(
      "form-action 'self' https://app.example.com",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const taken = await approve(cookie, path, { name: 'tests' });
    expect([taken.status, taken.headers.get('location')]).toEqual([400, null]);
    expect(taken.text).toContain('Choose another name');
    expect((await approve(cookie, path, { name: ' ' })).status).toBe(400);
  });

  const tickedIn = (text: string) =>
    [...text.matchAll(/name="scopes" value="([^"]+)"[^>]* checked/g)].map(([, scope]) => scope);
  const listedIn = (text: string) =>
    [...text.matchAll(/name="scopes" value="([^"]+)"/g)].map(([, scope]) => scope);
  /** The application passwords of a user, without the one of the tests. */
  async function listMade({ login, applicationPassword }: Awaited<ReturnType<typeof makeUser>>) {
    const headers = basic(login, applicationPassword);
    const { json } = await app.http.get(`${ME}/application-passwords`, { headers });
    return json.filter(({ name }: { name: string }) => name !== 'tests');
  }

  it('lets the user choose expiry and scopes, with all rights and no expiry as the default', async () => {
    const user = await makeUser(app.platform, 'editor');
    const { cookie } = await signIn(app.http, user);
    const { text } = await app.http.get(PAGE, { headers: { cookie } });
    expect(text).toMatch(/<option value="" selected>No expiry/);
    expect(text).toMatch(/value="all"[^>]* checked/);
    expect(tickedIn(text)).toEqual([]);
    expect(listedIn(text)).toContain('dsar:write');
    expect(listedIn(text)).not.toContain('vendors:read');
    const nonce = ['_wpnonce', fieldOf(text, '_wpnonce')];
    const fields = [nonce, ['approve', '1'], ['days', '30'], ['rights', 'chosen']];
    const none = await send(PAGE, [...fields, ['name', 'Reports']], cookie);
    expect([none.status, none.text.includes('Choose at least one')]).toEqual([400, true]);
    // What was entered is kept.
    expect(none.text).toMatch(/<option value="30" selected>/);
    expect(none.text).toMatch(/value="chosen"[^>]* checked/);
    const scopes = [
      ['scopes', 'settings:read'],
      ['scopes', 'dsar:read'],
      // Of no use to the role, and not on the page.
      ['scopes', 'vendors:read'],
    ];
    const sent = await send(PAGE, [...fields, ...scopes, ['name', 'Reports']], cookie);
    expect(sent.status).toBe(200);
    await approve(cookie, PAGE, { name: 'Everything', days: '', rights: 'all' });
    const [limited, whole] = await listMade(user);
    expect(limited.scopes).toEqual(['settings:read', 'dsar:read']);
    expect(Date.parse(limited.expires_at)).toBe(app.clock.now() + 30 * 86_400_000);
    expect([whole.scopes, whole.expires_at]).toEqual([null, null]);
    expect((await approve(cookie, PAGE, { name: 'Odd', days: '31' })).status).toBe(400);
  });

  it('ticks the scopes that an application asks for, which can be reduced and not exceeded', async () => {
    const user = await makeUser(app.platform);
    const { cookie } = await signIn(app.http, user);
    const success_url = 'https://app.example.com/';
    const path = pageOf({ app_name: 'R', success_url, scopes: 'scanner:read, consent:read' });
    const { text } = await app.http.get(path, { headers: { cookie } });
    expect(tickedIn(text)).toEqual(['consent:read', 'scanner:read']);
    expect(listedIn(text)).toEqual(['consent:read', 'scanner:read']);
    expect(text).toContain('Read scans, their findings and evidence');
    expect(text).not.toContain('All rights of the user');
    const fields = [
      ['_wpnonce', fieldOf(text, '_wpnonce')],
      ['approve', '1'],
      // Not on the page.
      ['rights', 'all'],
    ];
    const give = (...scopes: string[]) =>
      send(path, [...fields, ['name', 'R'], ...scopes.map((scope) => ['scopes', scope])], cookie);
    expect((await give()).status).toBe(400);
    expect((await give('vendors:read')).status).toBe(400);
    const given = await give('scanner:read', 'vendors:read', 'security-log:read');
    expect(given.status).toBe(303);
    const to = new URL(given.headers.get('location') ?? '');
    // As WordPress has it.
    expect([...to.searchParams.keys()]).toEqual(['site_url', 'user_login', 'password']);
    const [made] = await listMade(user);
    expect(made.scopes).toEqual(['scanner:read']);
    const own = { headers: basic(user.login, to.searchParams.get('password') ?? '') };
    expect((await app.http.get('/wp-json/svc/v1/scanner/scans', own)).status).toBe(200);
    expect((await app.http.get('/wp-json/svc/v1/vendors', own)).status).toBe(403);
  });

  it('keeps the scopes through the sign-in, also if the parameter is repeated', async () => {
    const user = await makeUser(app.platform);
    const path = `${PAGE}?scopes=vendors:read&scopes=scripts:read`;
    const { headers } = await post(path, { login: user.login, password: user.password });
    const cookie = (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const next = await app.http.get(`/wp-admin/${headers.get('location')}`, {
      headers: { cookie },
    });
    expect(tickedIn(next.text)).toEqual(['vendors:read', 'scripts:read']);
  });

  it('says which scopes the role of the user does not allow, and refuses if it allows none', async () => {
    const { cookie } = await signIn(app.http, await makeUser(app.platform, 'editor'));
    const show = (scopes: string) => app.http.get(pageOf({ scopes }), { headers: { cookie } });
    const some = await show('dsar:read,vendors:write');
    expect([some.status, tickedIn(some.text)]).toEqual([200, ['dsar:read']]);
    expect(some.text).toMatch(/your role does not allow[^.]*<code>vendors:write<\/code>/);
    const none = await show('vendors:write');
    expect([none.status, none.text.includes('<form')]).toEqual([403, false]);
    expect(none.text).toContain('vendors:write. Your role (editor) allows none of it');
  });

  it.each(['everything', 'consent:read,users:write', '', 'consent:read,'])(
    'refuses the scopes %j',
    async (scopes) => {
      const { status, text } = await app.http.get(`${PAGE}?scopes=${scopes}`);
      expect([status, text.includes('<form')]).toEqual([400, false]);
      expect(text).toContain('scopes must be a list of scopes, separated by commas');
      expect(text).toContain('consent:read');
    },
  );
});
