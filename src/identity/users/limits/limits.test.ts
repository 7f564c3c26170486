import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../../test/support/users.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { resetPassword, unlockUser } from '../index.ts';
import { SignInLimits } from './sign-in-limits.ts';

const PROXY = { PAVIS_TRUSTED_PROXIES: '127.0.0.1' };
type Headers = Record<string, string>;

describe.each(ENGINES)('limits of failed sign-ins on %s', (engine) => {
  const app = useTestApp(engine, PROXY);
  let clients = 0;
  /** An unused address. */
  const freshAddress = (): Headers => {
    clients += 1;
    return { 'x-forwarded-for': `198.51.${clients >> 8}.${clients & 255}` };
  };
  const attempt = (login: string, password: string, headers: Headers = freshAddress()) =>
    app.http.post('/console/session', { headers, body: { login, password } });
  const statusOf = async (...args: Parameters<typeof attempt>) => (await attempt(...args)).status;
  async function fail(times: number, login: string, headers?: Headers): Promise<void> {
    for (let n = 0; n < times; n++) expect(await statusOf(login, 'a guess', headers)).toBe(401);
  }
  /** The cookies of a browser after signing in. */
  async function knownDevice(user: { login: string; password: string }): Promise<Headers> {
    const { headers, status } = await attempt(user.login, user.password);
    expect(status).toBe(200);
    const cookies = headers.getSetCookie().map((each) => each.split(';', 1)[0]);
    return { cookie: cookies.join('; ') };
  }

  it('reject the eleventh attempt for a user from one address within 15 minutes', async () => {
    const { login, password } = await makeUser(app.platform);
    const from = freshAddress();
    for (let n = 0; n < 10; n++) {
      expect(await statusOf(login, 'a guess', from)).toBe(401);
      app.clock.advance(1_000);
    }
    const { status, headers, json } = await attempt(login, password, from);
    expect([status, json]).toEqual([
      429,
      {
        code: 'rate_limited',
        message:
          'Too many failed sign-ins. Try again in 15 minutes. To sign in earlier, use a browser in which you have signed in before, or ask an administrator to unlock your account.',
        data: { status: 429 },
      },
    ]);
    expect(headers.get('retry-after')).toBe('890');
    app.clock.advance(889_999);
    expect(await statusOf(login, password, from)).toBe(429);
    app.clock.advance(1);
    expect(await statusOf(login, password, from)).toBe(200);
  });

  it('do not affect another address, another user and a known device', async () => {
    const user = await makeUser(app.platform);
    const other = await makeUser(app.platform);
    const device = await knownDevice(user);
    const from = freshAddress();
    await fail(10, user.login, from);
    expect(await statusOf(user.login, user.password, from)).toBe(429);
    expect(await statusOf(user.login, user.password)).toBe(200);
    expect(await statusOf(other.login, other.password, from)).toBe(200);
    expect(await statusOf(user.login, user.password, { ...from, ...device })).toBe(200);
  });

  it('count concurrent attempts', async () => {
    const { login } = await makeUser(app.platform);
    const from = freshAddress();
    const all = await Promise.all(
      Array.from({ length: 15 }, () => statusOf(login, 'a guess', from)),
    );
    const count = (status: number) => all.filter((each) => each === status).length;
    expect([count(401), count(429)]).toEqual([10, 5]);
  });

  it('treat an unknown login alike', async () => {
    const { login } = await makeUser(app.platform);
    const answers = async (who: string) => {
      const from = freshAddress();
      const all = [];
      for (let n = 0; n < 11; n++) {
        const { status, text, headers } = await attempt(who, 'a guess', from);
        all.push([status, text, headers.get('retry-after')]);
      }
      return [...all, await statusOf(who, 'a guess')];
    };
    expect(await answers(`${login}x`)).toEqual(await answers(login));
  });

  it('do not tell which email address belongs to which login', async () => {
    const { login, email } = await makeUser(app.platform);
    const answers = async (first: string, second: string) => {
      const from = freshAddress();
      await fail(10, first, from);
      return [await statusOf(first, 'a guess', from), await statusOf(second, 'a guess', from)];
    };
    expect(await answers(login, email)).toEqual([429, 401]);
    expect(await answers(email, login)).toEqual([429, 401]);
    expect(await answers(`${login}x`, `x${email}`)).toEqual([429, 401]);
  });

  it('lock unknown devices out of an account that fails from many addresses, and no known device', async () => {
    const user = await makeUser(app.platform);
    const device = await knownDevice(user);
    for (let n = 0; n < 20; n++) await fail(5, user.login, freshAddress());
    expect(await statusOf(user.login, user.password)).toBe(429);
    expect(await statusOf(user.login, user.password, { ...freshAddress(), ...device })).toBe(200);
    // Otherwise a stranger with many addresses learns that both belong to one account.
    expect(await statusOf(user.email, 'a guess')).toBe(401);
    app.clock.advance(15 * MINUTE_MS);
    expect(await statusOf(user.login, user.password)).toBe(200);
  });

  it('allow an account 100 failures from many addresses for its login and its email address each', async () => {
    const user = await makeUser(app.platform);
    const limits = new SignInLimits(app.platform);
    const account = { user, lockoutVersion: 0 };
    for (const key of [user.login, user.email]) {
      const typed = (address: string) => ({ account, key, address });
      for (let n = 0; n < 100; n++) {
        expect(limits.getWait(typed(`192.0.2.${n}`))).toBe(0);
        limits.count(typed(`192.0.2.${n}`));
      }
      expect(limits.getWait(typed('192.0.2.100'))).toBe(15 * MINUTE_MS);
    }
    expect(limits.readWaits()({ id: user.id, lockoutVersion: 0 })).toBe(15 * MINUTE_MS);
  });

  it('allow an address 100 failures for all accounts together, and exempt a known device', async () => {
    const user = await makeUser(app.platform);
    const device = await knownDevice(user);
    const from = freshAddress();
    for (let n = 0; n < 100; n++) {
      expect(await statusOf(`guess${n}`, 'a guess', from)).toBe(401);
    }
    const { status, json } = await attempt(user.login, user.password, from);
    expect([status, json.message]).toEqual([
      429,
      'Too many failed sign-ins. Try again in 15 minutes. To sign in earlier, use a browser in which you have signed in before.',
    ]);
    expect(await statusOf(user.login, user.password, { ...from, ...device })).toBe(200);
  });

  it('allow a known device ten failures, and no other device with its token', async () => {
    const user = await makeUser(app.platform);
    const other = await makeUser(app.platform);
    const device = await knownDevice(user);
    for (let n = 0; n < 10; n++) await fail(1, user.login, { ...freshAddress(), ...device });
    const refused = await attempt(user.login, user.password, { ...freshAddress(), ...device });
    expect([refused.status, refused.json.message]).toEqual([
      429,
      'Too many failed sign-ins. Try again in 15 minutes. To sign in earlier, ask an administrator to unlock your account.',
    ]);
    expect(await statusOf(user.login, user.password)).toBe(200);

    const from = freshAddress();
    await fail(10, other.login, { ...from, ...device });
    expect(await statusOf(other.login, other.password, from)).toBe(429);
  });

  it('remember a device for 180 days, and reject a changed token', async () => {
    const user = await makeUser(app.platform);
    const { cookie = '' } = await knownDevice(user);
    const token = cookie.replace(/^.*pavis_device=/, '');
    const [id, device, expiresAt, signature] = token.split('.');
    const later = String(Number(expiresAt) + 1);
    const forged = [
      [Number(id) + 1, device, expiresAt, signature],
      [id, 'A'.repeat(22), expiresAt, signature],
      [id, device, later, signature],
      [id, device, expiresAt, 'A'.repeat(43)],
    ].map((parts) => parts.join('.'));
    const from = freshAddress();
    await fail(10, user.login, from);
    const tryWith = (value: string) =>
      statusOf(user.login, user.password, { ...from, cookie: `pavis_device=${value}` });
    for (const value of ['', 'x', `${token}x`, ...forged]) expect(await tryWith(value)).toBe(429);
    expect(await tryWith(token)).toBe(200);

    app.clock.advance(180 * 86_400_000);
    await fail(10, user.login, from);
    expect(await tryWith(token)).toBe(429);
  });

  it('remember a device for each of its last ten users', async () => {
    const [owner, other] = [await makeUser(app.platform), await makeUser(app.platform)];
    const device = await knownDevice(owner);
    /** Signs in with the browser, and keeps its cookies. */
    const enter = async ({ login, password }: typeof owner) => {
      const answer = await attempt(login, password, { ...freshAddress(), ...device });
      expect(answer.status).toBe(200);
      const lines = answer.headers.getSetCookie();
      device.cookie = lines.map((line) => line.split(';', 1)[0]).join('; ');
    };
    await enter(other);
    const from = freshAddress();
    await fail(10, owner.login, from);
    expect(await statusOf(owner.login, owner.password, { ...from, ...device })).toBe(200);
    await enter(owner);
    await enter(other);
    await app.platform.securityLog.flush();
    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select('details')
      .where('event', '=', 'sign_in')
      .where('user_id', 'in', [owner.id, other.id])
      .orderBy('id')
      .execute();
    expect(events.map(({ details }) => JSON.parse(details).known_device)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    for (let n = 0; n < 9; n++) await enter(await makeUser(app.platform));
    expect(await statusOf(owner.login, owner.password, { ...from, ...device })).toBe(429);
  });

  it('are lifted by unlocking, by a reset and by a new password', async () => {
    const user = await makeUser(app.platform);
    const from = freshAddress();
    await fail(10, user.login, from);
    await unlockUser(app.platform, user.login, 'test');
    expect(await statusOf(user.login, user.password, from)).toBe(200);
    await fail(10, user.login, from);
    const { password } = await resetPassword(app.signIn, user.login, 'test');
    expect(await statusOf(user.login, password, from)).toBe(200);
    const { events } = await readEvents(user.id);
    expect(events).toEqual(['created', 'application_password_added', 'unlocked', 'password_reset']);
  });

  async function readEvents(userId: number) {
    const rows = await app.platform.datastore.db
      .selectFrom('user_events')
      .select('action')
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    return { events: rows.map(({ action }) => action) };
  }

  it('are recorded in the security log, once when they are reached', async () => {
    const user = await makeUser(app.platform);
    const from = freshAddress();
    await fail(10, user.login, from);
    expect(await statusOf(user.login, user.password, from)).toBe(429);
    await unlockUser(app.platform, user.login, 'test');
    const device = await knownDevice(user);
    expect(await statusOf(user.login, user.password, { ...from, ...device })).toBe(200);
    await app.platform.securityLog.flush();
    const rows = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['event', 'address', 'details', 'count'])
      .where('user_id', '=', user.id)
      .where('event', 'not in', ['user_created', 'application_password_added'])
      .orderBy('event', 'desc')
      .execute();
    const address = from['x-forwarded-for'];
    const until = app.clock.now() + 15 * MINUTE_MS;
    const read = rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) }));
    expect(read.filter((row) => row.event.startsWith('account_'))).toEqual([
      { event: 'account_unlocked', address: null, details: {}, count: 1 },
      {
        event: 'account_locked',
        address,
        details: { method: 'password', scope: 'address', until },
        count: 1,
      },
    ]);
    const failed = read.filter(({ event }) => event === 'sign_in_failed');
    const reasons = new Map(failed.map(({ details, count }) => [details.reason, count]));
    expect(reasons).toEqual(
      new Map([
        ['wrong_password', 10],
        ['locked', 1],
      ]),
    );
    const signIns = read.filter(({ event }) => event === 'sign_in');
    expect(signIns.map(({ details }) => details.known_device).toSorted()).toEqual([false, true]);
  });

  it('are shown with the user, and lifted, by administrators', async () => {
    const user = await makeUser(app.platform, 'editor');
    const boss = await makeUser(app.platform);
    const headers = basic(boss.login, boss.applicationPassword);
    const path = `/wp-json/svc/v1/users/${user.id}`;
    const read = async () => (await app.http.get(path, { headers })).json.locked_until;
    expect(await read()).toBeNull();
    const from = freshAddress();
    await fail(9, user.login, from);
    expect(await read()).toBeNull();
    await fail(1, user.login, from);
    const until = new Date(app.clock.now() + 15 * MINUTE_MS).toISOString();
    expect(await read()).toBe(until);
    const list = await app.http.get(`/wp-json/svc/v1/users?search=${user.login}`, { headers });
    expect(list.json[0].locked_until).toBe(until);

    const editor = basic(user.login, user.applicationPassword);
    expect((await app.http.post(`${path}/unlock`, { headers: editor })).status).toBe(403);
    const unlocked = await app.http.post(`${path}/unlock`, { headers });
    expect([unlocked.status, unlocked.json.locked_until]).toEqual([200, null]);
    expect(await statusOf(user.login, user.password, from)).toBe(200);
  });

  it('never reject applications after wrong application passwords', async () => {
    const { login, applicationPassword, id } = await makeUser(app.platform);
    const from = freshAddress();
    const ask = (secret: string) =>
      app.http.get('/wp-json/svc/v1/users/me', { headers: { ...basic(login, secret), ...from } });
    for (let n = 0; n < 120; n++) expect((await ask('a guess')).status).toBe(401);
    expect((await ask(applicationPassword)).json.id).toBe(id);
  });

  it('count attempts that nodes of an earlier version announce without what was typed', async () => {
    const key = 'somebody-on-another-node';
    const who = app.platform.secret.hash('failed login', key);
    const attempt = { account: undefined, key, address: '203.0.113.9' };
    const limits = new SignInLimits(app.platform);
    for (let n = 0; n < 10; n++) {
      expect(limits.getWait(attempt)).toBe(0);
      await app.platform.datastore.transaction(async (_trx, announce) =>
        announce(
          'failed password',
          JSON.stringify({ who, isKnown: false, address: attempt.address }),
        ),
      );
    }
    expect(limits.getWait(attempt)).toBe(15 * MINUTE_MS);
  });

  it('count failures of a user on nodes of an earlier version towards the limit of all addresses', async () => {
    const { id, login } = await makeUser(app.platform);
    const account = {
      user: { id, login, email: '', role: '', capabilities: [] },
      lockoutVersion: 0,
    };
    const limits = new SignInLimits(app.platform);
    const typed = (key: string) => limits.getWait({ account, key, address: '192.0.2.1' });
    for (let n = 0; n < 100; n++) {
      expect([typed(login), typed('her@example.com')]).toEqual([0, 0]);
      const subject = { who: `${id}.0`, isKnown: true, address: `198.51.100.${n}` };
      await app.platform.datastore.transaction(async (_trx, announce) =>
        announce('failed password', JSON.stringify(subject)),
      );
    }
    expect([typed(login), typed('her@example.com')]).toEqual([15 * MINUTE_MS, 15 * MINUTE_MS]);
  });

  it('keep the counter of an account after 51,000 unknown logins', async () => {
    const { id, login } = await makeUser(app.platform);
    const limits = new SignInLimits(app.platform);
    const account = {
      user: { id, login, email: '', role: '', capabilities: [] },
      lockoutVersion: 0,
    };
    const mine = { account, key: login, address: '192.0.2.1' };
    for (let n = 0; n < 10; n++) limits.count(mine);
    for (let n = 0; n < 51_000; n++) {
      const address = `198.51.${(n >> 8) & 255}.${n & 255}`;
      limits.count({ account: undefined, key: `made up ${n}`, address });
    }
    expect(limits.getWait(mine)).toBe(15 * MINUTE_MS);
  });
});
