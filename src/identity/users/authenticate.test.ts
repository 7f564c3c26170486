import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser, signIn } from '../../../test/support/users.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import {
  addApplicationPassword,
  createAuthenticate,
  resetPassword,
  revokeApplicationPassword,
} from './index.ts';

const NOBODY = { user: null, badNonce: false };
const BAD_NONCE = { user: null, badNonce: true };

describe.each(ENGINES)('authentication on %s', (engine) => {
  const app = useTestApp(engine);
  const authenticator = () =>
    createAuthenticate({ platform: app.platform, secondFactorFor: 'off' }, () => false);
  const ask = (headers: Record<string, string>, nonce?: string) =>
    authenticator()({ headers, nonce });
  const lastUse = async () =>
    (
      await app.platform.datastore.db
        .selectFrom('application_passwords')
        .select('last_used_at')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
    ).last_used_at;

  it('returns no user without credentials', async () => {
    expect(await ask({})).toEqual(NOBODY);
  });

  it('accepts Basic with an application password, with the capabilities of the role', async () => {
    const capabilities = {
      administrator: ['manage_options', 'read'],
      editor: [
        'read',
        'edit_posts',
        'read_settings',
        'edit_banner_texts',
        'manage_privacy_requests',
      ],
      viewer: ['read', 'read_privacy', 'read_settings'],
      subscriber: ['read'],
    };
    for (const role of ['administrator', 'editor', 'viewer', 'subscriber'] as const) {
      const { id, login, email, applicationPassword } = await makeUser(app.platform, role);
      expect(await ask(basic(login, applicationPassword))).toEqual({
        user: { id, login, email, role, capabilities: capabilities[role] },
        badNonce: false,
      });
    }
  });

  it('refuses an expired application password from its last moment on, and says when it expired', async () => {
    const { login } = await makeUser(app.platform);
    const until = app.clock.now() + HOUR_MS;
    const expiresAt = new Date(until).toISOString();
    const options = { expiresAt };
    const made = await addApplicationPassword(app.platform, login, 'brief', 'test', options);
    expect(made.expiresAt).toBe(until);
    const headers = basic(login, made.password);
    const me = () => app.http.get('/wp-json/svc/v1/users/me', { headers });
    app.clock.advance(HOUR_MS - 1);
    expect((await ask(headers)).user?.login).toBe(login);
    expect((await me()).status).toBe(200);
    app.clock.advance(1);
    expect(await ask(headers)).toEqual({ ...NOBODY, expiredAt: until });
    const refused = await me();
    expect(refused.status).toBe(401);
    expect(refused.json).toMatchObject({
      code: 'incorrect_password',
      message: `The application password expired on ${expiresAt.slice(0, 10)}. Create a new one in the console, in your account, or with "pavis user app-password".`,
    });
    await app.platform.securityLog.flush();
    const event = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['login', 'details'])
      .where('event', '=', 'credential_refused')
      .executeTakeFirstOrThrow();
    expect([event.login, JSON.parse(event.details)]).toEqual([
      login,
      { method: 'application_password', reason: 'expired' },
    ]);
    const wrong = basic(login, 'aaaa bbbb cccc dddd eeee ffff');
    expect(await ask(wrong)).toEqual(NOBODY);
  });

  it.each([[{ expiresAt: '2027-11-21' }], [{ scopes: ['consent:read'] }]] as const)(
    'stores an application password with %j so that 0.2.0 does not find it',
    async (limits) => {
      const { login, applicationPassword } = await makeUser(app.platform);
      const made = await addApplicationPassword(app.platform, login, 'limited', 'test', limits);
      expect((await ask(basic(login, made.password))).user?.login).toBe(login);
      const findAsBefore = (password: string) =>
        app.platform.datastore.db
          .selectFrom('application_passwords')
          .select('name')
          .where(
            'hash',
            '=',
            app.platform.secret.hash('application-password', password.replaceAll(' ', '')),
          )
          .executeTakeFirst();
      expect(await findAsBefore(applicationPassword)).toEqual({ name: 'tests' });
      expect(await findAsBefore(made.password)).toBeUndefined();
    },
  );

  it.each(['soon', '2020-01-01', '2999-01-01', ''])('refuses the expiry %j', async (expiresAt) => {
    const { login } = await makeUser(app.platform);
    const add = addApplicationPassword(app.platform, login, 'brief', 'test', { expiresAt });
    await expect(add).rejects.toThrow('expires_at');
  });

  it('accepts any spelling of login, email address, scheme and groups', async () => {
    const { id, login, email, applicationPassword } = await makeUser(app.platform);
    expect(applicationPassword).toMatch(/^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    for (const who of [login, login.toUpperCase(), login.toLowerCase(), email, ` ${login} `]) {
      expect((await ask(basic(who, applicationPassword))).user?.id, who).toBe(id);
    }
    for (const blank of ['', '-', ' - ', '\t']) {
      const typed = applicationPassword.replaceAll(' ', blank);
      expect((await ask(basic(login, typed))).user?.id, blank).toBe(id);
    }
    const { authorization } = basic(login, applicationPassword);
    for (const scheme of ['basic', 'BASIC']) {
      const header = authorization.replace('Basic', scheme);
      expect((await ask({ authorization: header })).user?.id).toBe(id);
    }
  });

  it('returns no user for anything else in the Authorization header', async () => {
    const { login, password, applicationPassword } = await makeUser(app.platform);
    const other = await makeUser(app.platform);
    const swapped = applicationPassword.replace(/[A-Za-z]/g, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    const headers = [
      basic(login, password).authorization,
      basic(login, '').authorization,
      basic('', applicationPassword).authorization,
      basic(login, swapped).authorization,
      basic(login, `${applicationPassword}x`).authorization,
      basic(other.login, applicationPassword).authorization,
      basic('nobody', applicationPassword).authorization,
      basic('no\u0000body', applicationPassword).authorization,
      `Basic ${Buffer.from(login).toString('base64')}`,
      'Basic %%%',
      'Basic',
      'Basic ',
      '',
      `Bearer ${applicationPassword}`,
      `Digest ${login}`,
    ];
    for (const authorization of headers) {
      expect(await ask({ authorization }), authorization).toEqual(NOBODY);
    }
  });

  it('rejects a revoked application password from the next request', async () => {
    const { login, applicationPassword } = await makeUser(app.platform);
    const authenticate = authenticator();
    const credentials = { headers: basic(login, applicationPassword), nonce: undefined };
    expect((await authenticate(credentials)).user?.login).toBe(login);
    await revokeApplicationPassword(app.platform, login, { name: 'tests' }, 'test');
    expect(await authenticate(credentials)).toEqual(NOBODY);
  });

  it('records the use of an application password once in 24 hours', async () => {
    const { login, applicationPassword } = await makeUser(app.platform);
    expect(await lastUse()).toBeNull();
    const first = app.clock.now();
    await ask(basic(login, applicationPassword));
    app.clock.advance(24 * HOUR_MS - 1);
    await ask(basic(login, applicationPassword));
    expect(await lastUse()).toBe(first);
    app.clock.advance(1);
    await ask(basic(login, applicationPassword));
    expect(await lastUse()).toBe(app.clock.now());
  });

  it('accepts a session cookie with a nonce of the header or of the query, which takes precedence', async () => {
    const user = await makeUser(app.platform);
    const { cookie, nonce } = await signIn(app.http, user);
    expect(nonce).toMatch(/^[0-9a-f]{10}$/);
    expect((await ask({ cookie, 'x-wp-nonce': nonce })).user?.id).toBe(user.id);
    expect((await ask({ cookie: `a=b; ${cookie}; c=d` }, nonce)).user?.id).toBe(user.id);
    expect((await ask({ cookie, 'x-wp-nonce': 'wrong' }, nonce)).user?.id).toBe(user.id);
    expect(await ask({ cookie, 'x-wp-nonce': nonce }, 'wrong')).toEqual(BAD_NONCE);
  });

  it('returns no user for a cookie without a nonce, and reports a bad nonce of an active session', async () => {
    const [user, other] = [await makeUser(app.platform), await makeUser(app.platform)];
    const { cookie } = await signIn(app.http, user);
    const again = await signIn(app.http, user);
    const { nonce } = await signIn(app.http, other);
    expect(await ask({ cookie })).toEqual(NOBODY);
    for (const wrong of ['', '0123456789', nonce, again.nonce]) {
      expect(await ask({ cookie, 'x-wp-nonce': wrong }), wrong).toEqual(BAD_NONCE);
    }
    expect(await ask({ 'x-wp-nonce': nonce })).toEqual(NOBODY);
    for (const none of ['pavis_session=', `pavis_session=${'a'.repeat(43)}`, 'pavis_session']) {
      expect(await ask({ cookie: none, 'x-wp-nonce': nonce }), none).toEqual(NOBODY);
    }
  });

  it('prefers Basic over the cookie, and ignores an invalid Basic header', async () => {
    const [user, other] = [await makeUser(app.platform), await makeUser(app.platform)];
    const { cookie, nonce } = await signIn(app.http, other);
    const good = basic(user.login, user.applicationPassword);
    expect((await ask({ ...good, cookie }, nonce)).user?.id).toBe(user.id);
    expect((await ask({ ...good, cookie }, 'wrong')).user?.id).toBe(user.id);
    const bad = basic(user.login, 'wrong');
    expect((await ask({ ...bad, cookie }, nonce)).user?.id).toBe(other.id);
    expect(await ask({ ...bad, cookie })).toEqual(NOBODY);
  });

  it('accepts a nonce for 12 to 24 hours', async () => {
    const user = await makeUser(app.platform);
    app.clock.set('2026-12-01T12:00:01.000Z');
    const { cookie, nonce } = await signIn(app.http, user);
    app.clock.set('2026-12-02T12:00:00.000Z');
    expect((await ask({ cookie }, nonce)).user?.id).toBe(user.id);
    app.clock.set('2026-12-02T12:00:00.001Z');
    expect(await ask({ cookie }, nonce)).toEqual(BAD_NONCE);
  });

  it('returns no user for a session after 48 hours, or after a password reset', async () => {
    const user = await makeUser(app.platform);
    const old = await signIn(app.http, user);
    app.clock.advance(48 * HOUR_MS - 1);
    expect(await ask({ cookie: old.cookie }, old.nonce)).toEqual(BAD_NONCE);
    app.clock.advance(1);
    expect(await ask({ cookie: old.cookie }, old.nonce)).toEqual(NOBODY);

    const { cookie, nonce } = await signIn(app.http, user);
    expect((await ask({ cookie }, nonce)).user?.id).toBe(user.id);
    const { password } = await resetPassword(app.signIn, user.login, 'test');
    expect(await ask({ cookie }, nonce)).toEqual(NOBODY);
    const fresh = await signIn(app.http, { login: user.login, password });
    expect((await ask({ cookie: fresh.cookie }, fresh.nonce)).user?.id).toBe(user.id);
  });

  it('stores no password, application password or session token in plain text', async () => {
    const user = await makeUser(app.platform);
    const { cookie } = await signIn(app.http, user);
    const { db } = app.platform.datastore;
    const rows = JSON.stringify([
      await db.selectFrom('users').selectAll().execute(),
      await db.selectFrom('application_passwords').selectAll().execute(),
      await db.selectFrom('sessions').selectAll().execute(),
    ]);
    const bare = user.applicationPassword.replaceAll(' ', '');
    const token = cookie.replace('pavis_session=', '');
    for (const secret of [user.password, user.applicationPassword, bare, token]) {
      expect(rows.includes(secret)).toBe(false);
      expect(app.logged().includes(secret)).toBe(false);
    }
    expect(app.logged()).not.toContain(user.email);
  });
});
