import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../test/support/users.ts';
import { addApplicationPassword } from '../../identity/users/index.ts';
import { createToken, revokeToken } from './index.ts';

const ROOT = '/console/licences/api-tokens';
const TEXT = expect.stringMatching(/\S/);

describe.each(ENGINES)('API tokens in the console on %s', (engine) => {
  const app = useTestApp(engine);
  let staff: ReturnType<typeof makeUser> | undefined;
  async function ask(method: string, path = '', body?: object) {
    staff ??= makeUser(app.platform);
    const { login, applicationPassword } = await staff;
    const headers = basic(login, applicationPassword);
    return app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
  }
  const wanted = { name: 'Shop', scopes: ['licences:read'] };

  it('are shown once, listed masked, and revoked', async () => {
    const made = await ask('POST', '', {
      name: ' Shop ',
      scopes: ['licences:read', 'licences:issue', 'licences:read'],
      product: 'pavis',
      expires_at: '2027-11-21T00:00:00.000Z',
    });
    const login = (await staff)?.login;
    const { secret, ...record } = made.json;
    expect([made.status, record]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'Shop',
        token: `${secret.slice(0, 11)}…${secret.slice(-4)}`,
        scopes: ['licences:read', 'licences:issue'],
        product: 'pavis',
        status: 'active',
        created_at: TEXT,
        created_by: login,
        expires_at: '2027-11-21T00:00:00.000Z',
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    expect((await ask('GET')).json).toEqual([record]);
    const rows = await app.platform.datastore.db.selectFrom('api_tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect((await ask('POST', '', wanted)).json.data.params).toEqual({
      name: 'There is an active API token named Shop. Revoke it first.',
    });

    const revoked = await ask('POST', `/${record.id}/revoke`);
    const after = { ...record, status: 'revoked', revoked_at: TEXT };
    expect([revoked.status, revoked.json]).toEqual([200, after]);
    const again = await ask('POST', `/${record.id}/revoke`);
    expect([again.status, again.json.code]).toEqual([409, 'not_possible']);
    expect((await ask('POST', '/999/revoke')).status).toBe(404);
    // The name is free again.
    const next = await ask('POST', '', wanted);
    expect(next.status).toBe(201);
    expect((await ask('GET')).json.map(({ id }: { id: number }) => id)).toEqual([
      next.json.id,
      record.id,
    ]);

    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['actor', 'details'])
      .where('event', '=', 'api_token_changed')
      .orderBy('id')
      .execute();
    expect(events.map(({ actor, details }) => [actor, JSON.parse(details).action])).toEqual([
      [login, 'created'],
      [login, 'revoked'],
      [login, 'created'],
    ]);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it.each([
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['licences:delete'] }, 'scopes'],
    [{ product: 'none' }, 'product'],
    [{ expires_at: 'soon' }, 'expires_at'],
    [{ expires_at: '2020-01-01' }, 'expires_at'],
  ])('are not created with %j', async (wrong, param) => {
    const { status, json } = await ask('POST', '', { ...wanted, name: 'Other', ...wrong });
    expect([status, Object.keys(json.data.params)[0]?.slice(0, param.length)]).toEqual([
      400,
      param,
    ]);
  });

  it('are for administrators only', async () => {
    const { login, applicationPassword } = await makeUser(app.platform, 'editor');
    const headers = basic(login, applicationPassword);
    expect((await app.http.get(ROOT, { headers })).status).toBe(403);
    expect((await app.http.post(ROOT, { headers, body: wanted })).status).toBe(403);
    expect((await app.http.get(ROOT)).status).toBe(401);
  });

  it('end no later than the application password that creates them', async () => {
    const { login } = await makeUser(app.platform);
    const expiresAt = new Date(app.clock.now() + 86_400_000).toISOString();
    const { password } = await addApplicationPassword(app.platform, login, 'brief', 'test', {
      expiresAt,
    });
    const headers = basic(login, password);
    const create = (name: string, expires_at?: string) =>
      app.http.post(ROOT, {
        headers,
        body: { name, scopes: ['licences:read'], ...(expires_at && { expires_at }) },
      });
    const later = new Date(Date.parse(expiresAt) + 1).toISOString();
    for (const expires_at of [undefined, later]) {
      const { status, json } = await create('Longer', expires_at);
      expect([status, json.code]).toEqual([403, 'rest_forbidden']);
      expect(json.message).toContain(`Send expires_at with ${expiresAt} or earlier`);
    }
    const { status, json } = await create('Same', expiresAt);
    expect([status, json.expires_at]).toEqual([201, expiresAt]);
    await ask('POST', `/${json.id}/revoke`);
  });

  it('are limited to 50 active ones, also if they are created at the same time', async () => {
    const by = { actor: 'test', login: null };
    const before = (await ask('GET')).json.filter(
      ({ status }: { status: string }) => status === 'active',
    ).length;
    const all = await Promise.allSettled(
      Array.from({ length: 55 - before }, (_, n) =>
        createToken(app.platform, { name: `Token ${n}`, scopes: ['licences:read'] }, by),
      ),
    );
    const made = all.filter(({ status }) => status === 'fulfilled').length;
    expect(before + made).toBe(50);
    const refused = await ask('POST', '', { ...wanted, name: 'One more' });
    expect([refused.status, refused.json.code]).toEqual([409, 'too_many_tokens']);
    const [first] = (await ask('GET')).json;
    await revokeToken(app.platform, first.id, 'test');
    expect((await ask('POST', '', { ...wanted, name: 'One more' })).status).toBe(201);
  });
});
