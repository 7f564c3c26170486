import { describe, expect, it } from 'vitest';
import { Authenticator } from '../../../../test/support/authenticator.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../../test/support/users.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';

const ME = '/wp-json/svc/v1/users/me';
type TestUser = Awaited<ReturnType<typeof makeUser>>;
type Deviations = NonNullable<Parameters<Authenticator['get']>[1]>;

describe.each(ENGINES)('passkeys on %s', (engine) => {
  // Passkeys need a host name.
  const app = useTestApp(engine, { PAVIS_HOST: 'localhost' });
  const asUser = ({ login, applicationPassword }: TestUser) => ({
    headers: basic(login, applicationPassword),
  });

  const begin = (user: TestUser, password = user.password) =>
    app.http.post(`${ME}/passkeys/registration`, {
      ...asUser(user),
      body: { current_password: password },
    });
  const finish = (user: TestUser, body: object) =>
    app.http.post(`${ME}/passkeys`, { ...asUser(user), body: { name: 'Laptop', ...body } });

  /** Adds a passkey. */
  async function add(user: TestUser, name = 'Laptop') {
    const authenticator = new Authenticator(app.url);
    const { json, status } = await begin(user);
    expect(status).toBe(200);
    const { registration, options } = json;
    const answer = await finish(user, {
      registration,
      name,
      response: authenticator.create(options),
    });
    expect(answer.status).toBe(201);
    return { authenticator, recoveryCodes: answer.json.recovery_codes as string[] };
  }

  const readState = async (user: TestUser) =>
    (await app.http.get(`${ME}/second-factor`, asUser(user))).json;

  const toCookie = ({ headers }: { headers: Headers }): string =>
    headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');

  const enterPassword = ({ login, password }: TestUser) =>
    app.http.post('/console/session', { body: { login, password } });

  /** The challenge for a sign-in, and the cookies that belong to it. */
  async function challenge(cookie = '') {
    const answer = await app.http.post('/console/session/passkey/options', { headers: { cookie } });
    expect(answer.status).toBe(200);
    return { options: answer.json, cookie: toCookie(answer) };
  }
  const send = (body: object, cookie: string) =>
    app.http.post('/console/session/passkey', { headers: { cookie }, body });

  async function signInWith(authenticator: Authenticator, deviations: Deviations = {}) {
    const { options, cookie } = await challenge();
    const { status, json } = await send(authenticator.get(options, deviations), cookie);
    return [status, json.code ?? json.user.login];
  }

  it('are added with the password, and signed in with without one', async () => {
    const user = await makeUser(app.platform);
    const { json } = await begin(user);
    expect(json.options).toMatchObject({
      rp: { id: 'localhost', name: 'Pavis' },
      user: { name: user.login },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    const { authenticator, recoveryCodes } = await add(user);
    expect(recoveryCodes).toHaveLength(10);
    const { options, cookie } = await challenge();
    expect(options).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [],
    });
    app.clock.advance(1000);
    const answer = await send(authenticator.get(options), cookie);
    expect([answer.status, answer.json.user.login]).toEqual([200, user.login]);
    const session = await app.http.get('/console/session', {
      headers: { cookie: toCookie(answer) },
    });
    expect(session.json.user.login).toBe(user.login);
    expect(await readState(user)).toMatchObject({
      authenticator_app: null,
      recovery_codes: 10,
      passkeys: [{ name: 'Laptop', last_used: new Date(app.clock.now()).toISOString() }],
      passkey_problem: null,
    });
    await app.platform.securityLog.flush();
    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['event', 'details'])
      .where('user_id', '=', user.id)
      .where('event', 'in', ['second_factor_changed', 'sign_in'])
      .orderBy('id')
      .execute();
    expect(events.map(({ details }) => JSON.parse(details))).toEqual([
      { action: 'passkey_added', name: 'Laptop' },
      { known_device: false, second_factor: 'passkey' },
    ]);
  });

  it('are a second factor after the password, for which only those of the user are offered', async () => {
    const user = await makeUser(app.platform);
    await add(await makeUser(app.platform));
    const { authenticator, recoveryCodes } = await add(user);
    const first = await enterPassword(user);
    expect([first.status, first.json.data.methods]).toEqual([401, ['passkey', 'recovery_code']]);
    const pending = toCookie(first);
    const { options, cookie } = await challenge(pending);
    expect(options.allowCredentials).toEqual([
      { id: authenticator.id, transports: ['internal'], type: 'public-key' },
    ]);
    const answer = await send(authenticator.get(options), `${pending}; ${cookie}`);
    expect([answer.status, answer.json.user.login]).toEqual([200, user.login]);
    const code = await app.http.post('/console/session/second-factor', {
      headers: { cookie: pending },
      body: { code: recoveryCodes[0] },
    });
    expect(code.status).toBe(200);
  });

  it('need a user whom the authenticator has verified, and the origin of this server', async () => {
    const user = await makeUser(app.platform);
    const { authenticator } = await add(user);
    const refused = [401, 'invalid_passkey'];
    expect(await signInWith(authenticator, { isVerified: false })).toEqual(refused);
    expect(await signInWith(authenticator, { origin: 'https://evil.example' })).toEqual(refused);
    expect(await signInWith(new Authenticator(app.url))).toEqual(refused);
    const { options, cookie } = await challenge();
    const tampered = authenticator.get(options);
    const other = new Authenticator(app.url).get(options);
    tampered.response.signature = other.response.signature;
    expect((await send(tampered, cookie)).json.code).toBe('invalid_passkey');
    const stranger = { ...authenticator.get(options) };
    stranger.response = { ...stranger.response, userHandle: 'AAAA' };
    expect((await send(stranger, cookie)).json.code).toBe('invalid_passkey');
    expect(await signInWith(authenticator)).toEqual([200, user.login]);
  });

  it('answer a challenge once, also concurrently, within ten minutes, and in the browser that asked', async () => {
    const user = await makeUser(app.platform);
    const { authenticator } = await add(user);
    const { options, cookie } = await challenge();
    const answers = Array.from({ length: 5 }, () => authenticator.get(options));
    const all = await Promise.all(answers.map((each) => send(each, cookie)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
    const later = await challenge();
    const answer = authenticator.get(later.options);
    expect((await send(answer, '')).json.code).toBe('challenge_expired');
    const other = (await challenge()).cookie;
    expect((await send(answer, other)).json.code).toBe('challenge_expired');
    const swapped = `${later.cookie.split('=', 1)[0]}=${other.split('=')[1]}`;
    expect((await send(answer, swapped)).json.code).toBe('invalid_passkey');
    for (const clientDataJSON of ['', '!', 'bnVsbA', 'eyJjaGFsbGVuZ2UiOjF9']) {
      const odd = { ...answer, response: { ...answer.response, clientDataJSON } };
      expect((await send(odd, later.cookie)).status).toBeOneOf([400, 401]);
    }
    app.clock.advance(10 * MINUTE_MS);
    expect((await send(answer, later.cookie)).json.code).toBe('challenge_expired');
    expect(await signInWith(authenticator)).toEqual([200, user.login]);
    // Used challenges are deleted once they have expired.
    const { db } = app.platform.datastore;
    const used = await db.selectFrom('used_challenges').select('expires_at').execute();
    expect(used.every(({ expires_at }) => expires_at > app.clock.now())).toBe(true);
  });

  it('answer the challenge of their tab, and the others of the browser stay open', async () => {
    const user = await makeUser(app.platform);
    const { authenticator } = await add(user);
    const [first, second] = [await challenge(), await challenge()];
    const cookie = `${first.cookie}; ${second.cookie}`;
    for (const { options, cookie: own } of [first, second]) {
      const answer = await send(authenticator.get(options), cookie);
      expect(answer.status).toBe(200);
      const ended = answer.headers.getSetCookie().filter((line) => /^pavis_challenge/.test(line));
      expect(ended).toEqual([
        expect.stringContaining(`${own.split('=', 1)[0]}=; Path=/; Max-Age=0`),
      ]);
    }
  });

  it('whose counter does not rise are refused, since the authenticator may be a copy', async () => {
    const user = await makeUser(app.platform);
    const { authenticator } = await add(user);
    expect(await signInWith(authenticator, { counter: 7 })).toEqual([200, user.login]);
    for (const counter of [7, 6, 0])
      expect(await signInWith(authenticator, { counter })).toEqual([401, 'invalid_passkey']);
    expect(await signInWith(authenticator, { counter: 8 })).toEqual([200, user.login]);
  });

  it('without a counter are accepted', async () => {
    const user = await makeUser(app.platform);
    const authenticator = new Authenticator(app.url);
    const { json } = await begin(user);
    const response = authenticator.create(json.options, { counter: 0 });
    expect((await finish(user, { registration: json.registration, response })).status).toBe(201);
    for (let n = 0; n < 2; n++)
      expect(await signInWith(authenticator, { counter: 0 })).toEqual([200, user.login]);
  });

  it('are added once, by the user who began, with the right password, and with a verified user', async () => {
    const user = await makeUser(app.platform);
    const other = await makeUser(app.platform);
    expect((await begin(user, 'a guess')).status).toBe(400);
    const { json } = await begin(user);
    const { registration, options } = json;
    const authenticator = new Authenticator(app.url);
    const faults = async (by: TestUser, body: object) => {
      const { status, json: said } = await finish(by, body);
      return [status, Object.keys(said.data.params)];
    };
    const response = authenticator.create(options);
    expect(await faults(other, { registration, response })).toEqual([400, ['registration']]);
    for (const deviation of [{ isVerified: false }, { origin: 'https://evil.example' }]) {
      const bad = authenticator.create(options, deviation);
      expect(await faults(user, { registration, response: bad })).toEqual([400, ['response']]);
    }
    expect((await finish(user, { registration, response })).status).toBe(201);
    expect(await faults(user, { registration, response })).toEqual([400, ['registration']]);
    const again = (await begin(other)).json;
    const same = authenticator.create(again.options);
    expect(await faults(other, { registration: again.registration, response: same })).toEqual([
      400,
      ['response'],
    ]);
    const late = (await begin(user)).json;
    app.clock.advance(10 * MINUTE_MS);
    const slow = new Authenticator(app.url).create(late.options);
    expect(await faults(user, { registration: late.registration, response: slow })).toEqual([
      400,
      ['registration'],
    ]);
  });

  it('are not added with a registration from before a new password', async () => {
    const [user, boss] = [await makeUser(app.platform, 'editor'), await makeUser(app.platform)];
    const { registration, options } = (await begin(user)).json;
    await app.http.post(`/wp-json/svc/v1/users/${user.id}/reset-password`, asUser(boss));
    const response = new Authenticator(app.url).create(options);
    const { status, json } = await finish(user, { registration, response });
    expect([status, Object.keys(json.data.params)]).toEqual([400, ['registration']]);
  });

  it('are named, renamed and removed, and the recovery codes go with the last one', async () => {
    const user = await makeUser(app.platform);
    const { authenticator } = await add(user, 'Laptop');
    expect((await add(user, 'Phone')).recoveryCodes).toEqual([]);
    const { passkeys } = await readState(user);
    expect(passkeys.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Phone']);
    const [laptop, phone] = passkeys.map(({ id }: { id: number }) => id);
    const rename = (by: TestUser, id: number, name: string) =>
      app.http.request('PUT', `${ME}/passkeys/${id}`, { ...asUser(by), body: { name } });
    const remove = (by: TestUser, id: number, password = by.password) =>
      app.http.post(`${ME}/passkeys/${id}/remove`, {
        ...asUser(by),
        body: { current_password: password },
      });
    const other = await makeUser(app.platform);
    expect((await rename(other, laptop, 'Mine')).status).toBe(404);
    expect((await remove(other, laptop)).status).toBe(404);
    expect((await rename(user, laptop, ' ')).status).toBe(400);
    const renamed = await rename(user, laptop, ' Work laptop ');
    expect([renamed.status, renamed.json.passkeys[0].name]).toEqual([200, 'Work laptop']);
    expect((await remove(user, laptop, 'a guess')).status).toBe(400);
    expect((await remove(user, laptop)).json).toMatchObject({ recovery_codes: 10 });
    expect(await signInWith(authenticator)).toEqual([401, 'invalid_passkey']);
    expect((await remove(user, phone)).json).toMatchObject({ recovery_codes: 0, passkeys: [] });
    expect((await enterPassword(user)).status).toBe(200);
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select('subject')
      .where('recipient', '=', user.email)
      .orderBy('id')
      .execute();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'A passkey was added to your account',
      'A passkey was added to your account',
      'A passkey was removed from your account',
      'A passkey was removed from your account',
    ]);
  });

  it('are limited to 20 for each user', async () => {
    const user = await makeUser(app.platform);
    for (let n = 0; n < 20; n++) await add(user, `Key ${n}`);
    const { status, json } = await begin(user);
    expect([status, json.code]).toEqual([409, 'too_many_passkeys']);
  });

  it('let a user in who is locked out after failed passwords', async () => {
    const user = await makeUser(app.platform);
    const { authenticator } = await add(user);
    for (let n = 0; n < 10; n++) await enterPassword({ ...user, password: 'a guess' });
    expect((await enterPassword(user)).status).toBe(429);
    expect(await signInWith(authenticator)).toEqual([200, user.login]);
  });
});

describe('passkeys at an address that browsers do not allow them at', () => {
  const app = useTestApp('sqlite');

  it('are refused, and the reason is given', async () => {
    const user = await makeUser(app.platform);
    const begun = await app.http.post(`${ME}/passkeys/registration`, {
      headers: basic(user.login, user.applicationPassword),
      body: { current_password: user.password },
    });
    expect([begun.status, begun.json.code]).toEqual([409, 'passkeys_unavailable']);
    expect(begun.json.message).toContain(`${app.url}, is an IP address`);
    const options = await app.http.post('/console/session/passkey/options');
    expect([options.status, options.json.code]).toEqual([409, 'passkeys_unavailable']);
  });
});

describe('passkeys where only the address of the plugin API is set', () => {
  const app = useTestApp('sqlite', { PAVIS_REST_ROOT: 'https://shop.example.com/wp-json' });

  it('are those of its host, where the console is', async () => {
    const { status, json } = await app.http.post('/console/session/passkey/options');
    expect([status, json.rpId]).toEqual([200, 'shop.example.com']);
  });
});
