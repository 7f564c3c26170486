import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../test/support/users.ts';
import { resetPassword } from './index.ts';
import { changeUser } from './service.ts';

type TestUser = Awaited<ReturnType<typeof makeUser>>;

describe.each(ENGINES)('emails about changes of an account on %s', (engine) => {
  const app = useTestApp(engine, {
    PAVIS_BASE_URL: 'https://licences.example.com',
    PAVIS_REST_ROOT: 'https://privacy.example.com/wp-json',
  });
  const put = ({ login, applicationPassword }: TestUser, id: number | 'me', body: object) =>
    app.http.request('PUT', `/wp-json/svc/v1/users/${id}`, {
      headers: basic(login, applicationPassword),
      body,
    });
  /** Those to an address, oldest first. */
  async function listMails(address: string) {
    const rows = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['subject', 'body_text'])
      .where('recipient', '=', address)
      .orderBy('id')
      .execute();
    return rows.map(({ subject, body_text }) => [
      subject,
      String(body_text).replaceAll(/\s+/g, ' '),
    ]);
  }

  it('tell the old address that it was changed, and not to what', async () => {
    const boss = await makeUser(app.platform);
    const user = await makeUser(app.platform, 'editor');
    const password = 'a password of my own';
    const taken = { email: boss.email, current_password: user.password };
    expect((await put(user, 'me', taken)).status).toBe(400);
    expect((await put(boss, user.id, { email: user.email })).status).toBe(200);
    expect(await listMails(user.email)).toEqual([]);
    const both = { email: 'new@moved.example', password, current_password: user.password };
    expect((await put(user, 'me', both)).status).toBe(200);
    expect((await put(boss, user.id, { email: 'newer@moved.example' })).status).toBe(200);
    const [address, own, ...more] = await listMails(user.email);
    expect(more).toEqual([]);
    expect(address).toEqual([
      'The email address of your account was changed',
      expect.stringContaining(`By: ${user.login} `),
    ]);
    expect(address?.[1]).not.toContain('moved.example');
    // A password that is changed with the address must not be told to the new one.
    expect(own?.[0]).toBe('The password of your account was changed');
    expect(await listMails('new@moved.example')).toEqual([
      [
        'The email address of your account was changed',
        expect.stringContaining(`By: ${boss.login} `),
      ],
    ]);
    expect(await listMails('newer@moved.example')).toEqual([]);
  });

  it('tell that the password was changed or reset, and by whom', async () => {
    const boss = await makeUser(app.platform);
    const user = await makeUser(app.platform, 'editor');
    const password = 'a password of my own';
    expect((await put(user, 'me', { password, current_password: 'a guess' })).status).toBe(400);
    await changeUser(app.signIn, boss, user.id, { role: 'viewer' });
    expect(await listMails(user.email)).toEqual([]);
    await changeUser(app.signIn, boss, user.id, { password });
    await resetPassword(app.signIn, user.login, 'command line (root)');
    const [changed, reset] = await listMails(user.email);
    expect(changed).toEqual([
      'The password of your account was changed',
      expect.stringContaining(`By: ${boss.login} `),
    ]);
    expect(reset).toEqual([
      'The password of your account was reset',
      expect.stringContaining('By: command line (root) '),
    ]);
    expect(reset?.[1]).toContain('remove passkeys and application passwords that are not yours');
    // Where other emails and single sign-on lead, too.
    expect(reset?.[1]).toContain('https://privacy.example.com/admin/profile');
  });

  it('come in the name of the controller, unless the settings have a sender', async () => {
    const user = await makeUser(app.platform);
    const save = (body: object) =>
      app.http.request('PUT', '/wp-json/svc/v1/settings', {
        headers: basic(user.login, user.applicationPassword),
        body,
      });
    for (const body of [{ controller: { name: 'Example Ltd' } }, { mail: { from_name: 'Ada' } }]) {
      expect((await save(body)).status).toBe(200);
      await resetPassword(app.signIn, user.login, 'command line (root)');
    }
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select('from_name')
      .where('recipient', '=', user.email)
      .orderBy('id')
      .execute();
    expect(mails.map(({ from_name }) => from_name)).toEqual(['Example Ltd', 'Ada']);
  });
});
