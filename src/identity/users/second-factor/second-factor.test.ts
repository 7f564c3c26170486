import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../../test/support/users.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { changeUser, removeUser } from '../service.ts';

const ME = '/wp-json/svc/v1/users/me';
const STEP_MS = 30_000;
type TestUser = Awaited<ReturnType<typeof makeUser>>;
type Headers = Record<string, string>;

describe.each(ENGINES)('the second factor on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_TRUSTED_PROXIES: '127.0.0.1' });
  let clients = 0;
  /** An unused address. */
  const freshAddress = (): Headers => {
    clients += 1;
    return { 'x-forwarded-for': `198.51.${clients >> 8}.${clients & 255}` };
  };
  const asUser = ({ login, applicationPassword }: TestUser) => ({
    headers: basic(login, applicationPassword),
  });
  const confirmed = ({ password }: TestUser) => ({ body: { current_password: password } });
  const codeOf = (secret: string, steps = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: app.clock.now() + steps * STEP_MS,
    });

  /** Adds an authenticator app. The time step of the code that confirms it has passed on return. */
  async function addApp(user: TestUser): Promise<{ secret: string; recoveryCodes: string[] }> {
    const begun = await app.http.post(`${ME}/authenticator-app/setup`, {
      ...asUser(user),
      ...confirmed(user),
    });
    expect(begun.status).toBe(200);
    const { setup, secret } = begun.json;
    const added = await app.http.post(`${ME}/authenticator-app`, {
      ...asUser(user),
      body: { setup, code: codeOf(secret) },
    });
    expect(added.status).toBe(201);
    app.clock.advance(STEP_MS);
    return { secret, recoveryCodes: added.json.recovery_codes };
  }

  const readState = async (user: TestUser) =>
    (await app.http.get(`${ME}/second-factor`, asUser(user))).json;

  const enterPassword = ({ login, password }: TestUser, headers: Headers = freshAddress()) =>
    app.http.post('/console/session', { headers, body: { login, password } });

  /** The cookies that a response sets. */
  const cookiesOf = ({ headers }: { headers: globalThis.Headers }): Headers => ({
    cookie: headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; '),
  });

  /** Enters the password, and returns the cookie of the pending sign-in. */
  async function begin(user: TestUser, headers?: Headers): Promise<Headers> {
    const answer = await enterPassword(user, headers);
    expect([answer.status, answer.json.code]).toEqual([401, 'second_factor_required']);
    return cookiesOf(answer);
  }

  const enterCode = (code: string, headers: Headers, login?: string) =>
    app.http.post('/console/session/second-factor', {
      headers: { ...freshAddress(), ...headers },
      body: { code, ...(login && { login }) },
    });
  const outcomeOf = async (answer: ReturnType<typeof enterCode>) => {
    const { status, json } = await answer;
    return [status, json.code];
  };

  async function listMails(user: TestUser) {
    const rows = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['subject', 'body_text'])
      .where('recipient', '=', user.email)
      .where('kind', '=', 'account_changed')
      .orderBy('id')
      .execute();
    return rows.map(({ subject, body_text }) => ({ subject, text: String(body_text) }));
  }

  async function listEvents(user: TestUser) {
    await app.platform.securityLog.flush();
    const rows = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['event', 'actor', 'details', 'count'])
      .where('user_id', '=', user.id)
      .where('event', 'not in', ['user_created', 'application_password_added'])
      .orderBy('id')
      .execute();
    return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) }));
  }

  it('is not asked for until one is added', async () => {
    const user = await makeUser(app.platform);
    expect(await readState(user)).toEqual({
      authenticator_app: null,
      recovery_codes: 0,
      passkeys: [],
      required: false,
      passkey_problem: expect.stringContaining('is an IP address'),
    });
    expect((await enterPassword(user)).status).toBe(200);
  });

  it('is asked for after the password, and a code of the app then opens the session', async () => {
    const user = await makeUser(app.platform);
    const { secret, recoveryCodes } = await addApp(user);
    expect(recoveryCodes).toHaveLength(10);
    expect(await readState(user)).toMatchObject({
      authenticator_app: expect.stringMatching(/^2026-/),
      recovery_codes: 10,
    });
    const first = await enterPassword(user);
    expect([first.status, first.json]).toEqual([
      401,
      {
        code: 'second_factor_required',
        message: expect.any(String),
        data: {
          status: 401,
          methods: ['authenticator_app', 'recovery_code'],
          login: user.login,
        },
      },
    ]);
    const pending = cookiesOf(first);
    expect(pending.cookie).toMatch(/^pavis_sign_in=[\w-]+$/);
    expect((await app.http.get('/console/session', { headers: pending })).status).toBe(401);

    const second = await enterCode(codeOf(secret), pending);
    expect([second.status, second.json.user.login]).toEqual([200, user.login]);
    expect(second.headers.getSetCookie().map((each) => each.split('=', 1)[0])).toEqual([
      'pavis_session',
      'pavis_device',
      'pavis_sign_in',
    ]);
    const session = await app.http.get('/console/session', { headers: cookiesOf(second) });
    expect(session.json.user.login).toBe(user.login);
    expect(await listEvents(user)).toEqual([
      {
        event: 'second_factor_changed',
        actor: user.login,
        details: { action: 'authenticator_app_added' },
        count: 1,
      },
      {
        event: 'sign_in',
        actor: user.login,
        details: { known_device: false, second_factor: 'authenticator_app' },
        count: 1,
      },
    ]);
    const [mail] = await listMails(user);
    expect(mail?.subject).toBe('An authenticator app was added to your account');
    expect(mail?.text).toContain(`Account: ${user.login}`);
    expect(mail?.text).toContain('/admin/profile');
    // A new password alone does not shut out a passkey.
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(
      'remove authenticator apps and passkeys that are not yours',
    );
  });

  it('does not count a code against the user whose sign-in another tab has begun since', async () => {
    const [first, second] = [await makeUser(app.platform), await makeUser(app.platform)];
    const { secret } = await addApp(first);
    await addApp(second);
    const { login } = (await enterPassword(first)).json.data;
    const replaced = await begin(second);
    const before = await listEvents(second);
    expect(await outcomeOf(enterCode(codeOf(secret), replaced, login))).toEqual([
      401,
      'sign_in_expired',
    ]);
    expect(await listEvents(second)).toEqual(before);
  });

  it('accepts a code once, also with concurrent attempts, and codes of the neighbouring time steps', async () => {
    const user = await makeUser(app.platform);
    const { secret } = await addApp(user);
    app.clock.advance(10 * STEP_MS);
    const pending = await begin(user);
    const code = codeOf(secret);
    const all = await Promise.all(Array.from({ length: 6 }, () => enterCode(code, pending)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
    // A code of an earlier time step is no longer accepted either.
    expect(await outcomeOf(enterCode(codeOf(secret, -1), pending))).toEqual([401, 'invalid_code']);
    expect(await outcomeOf(enterCode(codeOf(secret, 2), pending))).toEqual([401, 'invalid_code']);
    expect((await enterCode(codeOf(secret, 1), pending)).status).toBe(200);
  });

  it('accepts each recovery code once, and tells the user', async () => {
    const user = await makeUser(app.platform);
    const { recoveryCodes } = await addApp(user);
    const pending = await begin(user);
    const [code = '', other = ''] = recoveryCodes;
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
    const all = await Promise.all([enterCode(typed, pending), enterCode(code, pending)]);
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect((await readState(user)).recovery_codes).toBe(9);
    expect((await enterCode(other, await begin(user))).status).toBe(200);
    const used = (await listMails(user)).slice(1);
    expect(used.map(({ subject }) => subject)).toEqual(
      Array(2).fill('A recovery code was used to sign in to your account'),
    );
    expect(used[1]?.text).toContain('Recovery codes left: 8');
  });

  it('stores neither the secret nor the recovery codes in plain text', async () => {
    const user = await makeUser(app.platform);
    const { secret, recoveryCodes } = await addApp(user);
    const { db } = app.platform.datastore;
    const stored = JSON.stringify([
      await db.selectFrom('authenticator_apps').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
    ]);
    for (const plain of [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((c) => c.replaceAll('-', '')),
    ])
      expect(stored).not.toContain(plain);
  });

  it('counts wrong codes with wrong passwords, and locks after ten', async () => {
    const user = await makeUser(app.platform);
    const { secret } = await addApp(user);
    const from = freshAddress();
    for (let n = 0; n < 4; n++) {
      const wrong = { ...user, password: 'a guess' };
      expect((await enterPassword(wrong, from)).status).toBe(401);
    }
    const pending = { ...(await begin(user, from)), ...from };
    for (let n = 0; n < 6; n++)
      expect(await outcomeOf(enterCode('000000', pending))).toEqual([401, 'invalid_code']);
    const locked = await enterCode(codeOf(secret), pending);
    expect([locked.status, locked.json.code]).toEqual([429, 'rate_limited']);
    expect(locked.headers.get('retry-after')).toBe('900');
    expect((await enterPassword(user, from)).status).toBe(429);
    const events = await listEvents(user);
    const failures = events
      .filter(({ event }) => event === 'sign_in_failed')
      .map(({ details, count }) => [details.reason, count]);
    expect(new Map(failures as [string, number][])).toEqual(
      new Map([
        ['wrong_password', 4],
        ['wrong_code', 6],
        ['locked', 2],
      ]),
    );
    expect(events.some(({ event }) => event === 'account_locked')).toBe(true);
    // Entering the right password again does not reset the count.
    app.clock.advance(15 * MINUTE_MS);
    expect((await enterCode(codeOf(secret), await begin(user, from))).status).toBe(200);
  });

  it('does not count the right password as a failure, nor forget failures because of it', async () => {
    const user = await makeUser(app.platform);
    await addApp(user);
    const from = freshAddress();
    for (let n = 0; n < 15; n++) await begin(user, from);
    for (let n = 0; n < 10; n++) {
      const pending = { ...(await begin(user, from)), ...from };
      expect((await enterCode('000000', pending)).status).toBe(401);
    }
    expect((await enterPassword(user, from)).status).toBe(429);
  });

  it('needs the password again after ten minutes, after a change of it, and with a cookie that is not valid', async () => {
    const user = await makeUser(app.platform);
    const { secret } = await addApp(user);
    const expired = [401, 'sign_in_expired'];
    const pending = await begin(user);
    app.clock.advance(10 * MINUTE_MS - 1);
    expect(await outcomeOf(enterCode('000000', pending))).toEqual([401, 'invalid_code']);
    app.clock.advance(1);
    expect(await outcomeOf(enterCode(codeOf(secret), pending))).toEqual(expired);
    for (const cookie of ['', 'pavis_sign_in=', 'pavis_sign_in=x', `${pending.cookie}x`])
      expect(await outcomeOf(enterCode(codeOf(secret), { cookie }))).toEqual(expired);
    const ofLost = await begin(user);
    // After a restore, another user may have the id.
    const rename = (login: string) =>
      app.platform.datastore.db
        .updateTable('users')
        .set({ login })
        .where('id', '=', user.id)
        .execute();
    await rename(`${user.login}-other`);
    expect(await outcomeOf(enterCode(codeOf(secret), ofLost))).toEqual(expired);
    await rename(user.login);
    const later = await begin(user);
    await changeUser(app.signIn, user, user.id, { password: 'correct horse battery' });
    expect(await outcomeOf(enterCode(codeOf(secret), later))).toEqual(expired);
  });

  it('is set up once with a setup, and not after the password was changed or sessions were ended', async () => {
    const [user, boss] = [await makeUser(app.platform, 'editor'), await makeUser(app.platform)];
    const begin = async () =>
      (
        await app.http.post(`${ME}/authenticator-app/setup`, {
          ...asUser(user),
          ...confirmed(user),
        })
      ).json;
    const finish = async ({ setup, secret }: { setup: string; secret: string }) => {
      const body = { setup, code: codeOf(secret) };
      const { status, json } = await app.http.post(`${ME}/authenticator-app`, {
        ...asUser(user),
        body,
      });
      return [status, json.data?.params];
    };
    const used = await begin();
    const other = await begin();
    const expired = [400, { setup: 'The setup has expired or was used. Begin again.' }];
    expect(await finish(used)).toEqual([201, undefined]);
    const reset = (what: string) =>
      app.http.post(`/wp-json/svc/v1/users/${user.id}/reset-${what}`, asUser(boss));
    expect((await reset('second-factor')).status).toBe(200);
    expect(await finish(used)).toEqual(expired);
    expect((await reset('password')).status).toBe(200);
    expect(await finish(other)).toEqual(expired);
  });

  it('is changed only with the current password, and only by its user', async () => {
    const user = await makeUser(app.platform);
    const { secret } = await addApp(user);
    for (const path of ['authenticator-app/setup', 'authenticator-app/remove', 'recovery-codes']) {
      const wrong = { ...asUser(user), body: { current_password: 'a guess' } };
      const { status, json } = await app.http.post(`${ME}/${path}`, wrong);
      expect([path, status, Object.keys(json.data.params)]).toEqual([
        path,
        400,
        ['current_password'],
      ]);
    }
    const other = await makeUser(app.platform);
    const begun = await app.http.post(`${ME}/authenticator-app/setup`, {
      ...asUser(other),
      ...confirmed(other),
    });
    const body = { setup: begun.json.setup, code: codeOf(begun.json.secret) };
    const stolen = await app.http.post(`${ME}/authenticator-app`, { ...asUser(user), body });
    expect([stolen.status, Object.keys(stolen.json.data.params)]).toEqual([400, ['setup']]);
    app.clock.advance(15 * MINUTE_MS);
    const late = { setup: begun.json.setup, code: codeOf(begun.json.secret) };
    const expired = await app.http.post(`${ME}/authenticator-app`, {
      ...asUser(other),
      body: late,
    });
    expect([expired.status, Object.keys(expired.json.data.params)]).toEqual([400, ['setup']]);
    expect((await enterCode(codeOf(secret), await begin(user))).status).toBe(200);
  });

  it('rejects a wrong code during setup, and stores nothing', async () => {
    const user = await makeUser(app.platform);
    const { json } = await app.http.post(`${ME}/authenticator-app/setup`, {
      ...asUser(user),
      ...confirmed(user),
    });
    expect(new URL(json.uri).searchParams.get('secret')).toBe(json.secret);
    const { status, json: said } = await app.http.post(`${ME}/authenticator-app`, {
      ...asUser(user),
      body: { setup: json.setup, code: '000000' },
    });
    expect([status, Object.keys(said.data.params)]).toEqual([400, ['code']]);
    expect((await enterPassword(user)).status).toBe(200);
  });

  it('keeps the recovery codes when the app is replaced, and new codes replace earlier ones', async () => {
    const user = await makeUser(app.platform);
    const { secret: before, recoveryCodes } = await addApp(user);
    const { secret, recoveryCodes: none } = await addApp(user);
    expect(none).toEqual([]);
    expect((await enterCode(codeOf(before), await begin(user))).status).toBe(401);
    expect((await enterCode(codeOf(secret), await begin(user))).status).toBe(200);
    const renewed = await app.http.post(`${ME}/recovery-codes`, {
      ...asUser(user),
      ...confirmed(user),
    });
    expect(renewed.status).toBe(201);
    expect((await enterCode(recoveryCodes[0] as string, await begin(user))).status).toBe(401);
    const [code] = renewed.json.recovery_codes;
    expect((await enterCode(code, await begin(user))).status).toBe(200);
    expect((await listMails(user)).map(({ subject }) => subject)).toEqual([
      'An authenticator app was added to your account',
      'The authenticator app of your account was replaced',
      'New recovery codes were created for your account',
      'A recovery code was used to sign in to your account',
    ]);
  });

  it('is gone once the app is removed, with its recovery codes', async () => {
    const user = await makeUser(app.platform);
    await addApp(user);
    const remove = () =>
      app.http.post(`${ME}/authenticator-app/remove`, { ...asUser(user), ...confirmed(user) });
    const removed = await remove();
    expect([removed.status, removed.json]).toMatchObject([
      200,
      { authenticator_app: null, recovery_codes: 0 },
    ]);
    expect((await remove()).status).toBe(404);
    const codes = await app.http.post(`${ME}/recovery-codes`, {
      ...asUser(user),
      ...confirmed(user),
    });
    expect([codes.status, codes.json.code]).toEqual([409, 'no_second_factor']);
    expect((await enterPassword(user)).status).toBe(200);
  });

  it('is reset by an administrator, who cannot reset their own, and this unlocks the account', async () => {
    const user = await makeUser(app.platform, 'editor');
    const boss = await makeUser(app.platform);
    await addApp(user);
    const from = freshAddress();
    const pending = { ...(await begin(user, from)), ...from };
    for (let n = 0; n < 10; n++) await enterCode('000000', pending);
    expect((await enterPassword(user, from)).status).toBe(429);
    const reset = (by: TestUser, id: number) =>
      app.http.post(`/wp-json/svc/v1/users/${id}/reset-second-factor`, asUser(by));
    expect((await reset(user, user.id)).status).toBe(403);
    expect((await reset(boss, boss.id)).json.code).toBe('rest_cannot_edit');
    expect((await reset(boss, user.id)).status).toBe(200);
    expect((await reset(boss, user.id)).status).toBe(409);
    expect((await enterPassword(user, from)).status).toBe(200);
    const mail = (await listMails(user)).at(-1);
    expect(mail?.subject).toBe('The second factor of your account was reset');
    expect(mail?.text).toContain(`By: ${boss.login}`);
  });

  it('does not affect application passwords, and is deleted with the user', async () => {
    const user = await makeUser(app.platform, 'editor');
    await addApp(user);
    expect((await app.http.get(ME, asUser(user))).status).toBe(200);
    const boss = await makeUser(app.platform);
    await removeUser(app.platform, boss, user.id);
    const { db } = app.platform.datastore;
    for (const table of ['authenticator_apps', 'recovery_codes', 'passkeys'] as const) {
      const left = db.selectFrom(table).select('user_id').where('user_id', '=', user.id);
      expect(await left.execute()).toEqual([]);
    }
  });

  it('is asked for before an application is authorised', async () => {
    const user = await makeUser(app.platform);
    const { secret } = await addApp(user);
    const path = '/wp-admin/authorize-application.php?app_name=Reports';
    const post = (fields: Record<string, string>, cookie = '') =>
      fetch(`${app.url}${path}`, {
        method: 'POST',
        headers: { cookie },
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    const first = await post({ login: user.login, password: user.password });
    const text = await first.text();
    expect(text).toContain('Confirm that it is you');
    expect(text).toContain(`name="login" value="${user.login}"`);
    const { cookie } = cookiesOf(first) as { cookie: string };
    const wrong = await post({ code: '000000' }, cookie);
    expect([wrong.status, await wrong.text()]).toEqual([
      401,
      expect.stringContaining('The code is wrong'),
    ]);
    const ofAnother = await post({ code: codeOf(secret), login: 'another' }, cookie);
    expect(await ofAnother.text()).toContain('another user has begun one in this browser');
    const right = await post({ code: codeOf(secret), login: user.login }, cookie);
    expect(right.status).toBe(303);
    const page = await app.http.get(path, { headers: cookiesOf(right) });
    expect(page.text).toContain(user.login);
    const without = await post({ code: codeOf(secret, 1) });
    expect([without.status, await without.text()]).toEqual([
      401,
      expect.stringContaining('Enter your password again'),
    ]);
  });
});
