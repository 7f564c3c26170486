import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser, signIn } from '../../../test/support/users.ts';
import { createUser } from '../users/index.ts';
import { listEvents } from './store.ts';

const PAGE = { offset: 0, limit: 1_000 };

describe.each(ENGINES)('the security log on %s', (engine) => {
  const app = useTestApp(engine);
  const logged = async (...events: string[]) => {
    await app.platform.securityLog.flush();
    const filter = { events: events as never };
    return (await listEvents(app.platform.datastore.db, filter, PAGE)).events;
  };
  const nextMinute = () => app.clock.advance(60_000);

  it('records a sign-in with user, address and browser', async () => {
    const user = await makeUser(app.platform);
    const { status } = await app.http.post('/console/session', {
      body: { login: user.login, password: user.password },
      headers: { 'user-agent': 'Firefox/150' },
    });
    expect(status).toBe(200);
    const [event] = await logged('sign_in');
    expect(event).toMatchObject({
      userId: user.id,
      login: user.login,
      actor: user.login,
      actorId: user.id,
      address: '127.0.0.1',
      userAgent: 'Firefox/150',
      count: 1,
    });
  });

  it('counts failed attempts of one account and address within a minute in one row', async () => {
    nextMinute();
    const user = await makeUser(app.platform);
    for (let n = 0; n < 4; n++) {
      await app.http.post('/console/session', { body: { login: user.email, password: 'wrong' } });
    }
    const failed = await logged('sign_in_failed');
    expect(failed.filter(({ userId }) => userId === user.id)).toMatchObject([
      { login: user.login, actor: null, count: 4, details: { reason: 'wrong_password' } },
    ]);
    nextMinute();
    await app.http.post('/console/session', { body: { login: user.login, password: 'wrong' } });
    const later = (await logged('sign_in_failed')).filter(({ userId }) => userId === user.id);
    expect(later.map(({ count }) => count)).toEqual([1, 4]);
  });

  it('never stores the input for an unknown login', async () => {
    nextMinute();
    const typed = 'correct-horse-battery-staple';
    await app.http.post('/console/session', { body: { login: typed, password: 'x' } });
    await app.http.get('/wp-json/svc/v1/users', { headers: basic(typed, 'wrong') });
    await app.platform.securityLog.flush();
    const rows = await app.platform.datastore.db
      .selectFrom('security_events')
      .selectAll()
      .where('user_id', 'is', null)
      .orderBy('event', 'desc')
      .execute();
    expect(rows.map(({ event, login }) => [event, login])).toEqual([
      ['sign_in_failed', null],
      ['credential_refused', null],
    ]);
    expect(JSON.stringify(rows)).not.toContain(typed);
    expect(app.logged()).not.toContain(typed);
  });

  it('limits the rows of an attack, and counts every attempt on each account', async () => {
    nextMinute();
    const [ada, grace] = [await makeUser(app.platform), await makeUser(app.platform)];
    const { securityLog, datastore } = app.platform;
    const attempts = 3_000;
    for (let n = 0; n < attempts; n++) {
      for (const { id, login } of [ada, grace]) {
        securityLog.record({
          event: 'sign_in_failed',
          user: { id, login },
          address: `203.0.${n >> 8}.${n & 255}`,
          details: { reason: 'wrong_password' },
        });
      }
    }
    await securityLog.flush();
    const { events } = await listEvents(datastore.db, { events: ['sign_in_failed'] }, PAGE);
    for (const { id } of [ada, grace]) {
      const own = events.filter(({ userId }) => userId === id);
      expect(own.length).toBeLessThanOrEqual(201);
      expect(own.filter(({ address }) => address === null)).toHaveLength(1);
      expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(attempts);
    }
    expect(events.length).toBeLessThan(220);
  });

  it('records refused credentials by their kind, on routes that need credentials only', async () => {
    nextMinute();
    const user = await makeUser(app.platform);
    const users = '/wp-json/svc/v1/users';
    const { cookie, nonce } = await signIn(app.http, user);
    const known = (await logged('credential_refused')).length;
    await app.http.get(users, { headers: basic(user.login, 'wrong') });
    await app.http.get(users, { headers: { authorization: 'Bearer a.b.c' } });
    await app.http.get(users, { headers: { cookie, 'x-wp-nonce': 'wrong' } });
    await app.http.get(users, { headers: { cookie: 'pavis_session=old', 'x-wp-nonce': nonce } });
    await app.http.get(users);
    await app.http.get(users, { headers: { cookie } });
    await app.http.get(users, { headers: basic(user.login, user.applicationPassword) });
    const status = '/wp-json/svc/v1/consent/status';
    await app.http.get(status, { headers: basic(user.login, 'wrong') });
    const refused = (await logged('credential_refused')).slice(0, -known || undefined);
    expect(refused.map(({ details, login, address }) => [details.method, login, address])).toEqual([
      ['session', null, '127.0.0.1'],
      ['nonce', null, '127.0.0.1'],
      ['bearer_token', null, '127.0.0.1'],
      ['application_password', user.login, '127.0.0.1'],
    ]);
  });

  it('records a refused Basic header whose login has a NUL', async () => {
    nextMinute();
    const headers = basic('no\u0000body', 'wrong');
    expect((await app.http.get('/wp-json/svc/v1/users', { headers })).status).toBe(401);
    const refused = (await logged('credential_refused')).filter(({ at }) => at === app.clock.now());
    expect(refused).toMatchObject([{ details: { method: 'application_password' }, count: 1 }]);
  });

  it('records rejected bearer tokens of customers', async () => {
    nextMinute();
    await app.http.get('/customer/licences', { headers: { authorization: 'Bearer a.b.c' } });
    await app.http.get('/customer/licences');
    const [refused, ...more] = (await logged('credential_refused')).filter(
      ({ at }) => at === app.clock.now(),
    );
    expect(refused).toMatchObject({ details: { method: 'bearer_token' }, count: 1 });
    expect(more).toEqual([]);
  });

  it('records the actor and address of a user change, in its transaction', async () => {
    const [admin, user] = [await makeUser(app.platform), await makeUser(app.platform, 'editor')];
    const headers = basic(admin.login, admin.applicationPassword);
    const path = `/wp-json/svc/v1/users/${user.id}`;
    await app.http.request('PUT', path, { headers, body: { roles: ['administrator'] } });
    await app.http.request('PUT', path, { headers, body: { roles: ['astronaut'] } });
    const [changed, ...more] = (await logged('role_changed')).filter(
      ({ userId }) => userId === user.id,
    );
    expect(changed).toMatchObject({
      login: user.login,
      actor: admin.login,
      actorId: admin.id,
      address: '127.0.0.1',
      details: { from: 'editor', to: 'administrator' },
    });
    expect(more).toEqual([]);
    expect((await logged('user_created'))[0]).toMatchObject({ actor: 'test', address: null });
  });

  it('records nothing for a change that was rejected', async () => {
    const user = await makeUser(app.platform);
    const before = (await logged('user_created')).length;
    const again = { login: user.login, email: 'other@example.com', role: 'editor' } as const;
    await expect(createUser(app.platform, again, 'test')).rejects.toThrow();
    expect(await logged('user_created')).toHaveLength(before);
  });
});
