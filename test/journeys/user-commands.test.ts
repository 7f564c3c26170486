import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { pavis, pavisJson } from '../support/process.ts';
import { useServerProcess } from '../support/server-process.ts';
import { basic } from '../support/users.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const GROUPS = /^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/;

describe('pavis user, beside a running server', () => {
  const server = useServerProcess();
  const { env } = server;

  const user = (...args: string[]) => pavisJson(['user', ...args], env);
  const create = (login: string, ...more: string[]) =>
    user('create', login, '--email', `${login}@example.com`, '--role', 'administrator', ...more);
  const signIn = (login: string, password: string) =>
    server.http.post('/console/session', { body: { login, password } });

  it('create prints id, login, role and the password, with which the user can sign in', async () => {
    const made = await create('ada');
    expect(made).toEqual({
      id: expect.any(Number),
      login: 'ada',
      role: 'administrator',
      password: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
    });
    expect((await signIn('ada', made.password)).status).toBe(200);
    expect((await create('grace', '--password', 'a chosen one')).password).toBe('a chosen one');
    expect((await signIn('grace', 'a chosen one')).status).toBe(200);
  });

  it('create rejects an easily guessed administrator password, and says what is accepted', async () => {
    const args = ['user', 'create', 'mary', '--email', 'm@example.com', '--role', 'administrator'];
    const { code, stdout, stderr } = await pavis([...args, '--password', 'password1234'], env);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'pavis: The password is easy to guess. Use 12 or more characters that are no common password, name or date, for example four random words.\n',
    );
  });

  it('create prints a password in the text output only if it was generated', async () => {
    const args = ['user', 'create', 'joan', '--email', 'j@example.com', '--role', 'editor'];
    const { code, stdout } = await pavis([...args, '--password', 'known to her'], env);
    expect(code).toBe(0);
    expect(stdout).toContain('joan (editor) can sign in');
    expect(stdout).not.toContain('known to her');
  });

  it('confirm-email prints the login and the confirmed address', async () => {
    const confirmed = { login: 'ada', email: 'ada@example.com', confirmed: true };
    expect(await user('confirm-email', 'ADA')).toEqual(confirmed);
    const unknown = await pavis(['user', 'confirm-email', 'nobody'], env);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('No user has the login nobody'),
    ]);
  });

  it('app-password prints login, name and the password in groups of four, and list only its name', async () => {
    const added = await user('app-password', 'ADA', '--name', 'deploy');
    expect(added).toEqual({
      login: 'ada',
      name: 'deploy',
      password: expect.stringMatching(GROUPS),
      expires_at: null,
      scopes: null,
    });
    const listed = await user('list');
    expect(listed.users[0]).toEqual({
      id: expect.any(Number),
      login: 'ada',
      email: 'ada@example.com',
      role: 'administrator',
      second_factor: false,
      single_sign_on: false,
      created_at: expect.stringMatching(MOMENT),
      application_passwords: [
        {
          uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'deploy',
          created_at: expect.stringMatching(MOMENT),
          last_used_at: null,
          expires_at: null,
          scopes: null,
        },
      ],
    });
    const { stdout } = await pavis(['user', 'list'], env);
    expect(stdout).toContain('deploy');
    expect(stdout).not.toContain(added.password);
  });

  it('app-password limits the password to scopes, and names those that there are', async () => {
    const options = ['--name', 'reports', '--scopes', 'scanner:read,consent:read'];
    const added = await user('app-password', 'ada', ...options);
    expect(added.scopes).toEqual(['consent:read', 'scanner:read']);
    const wrong = ['user', 'app-password', 'ada', '--name', 'x', '--scopes', 'everything'];
    const { code, stderr } = await pavis(wrong, env);
    expect(code).toBe(2);
    expect(stderr).toContain('one or more of: consent:read, consent:write');
    const useless = ['user', 'app-password', 'joan', '--name', 'x', '--scopes', 'vendors:write'];
    const refused = await pavis(useless, env);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('vendors:write is of no use to the role editor');
    await user('revoke-app-password', 'ada', '--name', 'reports');
  });

  it('revoke-app-password revokes it', async () => {
    const revoke = ['revoke-app-password', 'ada', '--name', 'deploy'];
    expect(await user(...revoke)).toEqual({ login: 'ada', name: 'deploy', revoked: true });
    expect((await user('list')).users[0].application_passwords).toEqual([]);
    const again = await pavis(['user', ...revoke], env);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toMatch(/^pavis: ada has no application password .*user list.*\n$/);
  });

  it('reset-password prints a new password and signs the user out of the running server', async () => {
    const before = await signIn('grace', 'a chosen one');
    const cookie = before.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const reset = await user('reset-password', 'Grace');
    expect(reset).toEqual({ login: 'grace', password: expect.any(String) });
    expect((await server.http.get('/console/session', { headers: { cookie } })).status).toBe(401);
    expect((await signIn('grace', 'a chosen one')).status).toBe(401);
    expect((await signIn('grace', reset.password)).status).toBe(200);
  });

  it('reset-second-factor lets the user sign in with the password alone, and refuses without a second factor', async () => {
    const { password } = await create('mary');
    const headers = basic('mary', (await user('app-password', 'mary', '--name', 'tests')).password);
    const me = '/wp-json/svc/v1/users/me';
    const addApp = async () => {
      const begun = await server.http.post(`${me}/authenticator-app/setup`, {
        headers,
        body: { current_password: password },
      });
      const { setup, secret } = begun.json;
      const code = TOTP.generate({ secret: Secret.fromBase32(secret) });
      const body = { setup, code };
      expect((await server.http.post(`${me}/authenticator-app`, { headers, body })).status).toBe(
        201,
      );
    };
    await addApp();
    expect((await signIn('mary', password)).json.code).toBe('second_factor_required');
    expect(await user('reset-second-factor', 'MARY')).toEqual({ login: 'mary', reset: true });
    expect((await signIn('mary', password)).status).toBe(200);
    const reset = ['user', 'reset-second-factor', 'mary'];
    await addApp();
    const { stdout } = await pavis(reset, env);
    expect(stdout).toBe(
      'mary can sign in with the password alone. This server sends no email: tell the user yourself.\n',
    );
    await addApp();
    const sent = await pavis(reset, { ...env, PAVIS_SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(sent.stdout).toBe(
      'mary can sign in with the password alone. The user gets an email about the reset.\n',
    );
    const { code: exit, stderr } = await pavis(reset, env);
    expect([exit, stderr]).toEqual([
      1,
      'pavis: mary has no second factor: the password alone is enough to sign in.\n',
    ]);
  });

  it('unlink refuses a user who is not linked with single sign-on', async () => {
    const { code, stderr } = await pavis(['user', 'unlink', 'ADA'], env);
    expect([code, stderr]).toEqual([1, 'pavis: ada is not linked with single sign-on.\n']);
  });

  it('list shows who is linked with single sign-on, and unlink says who is linked next, or that the address has to be confirmed first', async () => {
    const { id } = await create('kay');
    const oidc = {
      PAVIS_OIDC_ISSUER: 'https://login.example',
      PAVIS_OIDC_CLIENT_ID: 'pavis',
    };
    const link = (ownEmailEntry: number) => {
      const database = new DatabaseSync(join(server.folder, 'pavis.db'), { timeout: 5_000 });
      database.exec(`UPDATE users SET own_email_entry = ${ownEmailEntry} WHERE id = ${id};
        INSERT INTO user_identities (user_id, issuer, subject, created_at, last_used_at)
        VALUES (${id}, 'https://login.example', '1', 1, 1)`);
      database.close();
    };
    const unlink = async (ownEmailEntry: number, provider = {}) => {
      link(ownEmailEntry);
      return (await pavis(['user', 'unlink', 'KAY'], { ...env, ...provider })).stdout;
    };
    const done = 'kay is no longer linked with single sign-on, and is signed out everywhere.';
    expect(await unlink(0)).toBe(`${done}\n`);
    expect(await unlink(0, oidc)).toBe(
      `${done} The next person who signs in with the provider as kay@example.com is linked.\n`,
    );
    expect(await unlink(1, oidc)).toBe(
      `${done} Nobody is linked by kay@example.com until it is confirmed: pavis user confirm-email kay\n`,
    );
    link(0);
    const { stdout } = await pavis(['user', 'list'], env);
    expect(stdout).toMatch(/second factor +single sign-on +application passwords/);
    expect(stdout).toMatch(/kay@example\.com +administrator +no +yes/);
    expect(stdout).toMatch(/ada@example\.com +administrator +no +no/);
  });

  it('unlock and reset-password lift a lockout after failed sign-ins', async () => {
    const { password } = await create('hedy');
    const lockOut = async (right: string) => {
      for (let n = 0; n < 10; n++) expect((await signIn('hedy', 'a guess')).status).toBe(401);
      expect((await signIn('hedy', right)).status).toBe(429);
    };
    await lockOut(password);
    expect(await user('unlock', 'HEDY')).toEqual({ login: 'hedy', unlocked: true });
    expect((await signIn('hedy', password)).status).toBe(200);
    await lockOut(password);
    const reset = await user('reset-password', 'hedy');
    expect((await signIn('hedy', reset.password)).status).toBe(200);
    const { stdout } = await pavis(['user', 'unlock', 'hedy'], env);
    expect(stdout).toBe(
      'hedy is unlocked. An address with too many failed sign-ins for several accounts stays blocked for up to 15 minutes.\n',
    );
  });

  it('rejects a taken login or email address and an unknown user, in one line', async () => {
    for (const args of [
      ['create', 'ADA', '--email', 'new@example.com', '--role', 'editor'],
      ['create', 'new', '--email', 'ADA@example.com', '--role', 'editor'],
      ['reset-password', 'nobody'],
      ['unlock', 'nobody'],
      ['app-password', 'nobody', '--name', 'x'],
    ]) {
      const { code, stdout, stderr } = await pavis(['user', ...args], env);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toMatch(/^pavis: [^\n]+\n$/);
    }
  });
});
