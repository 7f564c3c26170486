import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../../test/support/users.ts';
import { toIsoMoment } from '../../../platform/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';

const ROOT = '/wp-json/svc/v1/users';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';

describe.each(ENGINES)('sessions of users on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_TRUSTED_PROXIES: '127.0.0.1' });
  type Person = Awaited<ReturnType<typeof makeUser>>;

  /** Signs in with a browser. */
  async function enter({ login, password }: Person, userAgent = FIREFOX, address = '192.0.2.7') {
    const { headers, json } = await app.http.post('/console/session', {
      headers: { 'user-agent': userAgent, 'x-forwarded-for': address },
      body: { login, password },
    });
    const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const ask = (method: string, path: string) =>
      app.http.request(method, ROOT + path, { headers: { cookie, 'x-wp-nonce': json.nonce } });
    return { ask, isOpen: async () => (await ask('GET', '/me')).status === 200 };
  }
  const events = (userId: number) =>
    app.platform.datastore.db
      .selectFrom('security_events')
      .select(['actor', 'details'])
      .where('user_id', '=', userId)
      .where('event', '=', 'sessions_ended')
      .orderBy('id')
      .execute();

  it('shows the last use as it is after the clock was set back', async () => {
    const { ask } = await enter(await makeUser(app.platform, 'editor'));
    app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
    const [own] = (await ask('GET', '/me/sessions')).json;
    expect(own.last_used).toBe(toIsoMoment(app.clock.now()));
  });

  it('lists them with device, address and last use, newest first', async () => {
    const user = await makeUser(app.platform, 'editor');
    const created = new Date(app.clock.now()).toISOString();
    const { ask } = await enter(user);
    app.clock.advance(5 * MINUTE_MS - 1);
    await enter(user, SAFARI, '2001:db8:1:2:3:4:5:6');
    const before = (await ask('GET', '/me/sessions')).json;
    expect(before).toMatchObject([
      { device: 'Safari on an iPhone', address: '2001:db8:1:2::/64', current: false },
      { device: 'Firefox on Windows', address: '192.0.2.7', current: true, last_used: created },
    ]);
    app.clock.advance(1);
    const [, own] = (await ask('GET', '/me/sessions')).json;
    expect(own).toEqual({
      id: before[1].id,
      device: 'Firefox on Windows',
      address: '192.0.2.7',
      created,
      last_used: new Date(app.clock.now()).toISOString(),
      expires: new Date(Date.parse(created) + 48 * 60 * MINUTE_MS).toISOString(),
      current: true,
    });
    const api = await app.http.get(`${ROOT}/me/sessions`, {
      headers: basic(user.login, user.applicationPassword),
    });
    expect(api.json.map(({ current }: { current: boolean }) => current)).toEqual([false, false]);
    app.clock.advance(48 * 60 * MINUTE_MS);
    const later = await app.http.get(`${ROOT}/me/sessions`, {
      headers: basic(user.login, user.applicationPassword),
    });
    expect(later.json).toEqual([]);
  });

  it('ends one, and records it', async () => {
    const user = await makeUser(app.platform, 'editor');
    const here = await enter(user);
    const there = await enter(user, SAFARI);
    const [{ id }] = (await here.ask('GET', '/me/sessions')).json;
    const { status, json } = await here.ask('DELETE', `/me/sessions/${id}`);
    expect([status, json]).toMatchObject([200, { deleted: true, previous: { id } }]);
    expect([await here.isOpen(), await there.isOpen()]).toEqual([true, false]);
    const again = await here.ask('DELETE', `/me/sessions/${id}`);
    expect([again.status, again.json.code]).toEqual([404, 'rest_session_not_found']);
    expect((await here.ask('DELETE', '/me/sessions/abc')).status).toBe(404);
    expect(await events(user.id)).toEqual([
      { actor: user.login, details: '{"count":1,"device":"Safari on an iPhone"}' },
    ]);
  });

  it('ends all others', async () => {
    const user = await makeUser(app.platform, 'subscriber');
    const here = await enter(user);
    const others = [await enter(user), await enter(user, SAFARI)];
    const { json } = await here.ask('DELETE', '/me/sessions?except_current=true');
    expect(json).toEqual({ deleted: true, count: 2 });
    for (const each of others) expect(await each.isOpen()).toBe(false);
    expect(await here.isOpen()).toBe(true);
    expect((await here.ask('GET', '/me/sessions')).json.length).toBe(1);
    expect(await events(user.id)).toEqual([{ actor: user.login, details: '{"count":2}' }]);
    expect((await here.ask('DELETE', '/me/sessions')).json).toEqual({ deleted: true, count: 1 });
    expect(await here.isOpen()).toBe(false);
  });

  it('keeps those of other users from everybody but administrators', async () => {
    const user = await makeUser(app.platform, 'editor');
    const other = await enter(user);
    const [{ id }] = (await other.ask('GET', '/me/sessions')).json;
    const stranger = await enter(await makeUser(app.platform, 'editor'));
    expect((await stranger.ask('GET', `/${user.id}/sessions`)).status).toBe(403);
    expect((await stranger.ask('DELETE', `/${user.id}/sessions/${id}`)).status).toBe(403);
    expect((await stranger.ask('DELETE', `/me/sessions/${id}`)).status).toBe(404);
    expect(await other.isOpen()).toBe(true);
    const boss = await makeUser(app.platform);
    const administrator = await enter(boss);
    const listed = (await administrator.ask('GET', `/${user.id}/sessions`)).json;
    expect(listed).toMatchObject([{ id, current: false }]);
    await administrator.ask('DELETE', `/${user.id}/sessions/${id}`);
    expect(await other.isOpen()).toBe(false);
    expect(await events(user.id)).toMatchObject([{ actor: boss.login }]);
    expect((await administrator.ask('GET', '/999999/sessions')).status).toBe(404);
  });
});
