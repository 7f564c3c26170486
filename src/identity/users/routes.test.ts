import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser, signIn } from '../../../test/support/users.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import { addApplicationPassword } from './application-passwords/service.ts';
import { hashPassword } from './password.ts';

const ROOT = '/wp-json/svc/v1/users';
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const GROUPS = /^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/;

describe.each(ENGINES)('users in the plugin API on %s', (engine) => {
  const app = useTestApp(engine);
  /** A user with an application password. */
  async function somebody(role: Role = 'administrator') {
    const user = await makeUser(app.platform, role);
    const headers = basic(user.login, user.applicationPassword);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    return { ...user, ask };
  }
  const enter = (login: string, password: string) =>
    app.http.post('/console/session', { body: { login, password } });

  it('lists users by login, searches login and email address, and filters by role', async () => {
    const { ask } = await somebody();
    const names = async (query: string) => {
      const { status, headers, json } = await ask('GET', query);
      expect(status).toBe(200);
      expect(Number(headers.get('x-wp-total'))).toBeGreaterThanOrEqual(json.length);
      return json.map(({ username }: { username: string }) => username);
    };
    await ask('POST', '', { username: 'Zora', email: 'z@search.example', roles: ['editor'] });
    await ask('POST', '', { username: 'abel', email: 'a@search.example' });
    expect(await names('?search=search.example')).toEqual(['abel', 'Zora']);
    expect(await names('?search=ZOR')).toEqual(['Zora']);
    expect(await names('?search=search.example&roles=editor')).toEqual(['Zora']);
    expect(await names('?search=search.example&per_page=1&page=2')).toEqual(['Zora']);
    expect(await names('?search=%25')).toEqual([]);
  });

  it('creates users with the fields of WordPress, and shows a generated password once', async () => {
    const { ask, login } = await somebody();
    const { status, headers, json } = await ask('POST', '', {
      username: 'Grace',
      email: 'Grace@Example.com',
      roles: ['editor'],
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(Number),
      username: 'Grace',
      name: 'Grace',
      email: 'grace@example.com',
      email_confirmed: true,
      roles: ['editor'],
      capabilities: {
        read: true,
        edit_posts: true,
        read_settings: true,
        edit_banner_texts: true,
        manage_privacy_requests: true,
      },
      registered_date: expect.stringMatching(MOMENT),
      last_seen: null,
      locked_until: null,
      sessions: 0,
      application_passwords: 0,
      second_factor: false,
      single_sign_on: false,
      source: 'pavis',
      password: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
    });
    expect(headers.get('location')).toBe(`${app.url}${ROOT}/${json.id}`);
    expect((await enter('grace', json.password)).status).toBe(200);
    const { password, ...rest } = json;
    const again = await ask('GET', `/${json.id}`);
    expect(again.json).toEqual({
      ...rest,
      sessions: 1,
      last_seen: new Date(app.clock.now()).toISOString(),
    });
    const [event] = (await ask('GET', '/events')).json;
    expect(event).toMatchObject({
      actor: login,
      action: 'created',
      user_id: json.id,
      username: 'Grace',
      details: { role: 'editor' },
    });
    const chosen = { username: 'chosen', email: 'c@example.com', password: 'a chosen one' };
    const made = await ask('POST', '', chosen);
    expect([made.status, made.json.roles]).toEqual([201, ['subscriber']]);
    expect(made.json).not.toHaveProperty('password');
    expect((await enter('chosen', 'a chosen one')).status).toBe(200);
  });

  it.each([
    ['username', { username: 'a b', email: 'x@example.com' }],
    ['username', { username: 'TAKEN', email: 'x@example.com' }],
    ['username', { username: 'System', email: 'x@example.com' }],
    ['username', { username: 'requestor', email: 'x@example.com' }],
    ['email', { username: 'x', email: 'Taken@example.com' }],
    ['email', { username: 'x', email: 'nobody' }],
    ['password', { username: 'x', email: 'x@example.com', password: '1234567' }],
    ['password', { username: 'x', email: 'x@example.com', password: 'x'.repeat(201) }],
    ['roles', { username: 'x', email: 'x@example.com', roles: ['owner'] }],
    ['roles', { username: 'x', email: 'x@example.com', roles: ['editor', 'administrator'] }],
  ])('rejects an invalid %s: %j', async (param, body) => {
    const { ask } = await somebody();
    await ask('POST', '', { username: 'taken', email: 'taken@example.com' });
    const { status, json } = await ask('POST', '', body);
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(json.data.params)).toEqual([param]);
  });

  it('changes email address and role, effective from the next request', async () => {
    const boss = await somebody();
    const other = await somebody('editor');
    expect((await other.ask('GET', '')).status).toBe(403);
    const body = { email: 'New@example.com', roles: ['administrator'] };
    const { status, json } = await boss.ask('PUT', `/${other.id}`, body);
    expect(status).toBe(200);
    expect(json).toMatchObject({ email: 'new@example.com', roles: ['administrator'] });
    expect((await other.ask('GET', '')).status).toBe(200);
    const [role, address] = (await boss.ask('GET', '/events?per_page=2')).json;
    expect(role).toMatchObject({
      actor: boss.login,
      action: 'role_changed',
      details: { from: 'editor', to: 'administrator' },
    });
    // The log is kept after the user is deleted, so it has no email address.
    expect(address).toMatchObject({ action: 'address_changed', details: {} });
    const taken = await boss.ask('PUT', `/${other.id}`, { email: boss.email });
    expect([taken.status, taken.json.data.params]).toEqual([400, { email: expect.any(String) }]);
    await boss.ask('PUT', `/${other.id}`, { roles: ['subscriber'] });
    expect((await other.ask('GET', '')).status).toBe(403);
  });

  it('changes the own email address with the current password only', async () => {
    for (const path of ['/me', 'own'] as const) {
      const { id, email, ask, password } = await somebody();
      const put = (body: object) => ask('PUT', path === 'own' ? `/${id}` : path, body);
      const address = `moved-${email}`;
      for (const current_password of [undefined, 'a wrong one']) {
        const { status, json } = await put({ email: address, current_password });
        expect([status, json.data.params]).toEqual([400, { current_password: expect.any(String) }]);
      }
      expect((await ask('GET', '/me')).json.email).toBe(email);
      expect((await put({ email: email.toUpperCase() })).status).toBe(200);
      const changed = await put({ email: address, current_password: password });
      expect([changed.status, changed.json.email]).toEqual([200, address]);
    }
    const { components } = (await app.http.get('/wp-json/svc/v1/openapi.json')).json;
    expect(components.schemas.UserUpdate.examples[0]).toHaveProperty('current_password');
  });

  it('lets no user raise their rights or change their own role', async () => {
    const editor = await somebody('editor');
    for (const [path, status, code] of [
      ['/me', 403, 'rest_cannot_edit_roles'],
      [`/${editor.id}`, 403, 'rest_forbidden'],
    ] as const) {
      const { json, ...refused } = await editor.ask('PUT', path, { roles: ['administrator'] });
      expect([refused.status, json.code]).toEqual([status, code]);
    }
    expect((await editor.ask('GET', '/me')).json.roles).toEqual(['editor']);
    const boss = await somebody();
    const { status, json } = await boss.ask('PUT', `/${boss.id}`, { roles: ['editor'] });
    expect([status, json.code]).toEqual([403, 'rest_cannot_edit_roles']);
  });

  it('resets a password, shows it once, and signs the user out everywhere', async () => {
    const boss = await somebody();
    const other = await somebody('editor');
    const { cookie } = await signIn(app.http, other);
    const { status, json } = await boss.ask('POST', `/${other.id}/reset-password`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: other.id, sessions: 0, password: expect.any(String) });
    expect((await app.http.get('/console/session', { headers: { cookie } })).status).toBe(401);
    expect((await enter(other.login, other.password)).status).toBe(401);
    expect((await enter(other.login, json.password)).status).toBe(200);
    // Application passwords stay valid.
    expect((await other.ask('GET', '/me')).status).toBe(200);
    const [event] = (await boss.ask('GET', '/events')).json;
    expect(event).toMatchObject({ action: 'password_reset', username: other.login, details: {} });
  });

  it('resets no own password, which needs the current one to change', async () => {
    const boss = await somebody();
    const { status, json } = await boss.ask('POST', `/${boss.id}/reset-password`);
    expect([status, json.code]).toEqual([403, 'rest_cannot_edit']);
    expect((await enter(boss.login, boss.password)).status).toBe(200);
  });

  it('signs a user in with any spelling of their address', async () => {
    const { ask } = await somebody();
    const typed = 'Zoe\u0308@M\u00fcller.example';
    const { json } = await ask('POST', '', { username: 'zoe', email: typed });
    expect(json.email).toBe('zo\u00eb@xn--mller-kva.example');
    for (const login of [typed, json.email, 'ZO\u00cb@m\u00fcller.EXAMPLE '])
      expect([login, (await enter(login, json.password)).status]).toEqual([login, 200]);
  });

  it('signs a user out everywhere, who can sign in again', async () => {
    const boss = await somebody();
    const other = await somebody('editor');
    const first = await signIn(app.http, other);
    const second = await signIn(app.http, other);
    const { status, json } = await boss.ask('DELETE', `/${other.id}/sessions`);
    expect([status, json]).toEqual([200, { deleted: true, count: 2 }]);
    for (const { cookie } of [first, second]) {
      expect((await app.http.get('/console/session', { headers: { cookie } })).status).toBe(401);
    }
    expect((await enter(other.login, other.password)).status).toBe(200);
    expect((await other.ask('DELETE', '/me/sessions')).json).toEqual({ deleted: true, count: 1 });
  });

  it('requires the current password to change the own one', async () => {
    const { ask, login, password } = await somebody('subscriber');
    const next = 'quite another one';
    for (const given of [{}, { current_password: 'wrong' }]) {
      const { status, json } = await ask('PUT', '/me', { password: next, ...given });
      expect([status, Object.keys(json.data.params)]).toEqual([400, ['current_password']]);
    }
    const short = await ask('PUT', '/me', { password: 'short', current_password: password });
    expect([short.status, Object.keys(short.json.data.params)]).toEqual([400, ['password']]);
    const { status } = await ask('PUT', '/me', { password: next, current_password: password });
    expect(status).toBe(200);
    expect((await enter(login, password)).status).toBe(401);
    expect((await enter(login, next)).status).toBe(200);
  });

  it('rejects an easily guessed password of an administrator, and keeps an existing one', async () => {
    const { ask, id, login, password } = await somebody();
    const editor = await somebody('editor');
    const change = (next: string, given = password) =>
      ask('PUT', '/me', { password: next, current_password: given });
    for (const easy of ['short one', 'password1234', `${login}${login}2`]) {
      const { status, json } = await change(easy);
      expect([easy, status, Object.keys(json.data.params)]).toEqual([easy, 400, ['password']]);
    }
    expect(
      (
        await editor.ask('PUT', '/me', {
          password: 'password1234',
          current_password: editor.password,
        })
      ).status,
    ).toBe(200);
    const promoted = await ask('PUT', `/${editor.id}`, {
      roles: ['administrator'],
      password: 'password1234',
    });
    expect(Object.keys(promoted.json.data.params)).toEqual(['password']);

    await app.platform.datastore.db
      .updateTable('users')
      .set({ password_hash: await hashPassword('password1234') })
      .where('id', '=', id)
      .execute();
    expect((await enter(login, 'password1234')).status).toBe(200);
    expect((await change('a chosen one', 'password1234')).status).toBe(200);
  });

  it('lets a new administrator sign in with a password that is good enough for one only', async () => {
    const { ask } = await somebody();
    const promote = (id: number, role: Role = 'administrator') =>
      ask('PUT', `/${id}`, { roles: [role] });
    const strong = await somebody('editor');
    await promote(strong.id);
    expect((await enter(strong.login, strong.password)).status).toBe(200);

    const weak = await somebody('editor');
    const easy = 'password1234';
    expect((await ask('PUT', `/${weak.id}`, { password: easy })).status).toBe(200);
    expect((await promote(weak.id)).status).toBe(200);
    expect((await enter(weak.login, 'a wrong one')).json.code).toBe('invalid_login');
    const { status, json } = await enter(weak.login, easy);
    expect([status, json.code]).toEqual([403, 'weak_password']);
    expect(json.message).toContain('easy to guess');
    await promote(weak.id, 'editor');
    expect((await enter(weak.login, easy)).status).toBe(200);
    await promote(weak.id);
    const { password } = (await ask('POST', `/${weak.id}/reset-password`)).json;
    expect((await enter(weak.login, password)).status).toBe(200);
  });

  it('allows ten attempts in 15 minutes to confirm the own password', async () => {
    const { ask, password } = await somebody('subscriber');
    const tryIt = (current_password: string) =>
      ask('PUT', '/me', { password: 'quite another one', current_password });
    for (let n = 0; n < 10; n++) expect((await tryIt('wrong')).status).toBe(400);
    app.clock.advance(10_000);
    const { status, headers, json } = await tryIt(password);
    expect([status, json.code]).toEqual([429, 'rate_limited']);
    expect(json.message).toBe('Too many failed attempts. Try again in 15 minutes.');
    expect(headers.get('retry-after')).toBe('890');
    app.clock.advance(890_000);
    expect((await tryIt(password)).status).toBe(200);
  });

  it('deletes a user with sessions and application passwords, but not oneself', async () => {
    const boss = await somebody();
    const other = await somebody();
    const { cookie } = await signIn(app.http, other);
    const own = await boss.ask('DELETE', `/${boss.id}`);
    expect([own.status, own.json.code]).toEqual([403, 'rest_user_cannot_delete']);
    const { status, json } = await boss.ask('DELETE', `/${other.id}`);
    expect([status, json.deleted, json.previous.username]).toEqual([200, true, other.login]);
    expect((await app.http.get('/console/session', { headers: { cookie } })).status).toBe(401);
    expect((await other.ask('GET', '/me')).status).toBe(401);
    expect((await boss.ask('DELETE', `/${other.id}`)).json.code).toBe('rest_user_invalid_id');
    const [event] = (await boss.ask('GET', '/events')).json;
    expect(event).toMatchObject({ action: 'deleted', username: other.login, actor: boss.login });
  });

  it('keeps the last administrator when two delete each other at once', async () => {
    const { db } = app.platform.datastore;
    const [one, two] = [await somebody(), await somebody()];
    await db
      .updateTable('users')
      .set({ role: 'editor' })
      .where('id', 'not in', [one.id, two.id])
      .execute();
    const both = await Promise.all([
      one.ask('DELETE', `/${two.id}`),
      two.ask('PUT', `/${one.id}`, { roles: ['editor'] }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = await db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'administrator')
      .execute();
    expect(left).toHaveLength(1);
  });

  it('creates application passwords, shows them once and revokes them at once', async () => {
    for (const role of ['administrator', 'subscriber'] as const) {
      const { ask, login } = await somebody(role);
      const path = '/me/application-passwords';
      const app_id = '123e4567-e89b-42d3-a456-426614174000';
      const { status, headers, json } = await ask('POST', path, { name: ' backup ', app_id });
      expect(status).toBe(201);
      expect(json).toEqual({
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        app_id,
        name: 'backup',
        created: expect.stringMatching(MOMENT),
        last_used: null,
        expires_at: null,
        scopes: null,
        password: expect.stringMatching(GROUPS),
      });
      expect(headers.get('location')).toBe(`${app.url}${ROOT}${path}/${json.uuid}`);
      const program = basic(login, json.password);
      expect((await app.http.get(`${ROOT}/me`, { headers: program })).status).toBe(200);
      const { password, ...listed } = json;
      const used = new Date(app.clock.now()).toISOString();
      expect((await ask('GET', path)).json).toContainEqual({ ...listed, last_used: used });
      const item = await ask('GET', `${path}/${json.uuid}`);
      expect([item.status, item.json]).toEqual([200, { ...listed, last_used: used }]);
      const longest = await ask('POST', path, { name: '😀'.repeat(100) });
      expect([longest.status, longest.json.name]).toEqual([201, '😀'.repeat(100)]);
      const bad = await ask('POST', path, { name: 'other', app_id: 'x' });
      expect([bad.status, Object.keys(bad.json.data.params)]).toEqual([400, ['app_id']]);
      const twice = await ask('POST', path, { name: 'backup' });
      expect([twice.status, Object.keys(twice.json.data.params)]).toEqual([400, ['name']]);
      const gone = await ask('DELETE', `${path}/${json.uuid}`);
      expect(gone.json).toMatchObject({ deleted: true, previous: { name: 'backup' } });
      expect((await app.http.get(`${ROOT}/me`, { headers: program })).status).toBe(401);
      for (const method of ['DELETE', 'GET']) {
        const { status, json: refused } = await ask(method, `${path}/${json.uuid}`);
        expect([status, refused.code]).toEqual([404, 'rest_application_password_not_found']);
      }
    }
  });

  it('creates no application password that is valid longer than the one that creates it', async () => {
    const { id, login } = await somebody();
    const other = await somebody('viewer');
    const expiresAt = new Date(app.clock.now() + 86_400_000).toISOString();
    const { password } = await addApplicationPassword(app.platform, login, 'short', 'test', {
      expiresAt,
    });
    const headers = basic(login, password);
    const create = (whose: number | string, name: string, expires_at?: string | null) =>
      app.http.post(`${ROOT}/${whose}/application-passwords`, {
        headers,
        body: { name, ...(expires_at !== undefined && { expires_at }) },
      });
    const later = new Date(Date.parse(expiresAt) + 1).toISOString();
    for (const whose of ['me', id, other.id]) {
      for (const expires_at of [undefined, null, later]) {
        const { status, json } = await create(whose, `${whose} longer`, expires_at);
        expect([status, json.code]).toEqual([403, 'rest_cannot_create_application_passwords']);
        expect(json.message).toContain(`Send expires_at with ${expiresAt} or earlier`);
      }
      expect((await create(whose, `${whose} same`, expiresAt)).status).toBe(201);
    }
    const names = (await other.ask('GET', '/me/application-passwords')).json;
    expect(names.map(({ name }: { name: string }) => name)).toEqual(['tests', `${other.id} same`]);
  });

  it('changes no account with an application password that expires', async () => {
    const boss = await somebody();
    const other = await somebody('viewer');
    const expiresAt = new Date(app.clock.now() + 86_400_000).toISOString();
    const { password } = await addApplicationPassword(app.platform, boss.login, 'brief', 'test', {
      expiresAt,
    });
    const headers = basic(boss.login, password);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, `${ROOT}${path}`, { headers, ...(body && { body }) });
    const changes = [
      [
        'POST',
        '',
        { username: 'lasting', email: 'lasting@example.com' },
        'rest_cannot_create_user',
      ],
      ['PUT', `/${other.id}`, { roles: ['administrator'] }, 'rest_cannot_edit'],
      ['PUT', `/${other.id}`, { password: 'four random words of mine' }, 'rest_cannot_edit'],
      ['PUT', '/me', { email: 'mine@example.com' }, 'rest_cannot_edit'],
      ['POST', `/${other.id}/reset-password`, undefined, 'rest_cannot_edit'],
      ['POST', `/${other.id}/reset-second-factor`, undefined, 'rest_cannot_edit'],
      ['POST', `/${other.id}/unlock`, undefined, 'rest_cannot_edit'],
      ['POST', `/${other.id}/unlink-single-sign-on`, undefined, 'rest_cannot_edit'],
    ] as const;
    for (const [method, path, body, code] of changes) {
      const { status, json } = await ask(method, path, body);
      expect([method, path, status, json.code]).toEqual([method, path, 403, code]);
      expect(json.message).toContain('This application password expires');
    }
    const { paths } = (await app.http.get('/wp-json/svc/v1/openapi.json')).json;
    const describe403 = (path: string, method = 'post') =>
      paths[`/svc/v1${path}`][method].responses[403].description;
    for (const path of ['', '/{id}/reset-password', '/{id}/reset-second-factor', '/{id}/unlock'])
      expect(describe403(`/users${path}`)).toContain('This application password expires');
    for (const path of ['/users/{id}', '/users/me'])
      expect(describe403(path, 'put')).toContain('This application password expires');
    for (const path of ['/users/{id}', '/users/me'])
      expect(describe403(`${path}/application-passwords`)).toMatch(
        /cannot create one that is valid longer.*cannot create one that allows more/,
      );
    expect((await ask('GET', '?search=lasting')).json).toEqual([]);
    expect((await ask('GET', `/${other.id}`)).json.roles).toEqual(['viewer']);
    // Takes rights away only.
    expect((await ask('DELETE', `/${other.id}`)).status).toBe(200);
  });

  it('allows only administrators and the owner to see application passwords', async () => {
    const boss = await somebody();
    const other = await somebody('editor');
    const path = `/${boss.id}/application-passwords`;
    const [{ uuid }] = (await boss.ask('GET', path)).json;
    expect((await other.ask('GET', path)).status).toBe(403);
    // Another user has no such application password.
    const misplaced = `/me/application-passwords/${uuid}`;
    for (const method of ['GET', 'DELETE']) {
      expect((await other.ask(method, `${path}/${uuid}`)).status).toBe(403);
      expect((await other.ask(method, misplaced)).status).toBe(404);
    }
    const theirs = `/${other.id}/application-passwords`;
    const { json, headers } = await boss.ask('POST', theirs, { name: 'by the boss' });
    const at = headers.get('location')?.replace(app.url + ROOT, '') ?? '';
    expect((await boss.ask('GET', at)).json).toMatchObject({ name: 'by the boss' });
    expect((await boss.ask('DELETE', `${theirs}/${json.uuid}`)).status).toBe(200);
    const [revoked, added] = (await boss.ask('GET', '/events?per_page=2')).json;
    const details = { name: 'by the boss' };
    const who = { actor: boss.login, username: other.login, details };
    expect(added).toMatchObject({ ...who, action: 'application_password_added' });
    expect(revoked).toMatchObject({ ...who, action: 'application_password_revoked' });
  });

  it('returns 404 for unknown users', async () => {
    const { ask } = await somebody();
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { email: 'x@example.com' }],
      ['DELETE', ''],
      ['POST', '/reset-password'],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
      ['DELETE', '/sessions/1'],
      ['GET', '/application-passwords'],
      ['POST', '/application-passwords', { name: 'x' }],
      ['DELETE', '/application-passwords/x'],
    ] as const) {
      const { status, json } = await ask(method, `/999999${path}`, body);
      expect([method, path, status, json.code]).toEqual([
        method,
        path,
        404,
        'rest_user_invalid_id',
      ]);
    }
  });

  it('logs no secret', () => {
    expect(app.logged()).not.toMatch(/quite another one|a chosen one/);
  });
});
