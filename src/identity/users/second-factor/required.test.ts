import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { basic, makeUser, signIn } from '../../../../test/support/users.ts';

const ROOT = '/wp-json/svc/v1';
const ME = `${ROOT}/users/me`;
const AUTHORIZE = '/wp-admin/authorize-application.php';
const FIRST = [403, 'second_factor_setup_required'];
type TestUser = Awaited<ReturnType<typeof makeUser>>;

describe.each(ENGINES)('A required second factor on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_REQUIRE_SECOND_FACTOR: 'administrators' });
  const everyone = useTestApp(engine, { PAVIS_REQUIRE_SECOND_FACTOR: 'all' });

  /** Requests with the session of a user who has just entered the password. */
  async function enter(user: TestUser, at = app) {
    const { cookie, nonce } = await signIn(at.http, user);
    const headers = { cookie, 'x-wp-nonce': nonce };
    const ask = (method: string, path: string, body?: object) =>
      at.http.request(method, path, { headers, ...(body && { body }) });
    const codeOf = async (...request: Parameters<typeof ask>) => {
      const { status, json } = await ask(...request);
      return [status, json?.code];
    };
    return { ask, codeOf, headers };
  }
  const password = ({ password }: TestUser) => ({ current_password: password });

  async function addApp(user: TestUser, { ask }: Awaited<ReturnType<typeof enter>>) {
    const { json } = await ask('POST', `${ME}/authenticator-app/setup`, password(user));
    const totp = new TOTP({ secret: Secret.fromBase32(json.secret) });
    const code = totp.generate({ timestamp: app.clock.now() });
    const added = await ask('POST', `${ME}/authenticator-app`, { setup: json.setup, code });
    expect(added.status).toBe(201);
    return added.json.recovery_codes as string[];
  }

  it('limits the session to setting it up, and then opens it', async () => {
    const user = await makeUser(app.platform);
    const session = await enter(user);
    const { ask, codeOf } = session;
    const openApi = (await ask('GET', `${ROOT}/openapi.json`)).json;
    const open = new Set<string>();
    for (const [path, item] of Object.entries<Record<string, { security: object[] }>>(
      openApi.paths,
    )) {
      for (const [method, { security }] of Object.entries(item)) {
        // Everybody may ask those that a setting opens.
        if (!security.length || security.some((way) => !Object.keys(way).length)) continue;
        const target = `/wp-json${path.replace('{id}', '1').replace(/\{\w+\}/, 'none')}`;
        // The permission is looked at before the body, which is no JSON: nothing is done.
        const { status, json } = await app.http.post(target, {
          headers: { ...session.headers, 'x-http-method-override': method.toUpperCase() },
          body: '{',
        });
        if (status !== 403) open.add(`${method.toUpperCase()} ${path.replace('/svc/v1', '')}`);
        else expect([path, status, json.code]).toEqual([path, ...FIRST]);
      }
    }
    expect([...open].toSorted()).toEqual([
      'GET /users/me',
      'GET /users/me/second-factor',
      'POST /users/me/authenticator-app',
      'POST /users/me/authenticator-app/setup',
      'POST /users/me/passkeys',
      'POST /users/me/passkeys/registration',
    ]);
    expect(await codeOf('GET', '/console/licences')).toEqual(FIRST);
    expect(await codeOf('GET', '/console/operations')).toEqual(FIRST);
    expect(await codeOf('GET', '/console/health')).toEqual(FIRST);
    expect((await ask('GET', '/console/session')).json.second_factor_setup_required).toBe(true);
    expect((await ask('GET', `${ME}/second-factor`)).json.required).toBe(true);
    const { headers } = await ask('GET', ME);
    expect(headers.get('allow')).toBe('GET');

    expect(await addApp(user, session)).toHaveLength(10);
    expect((await ask('GET', '/console/session')).json.second_factor_setup_required).toBe(false);
    expect((await ask('GET', `${ROOT}/users`)).status).toBe(200);
    expect((await ask('GET', '/console/licences')).status).toBe(200);
  });

  it('keeps a public route from knowing the user, and lets them sign out', async () => {
    const boss = await makeUser(app.platform);
    await app.http.request('PUT', `${ROOT}/settings`, {
      headers: basic(boss.login, boss.applicationPassword),
      body: { consent_log: { public: false } },
    });
    const { ask, codeOf } = await enter(await makeUser(app.platform));
    expect((await codeOf('GET', `${ROOT}/consent/log/checkpoint`))[0]).toBe(401);
    expect((await ask('DELETE', '/console/session')).status).toBe(200);
    expect((await ask('GET', '/console/session')).status).toBe(401);
  });

  it('concerns the roles of the setting only, at once after the role has changed', async () => {
    const boss = await makeUser(app.platform);
    const user = await makeUser(app.platform, 'editor');
    const { codeOf } = await enter(user);
    expect((await codeOf('GET', `${ROOT}/dsar/cases`))[0]).toBe(200);
    const promoted = await app.http.request('PUT', `${ROOT}/users/${user.id}`, {
      headers: basic(boss.login, boss.applicationPassword),
      body: { roles: ['administrator'] },
    });
    expect(promoted.status).toBe(200);
    expect(await codeOf('GET', `${ROOT}/dsar/cases`)).toEqual(FIRST);
    const subscriber = await enter(await makeUser(everyone.platform, 'subscriber'), everyone);
    expect(await subscriber.codeOf('PUT', ME, { email: 'new@example.com' })).toEqual(FIRST);
  });

  it('concerns neither application passwords nor single sign-on', async () => {
    const user = await makeUser(app.platform);
    const headers = basic(user.login, user.applicationPassword);
    expect((await app.http.get(`${ROOT}/users`, { headers })).status).toBe(200);
    const { codeOf } = await enter(user);
    expect(await codeOf('GET', `${ROOT}/users`)).toEqual(FIRST);
    await app.platform.datastore.db
      .updateTable('sessions')
      .set({ method: 'single_sign_on' })
      .where('user_id', '=', user.id)
      .execute();
    expect((await codeOf('GET', `${ROOT}/users`))[0]).toBe(200);
  });

  it('cannot be removed by its user, and can be reset by an administrator', async () => {
    const user = await makeUser(app.platform);
    const session = await enter(user);
    await addApp(user, session);
    const remove = () => session.codeOf('POST', `${ME}/authenticator-app/remove`, password(user));
    expect(await remove()).toEqual([409, 'last_second_factor']);
    const passkey = {
      ...{ user_id: user.id, credential_id: `x${user.id}`, public_key: 'x', counter: 0 },
      ...{ transports: '[]', name: 'Laptop', created_at: app.clock.now(), last_used_at: null },
    };
    await app.platform.datastore.db.insertInto('passkeys').values(passkey).execute();
    expect((await remove())[0]).toBe(200);
    const [{ id } = { id: 0 }] = (await session.ask('GET', `${ME}/second-factor`)).json.passkeys;
    expect(await session.codeOf('POST', `${ME}/passkeys/${id}/remove`, password(user))).toEqual([
      409,
      'last_second_factor',
    ]);
    const { json } = await session.ask('GET', `${ME}/second-factor`);
    expect([json.passkeys.length, json.recovery_codes]).toEqual([1, 10]);

    const boss = await makeUser(app.platform);
    const headers = basic(boss.login, boss.applicationPassword);
    const read = async () => (await app.http.get(`${ROOT}/users/${user.id}`, { headers })).json;
    expect((await read()).second_factor).toBe(true);
    const path = `${ROOT}/users/${user.id}/reset-second-factor`;
    expect((await app.http.post(path, { headers })).status).toBe(200);
    expect((await read()).second_factor).toBe(false);
    expect(await session.codeOf('GET', `${ROOT}/users`)).toEqual(FIRST);
  });

  it('is asked for before an application is authorised', async () => {
    const user = await makeUser(app.platform);
    const session = await enter(user);
    const { cookie, 'x-wp-nonce': nonce } = session.headers;
    const page = await app.http.get(AUTHORIZE, { headers: { cookie } });
    expect([page.status, page.text.includes('Set up a second factor')]).toEqual([403, true]);
    const approve = () =>
      app.http.post(AUTHORIZE, {
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ _wpnonce: nonce, name: 'X', approve: '1' }).toString(),
      });
    expect((await approve()).status).toBe(403);
    await addApp(user, session);
    expect((await approve()).status).toBe(200);
  });

  it('is no refused credential in the security log', async () => {
    const user = await makeUser(app.platform);
    const { codeOf } = await enter(user);
    await codeOf('GET', `${ROOT}/users`);
    await app.platform.securityLog.flush();
    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select('event')
      .where('event', '=', 'credential_refused')
      .execute();
    expect(events).toEqual([]);
  });
});
