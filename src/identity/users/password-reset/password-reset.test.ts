import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { type MailServer, mailServer } from '../../../../test/support/mail-server.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { basic, makeUser, signIn } from '../../../../test/support/users.ts';
import { createDelivery, sendDueMails } from '../../../mail/index.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { changeUser } from '../service.ts';
import { redeemPasswordReset } from './service.ts';

const PATH = '/console/password-reset';
const PASSWORD = 'correct horse battery staple';
const INVALID = { code: 'invalid_reset_link', data: { status: 403 } };

describe.each(ENGINES)('Password reset by email on %s', (engine) => {
  const app = useTestApp(engine, {
    PAVIS_TRUSTED_PROXIES: '127.0.0.1',
    PAVIS_SMTP_URL: 'smtp://127.0.0.1:1',
  });
  let server: MailServer;
  beforeAll(async () => {
    server = await mailServer();
  });
  afterAll(() => server.stop());

  let clients = 0;
  const freshAddress = () => `198.51.100.${++clients}`;
  const request = (login: string, address = freshAddress()) =>
    app.http.post(PATH, { headers: { 'x-forwarded-for': address }, body: { login } });
  const redeem = (token: string, password = PASSWORD) =>
    app.http.request('PUT', PATH, { body: { token, password } });
  /** The emails that are sent now. */
  async function mails() {
    const before = server.arrived.length;
    const from = { name: '', address: 'pavis@example.com' };
    const delivery = createDelivery({ smtpUrl: server.url, from, folder: '' });
    while (await sendDueMails(app.platform, delivery));
    return server.arrived.slice(before);
  }
  /** The token of the link in the latest email. */
  async function token(): Promise<string> {
    const text = (await mails()).at(-1)?.mail.text ?? '';
    const found = /\/admin\/reset-password#([\w-]{43})$/m.exec(text)?.[1];
    if (!found) throw new Error(`no link in ${text}`);
    return found;
  }
  const events = async (userId: number) => {
    await app.platform.securityLog.flush();
    return app.platform.datastore.db
      .selectFrom('security_events')
      .select(['event', 'actor', 'details'])
      .where('user_id', '=', userId)
      .where('event', 'in', ['password_reset', 'password_reset_requested'])
      .orderBy('event')
      .execute();
  };

  it('sets a password with the link from the email, once, and ends all sessions', async () => {
    const user = await makeUser(app.platform);
    const { cookie } = await signIn(app.http, user);
    expect((await app.http.get('/console/sign-in')).json).toMatchObject({ password_reset: true });
    expect(await request(user.login.toUpperCase())).toMatchObject({
      status: 202,
      json: { requested: true },
    });
    const [sent, ...more] = await mails();
    expect([sent?.to, more]).toEqual([[user.email], []]);
    expect(sent?.mail.subject).toBe('Reset your password');
    const link = /http:\S+\/admin\/reset-password#(\S+)/.exec(sent?.mail.text ?? '');
    expect(sent?.mail.html).toContain(link?.[0]);
    // The page has no effect by itself.
    expect((await app.http.get('/admin/reset-password')).status).toBe(200);
    const [, secret = ''] = link ?? [];
    expect(await redeem(secret)).toMatchObject({ status: 200, json: { reset: true } });
    expect((await app.http.get('/console/session', { headers: { cookie } })).status).toBe(401);
    await expect(signIn(app.http, user)).rejects.toThrow('401');
    await signIn(app.http, { login: user.login, password: PASSWORD });
    // Application passwords stay valid, as with every new password.
    const api = await app.http.get('/wp-json/svc/v1/users/me', {
      headers: basic(user.login, user.applicationPassword),
    });
    expect(api.status).toBe(200);
    expect(await redeem(secret)).toMatchObject({ status: 403, json: INVALID });
    const [notice, ...others] = await mails();
    expect([notice?.mail.subject, notice?.to, others]).toEqual([
      'Your password was reset',
      [user.email],
      [],
    ]);
    expect(await events(user.id)).toEqual([
      { event: 'password_reset', actor: user.login, details: '{"method":"email_link"}' },
      { event: 'password_reset_requested', actor: null, details: '{}' },
    ]);
  });

  it('keeps the second factor, and opens no session without it', async () => {
    const user = await makeUser(app.platform);
    const api = '/wp-json/svc/v1/users/me/authenticator-app';
    const headers = basic(user.login, user.applicationPassword);
    const codeOf = (key: string) =>
      new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: app.clock.now() });
    const { setup, secret } = (
      await app.http.post(`${api}/setup`, { headers, body: { current_password: user.password } })
    ).json;
    const added = await app.http.post(api, { headers, body: { setup, code: codeOf(secret) } });
    expect(added.status).toBe(201);
    // A sign-in that waits for the code must not outlive the password it began with.
    const waiting = await app.http.post('/console/session', {
      body: { login: user.login, password: user.password },
    });
    await mails();
    await request(user.login);
    const reset = await redeem(await token());
    expect([reset.status, reset.headers.getSetCookie()]).toEqual([200, []]);
    const cookieOf = (answer: typeof reset) => answer.headers.getSetCookie()[0]?.split(';', 1)[0];
    app.clock.advance(30_000);
    const enterCode = (cookie = '') =>
      app.http.post('/console/session/second-factor', {
        headers: { cookie },
        body: { code: codeOf(secret) },
      });
    expect(await enterCode(cookieOf(waiting))).toMatchObject({
      status: 401,
      json: { code: 'sign_in_expired' },
    });
    const first = await app.http.post('/console/session', {
      body: { login: user.login, password: PASSWORD },
    });
    expect(first).toMatchObject({
      status: 401,
      json: {
        code: 'second_factor_required',
        data: { methods: ['authenticator_app', 'recovery_code'] },
      },
    });
    const cookie = cookieOf(first) ?? '';
    expect((await app.http.get('/console/session', { headers: { cookie } })).status).toBe(401);
    expect((await enterCode(cookie)).status).toBe(200);
  });

  it('stores neither the link nor its token in clear', async () => {
    const user = await makeUser(app.platform);
    await request(user.email);
    const { db } = app.platform.datastore;
    const rows = [
      await db.selectFrom('outbox_mails').selectAll().execute(),
      await db.selectFrom('password_resets').selectAll().execute(),
    ];
    const secret = await token();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(app.logged()).not.toContain(secret);
  });

  it('answers the same for an unknown login, and sends nothing', async () => {
    const user = await makeUser(app.platform);
    const known = await request(user.login);
    await mails();
    for (const login of ['nobody-at-all', 'nobody@nowhere.example']) {
      const unknown = await request(login);
      expect([unknown.status, unknown.json]).toEqual([known.status, known.json]);
    }
    expect(await mails()).toEqual([]);
  });

  it('rejects links after one hour, unknown links and links of deleted users', async () => {
    const user = await makeUser(app.platform);
    await request(user.login);
    const secret = await token();
    app.clock.advance(HOUR_MS);
    for (const wrong of [secret, 'x'.repeat(43), '-'])
      expect(await redeem(wrong)).toMatchObject({ status: 403, json: INVALID });
    await signIn(app.http, user);
    await request(user.login);
    const later = await token();
    const { login, applicationPassword } = await makeUser(app.platform);
    await app.http.request('DELETE', `/wp-json/svc/v1/users/${user.id}`, {
      headers: basic(login, applicationPassword),
    });
    expect(await redeem(later)).toMatchObject({ status: 403, json: INVALID });
  });

  it('applies the rules for passwords, and keeps the link for another attempt', async () => {
    const user = await makeUser(app.platform);
    await request(user.login);
    const secret = await token();
    for (const weak of ['short', 'password1234', 'elevenchars'])
      expect(await redeem(secret, weak)).toMatchObject({
        status: 400,
        json: { code: 'rest_invalid_param', data: { params: { password: expect.any(String) } } },
      });
    expect((await redeem(secret)).status).toBe(200);
  });

  it('checks the password at the sign-in of a user who became an administrator meanwhile', async () => {
    const boss = await makeUser(app.platform);
    const user = await makeUser(app.platform, 'editor');
    await request(user.login);
    const settings = {
      // Read after the check of the password.
      async sender() {
        await changeUser(app.signIn, boss, user.id, { role: 'administrator' });
        return { fromName: '', language: 'en' };
      },
      consoleUrl: () => `${app.url}/admin`,
    };
    const reset = { token: await token(), password: 'password1234' };
    await redeemPasswordReset(app.platform, settings, reset);
    const body = { login: user.login, password: 'password1234' };
    expect(await app.http.post('/console/session', { body })).toMatchObject({
      status: 403,
      json: { code: 'weak_password' },
    });
  });

  it('ends other links when the password or the email address changes', async () => {
    const user = await makeUser(app.platform);
    const put = (body: object) =>
      app.http.request('PUT', '/wp-json/svc/v1/users/me', {
        headers: basic(user.login, user.applicationPassword),
        body,
      });
    await request(user.login);
    const first = await token();
    await request(user.login);
    const second = await token();
    expect((await redeem(second)).status).toBe(200);
    expect((await redeem(first)).status).toBe(403);
    await mails();
    await request(user.login);
    const third = await token();
    const changed = 'another correct horse battery';
    expect((await put({ password: changed, current_password: PASSWORD })).status).toBe(200);
    expect((await redeem(third)).status).toBe(403);
    await request(user.login);
    const fourth = await token();
    const email = `new-${user.email}`;
    expect((await put({ email, current_password: changed })).status).toBe(200);
    expect((await redeem(fourth)).status).toBe(403);
  });

  it('lets one of two simultaneous uses of a link succeed', async () => {
    const user = await makeUser(app.platform);
    await request(user.login);
    const secret = await token();
    const passwords = ['first correct horse battery', 'second correct horse battery'];
    const answers = await Promise.all(passwords.map((password) => redeem(secret, password)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const password = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    await signIn(app.http, { login: user.login, password });
    expect((await mails()).length).toBe(1);
  });

  it('limits requests for a login and a client, and emails to an account', async () => {
    const user = await makeUser(app.platform);
    const address = freshAddress();
    for (const login of [user.login, 'nobody-else']) {
      for (let n = 0; n < 5; n++) expect((await request(login, address)).status).toBe(202);
      const refused = await request(login, address);
      expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await mails()).length).toBe(5);
    // Others are not locked out, and the links that were sent still work.
    expect((await request(user.email)).status).toBe(202);
    expect(await mails()).toEqual([]);
    app.clock.advance(HOUR_MS);
    expect((await request(user.email)).status).toBe(202);
    expect((await mails()).length).toBe(1);
  });

  it('limits requests of a client for all logins', async () => {
    const address = freshAddress();
    for (let n = 0; n < 20; n++) expect((await request(`nobody${n}`, address)).status).toBe(202);
    expect((await request('nobody20', address)).status).toBe(429);
  });
});

describe('Password reset without a mail server', () => {
  const app = useTestApp('sqlite');

  it('says so, and sends nothing', async () => {
    expect((await app.http.get('/console/sign-in')).json).toMatchObject({ password_reset: false });
    const { login } = await makeUser(app.platform);
    expect(await app.http.post(PATH, { body: { login } })).toMatchObject({
      status: 409,
      json: { code: 'no_mail_server', message: expect.stringContaining('administrator') },
    });
  });
});
