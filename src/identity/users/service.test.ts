import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import {
  addApplicationPassword,
  createUser,
  listUsers,
  resetPassword,
  revokeApplicationPassword,
} from './index.ts';

describe.each(ENGINES)('Users on %s', (engine) => {
  const app = useTestApp(engine);
  const make = (login: string, email = `${login}@example.com`, password?: string) =>
    createUser(app.platform, { login, email, role: 'editor', password }, 'test');

  it('are unique by login and by address, whatever the case', async () => {
    const { user } = await make('Ada', 'Ada@Example.com');
    expect(user).toMatchObject({ login: 'Ada', email: 'ada@example.com', role: 'editor' });
    await expect(make('ADA', 'other@example.com')).rejects.toThrow(/already/);
    await expect(make('Grace', 'ADA@example.com')).rejects.toThrow(/already/);
  });

  it('are made once when two commands make them at the same time', async () => {
    const both = await Promise.allSettled([make('Twin'), make('twin')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((each) => each.status === 'rejected');
    expect(refused?.reason).toMatchObject({ name: 'CliError', exitCode: 1 });
  });

  it('have a made-up password when none is given, and one of 8 to 200 characters when one is', async () => {
    expect((await make('a1')).password).toMatch(/^[A-Za-z0-9]{20}$/);
    expect((await make('a2', undefined, '12345678')).password).toBe('12345678');
    expect((await make('a3', undefined, 'é'.repeat(200))).password).toHaveLength(200);
    for (const password of ['', '1234567', 'x'.repeat(201)]) {
      await expect(make('a4', undefined, password)).rejects.toMatchObject({ exitCode: 2 });
    }
  });

  it('as administrators have a password of 12 characters or more that is hard to guess', async () => {
    const makeAdministrator = (password: string) => {
      const user = { login: 'chief', email: 'chief@example.com', role: 'administrator' } as const;
      return createUser(app.platform, { ...user, password }, 'test');
    };
    await expect(makeAdministrator('kbylTpjcFMp')).rejects.toMatchObject({
      exitCode: 2,
      message: 'the password has 11 characters: 12 to 200 are allowed for an administrator',
    });
    await expect(makeAdministrator('password1234')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^the password is easy to guess: use 12 or more characters/),
    });
    expect((await makeAdministrator('a chosen one')).password).toBe('a chosen one');
  });

  it.each(['', 'a b', 'a:b', 'a@example.com', '-a', 'é', 'a'.repeat(61), 'a\n'])(
    'cannot have the login %j',
    async (login) => {
      await expect(make(login, 'x@example.com')).rejects.toMatchObject({ exitCode: 2 });
    },
  );

  it('are listed with the names of their application passwords, which are unique and revoked by name', async () => {
    await make('Lister');
    const add = (name: string) => addApplicationPassword(app.platform, 'lister', name, 'test');
    const names = async () =>
      (await listUsers(app.platform))
        .find(({ login }) => login === 'Lister')
        ?.applicationPasswords.map(({ name }) => name);
    expect(await add(' backup ')).toMatchObject({ login: 'Lister', name: 'backup' });
    await add('phone');
    await expect(add('phone')).rejects.toThrow(/named "phone"/);
    expect(await names()).toEqual(['backup', 'phone']);
    await revokeApplicationPassword(app.platform, 'LISTER', 'backup', 'test');
    expect(await names()).toEqual(['phone']);
    await expect(
      revokeApplicationPassword(app.platform, 'lister', 'backup', 'test'),
    ).rejects.toThrow(/has no application password/);
    for (const name of ['', ' ', 'x'.repeat(101), 'a\u0000b']) {
      await expect(add(name), name).rejects.toMatchObject({ exitCode: 2 });
    }
  });

  it('that do not exist are refused by every change', async () => {
    const { platform } = app;
    for (const change of [
      () => resetPassword(platform, 'nobody', 'test'),
      () => addApplicationPassword(platform, 'nobody', 'x', 'test'),
      () => revokeApplicationPassword(platform, 'nobody', 'x', 'test'),
    ]) {
      await expect(change()).rejects.toThrow(/no user has the login nobody/);
    }
  });
});
