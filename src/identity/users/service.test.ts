import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { makeUser } from '../../../test/support/users.ts';
import { InvalidFieldError, TakenError } from '../../platform/errors.ts';
import {
  addApplicationPassword,
  createSignIn,
  createUser,
  listUsers,
  lockUsers,
  openExternalSession,
  resetPassword,
  revokeApplicationPassword,
  SignInLimits,
  UserDeletedError,
} from './index.ts';
import { requestPasswordReset } from './password-reset/service.ts';
import { changeUser, removeUser } from './service.ts';
import { insertSession, touchUser } from './sessions/store.ts';
import { type Account, clearPasswordCheck, deleteUser, findAccount, updateUser } from './store.ts';

describe.each(ENGINES)('the user service on %s', (engine) => {
  const app = useTestApp(engine);
  const make = (login: string, email = `${login}@example.com`, password?: string) =>
    createUser(app.platform, { login, email, role: 'editor', password }, 'test');

  it('rejects a login and an email address that differ from taken ones in case only', async () => {
    const { user } = await make('Ada', 'Ada@Example.com');
    expect(user).toMatchObject({ login: 'Ada', email: 'ada@example.com', role: 'editor' });
    await expect(make('ADA', 'other@example.com')).rejects.toMatchObject({
      reason: expect.stringMatching(/already/),
    });
    await expect(make('Grace', 'ADA@example.com')).rejects.toMatchObject({
      reason: expect.stringMatching(/already/),
    });
  });

  it('creates a user once when two commands create it at the same time', async () => {
    const both = await Promise.allSettled([make('Twin'), make('twin')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((each) => each.status === 'rejected');
    expect(refused?.reason).toBeInstanceOf(TakenError);
  });

  it('generates a password if none is given, and accepts 8 to 200 characters', async () => {
    expect((await make('a1')).password).toMatch(/^[A-Za-z0-9]{20}$/);
    expect((await make('a2', undefined, '12345678')).password).toBe('12345678');
    expect((await make('a3', undefined, 'é'.repeat(200))).password).toHaveLength(200);
    for (const password of ['', '1234567', 'x'.repeat(201)]) {
      await expect(make('a4', undefined, password)).rejects.toThrow(
        'Invalid parameter(s): password',
      );
    }
  });

  it('requires 12 characters that are hard to guess for an administrator', async () => {
    const makeAdministrator = (password: string) => {
      const user = { login: 'chief', email: 'chief@example.com', role: 'administrator' } as const;
      return createUser(app.platform, { ...user, password }, 'test');
    };
    await expect(makeAdministrator('kbylTpjcFMp')).rejects.toMatchObject({
      code: 'rest_invalid_param',
      reason: 'The password has 11 characters. 12 to 200 are allowed for an administrator.',
    });
    await expect(makeAdministrator('password1234')).rejects.toMatchObject({
      code: 'rest_invalid_param',
      reason: expect.stringMatching(/^The password is easy to guess\. Use 12 or more characters/),
    });
    expect((await makeAdministrator('a chosen one')).password).toBe('a chosen one');
  });

  it('checks a password again if its user became an administrator while it was saved', async () => {
    const boss = await makeUser(app.platform);
    const { user } = await make('climber');
    const password = 'password1234';
    const saving = changeUser(app.signIn, boss, user.id, { password });
    await changeUser(app.signIn, boss, user.id, { role: 'administrator' });
    await saving;
    const body = { login: user.login, password };
    const { status, json } = await app.http.post('/console/session', { body });
    expect([status, json.code]).toEqual([403, 'weak_password']);
  });

  it('keeps the mark of a password that was set after the account was read', async () => {
    const { db } = app.platform.datastore;
    const { user } = await make('marked');
    await updateUser(db, user.id, { check_password: 1 });
    const read = (await findAccount(db, user.id)) as Account;
    await updateUser(db, user.id, { password_hash: 'of another password' });
    await clearPasswordCheck(db, read);
    expect((await findAccount(db, user.id))?.needsPasswordCheck).toBe(true);
    await clearPasswordCheck(db, (await findAccount(db, user.id)) as Account);
    expect((await findAccount(db, user.id))?.needsPasswordCheck).toBe(false);
  });

  it('rejects a sign-in and an application password of a user who is deleted meanwhile', async () => {
    const { platform } = app;
    const boss = await makeUser(platform);
    const signIn = createSignIn({ platform, secondFactorFor: 'off' }, new SignInLimits(platform));
    const from = { address: '192.0.2.1', deviceToken: undefined };
    const leave = async (login: string) => {
      const { user, password } = await make(login);
      const signingIn = signIn({ login, password, ...from });
      await removeUser(platform, boss, user.id);
      return { user, outcome: await signingIn };
    };
    let { user, outcome } = await leave('leaver');
    // On a busy machine a deletion can take longer than the check of a password.
    for (let n = 1; n < 10 && outcome.outcome !== 'wrong'; n++)
      ({ user, outcome } = await leave(`leaver-${n}`));
    expect(outcome).toEqual({ outcome: 'wrong' });
    const account = { user, passwordHash: '', sessionVersion: 0, lockoutVersion: 0 };
    const external = { ...account, hasOwnEmailEntry: false, needsPasswordCheck: false };
    await expect(openExternalSession(platform, external, undefined)).rejects.toThrow(
      UserDeletedError,
    );

    const { user: other } = await make('other');
    let adding: Promise<unknown> | undefined;
    let resetting: Promise<void> | undefined;
    await platform.datastore.transaction(async (trx) => {
      await lockUsers(trx);
      await deleteUser(trx, other.id);
      adding = addApplicationPassword(platform, other.id, 'late', 'test').catch((error) => error);
      const sender = async () => ({ fromName: 'Shop', language: 'en' });
      const mail = { sender, consoleUrl: () => 'https://example.com/admin' };
      resetting = requestPasswordReset(platform, mail, 'other');
      await setTimeout(300);
    });
    expect(await adding).toMatchObject({ code: 'rest_user_invalid_id' });
    await resetting;
  });

  it('deletes a user with the session that is opened meanwhile', async () => {
    const { platform } = app;
    const boss = await makeUser(platform);
    const { user } = await make('entrant');
    let removing: Promise<void> | undefined;
    await platform.datastore.transaction(async (trx) => {
      const at = platform.clock.now();
      await touchUser(trx, user.id, at);
      const row = { user_id: user.id, token_hash: 'a hash', session_version: 0, created_at: at };
      await insertSession(trx, { ...row, expires_at: at + 1 });
      removing = removeUser(platform, boss, user.id);
      // Until it waits for this transaction.
      await setTimeout(300);
    });
    await removing;
    expect((await listUsers(platform)).map(({ login }) => login)).not.toContain('entrant');
  });

  it.each(['', 'a b', 'a:b', 'a@example.com', '-a', 'é', 'a'.repeat(61), 'a\n'])(
    'rejects the login %j',
    async (login) => {
      const error = await make(login, 'x@example.com').catch((thrown) => thrown);
      expect(error).toBeInstanceOf(InvalidFieldError);
      expect(error).not.toBeInstanceOf(TakenError);
      expect(error.message).toContain('username');
    },
  );

  it('lists users with their application passwords, which have unique names and are revoked by name', async () => {
    await make('Lister');
    const add = (name: string) => addApplicationPassword(app.platform, 'lister', name, 'test');
    const names = async () =>
      (await listUsers(app.platform))
        .find(({ login }) => login === 'Lister')
        ?.applicationPasswords.map(({ name }) => name);
    expect(await add(' backup ')).toMatchObject({ login: 'Lister', name: 'backup' });
    await add('phone');
    await expect(add('phone')).rejects.toMatchObject({
      reason: expect.stringMatching(/named "phone"/),
    });
    expect(await names()).toEqual(['backup', 'phone']);
    await revokeApplicationPassword(app.platform, 'LISTER', { name: 'backup' }, 'test');
    expect(await names()).toEqual(['phone']);
    await expect(
      revokeApplicationPassword(app.platform, 'lister', { name: 'backup' }, 'test'),
    ).rejects.toThrow(/has no application password/);
    for (const name of ['', ' ', 'x'.repeat(101), 'a\u0000b']) {
      await expect(add(name), name).rejects.toThrow('Invalid parameter(s): name');
    }
  });

  it('rejects every change of an unknown user', async () => {
    const { platform } = app;
    for (const change of [
      () => resetPassword(app.signIn, 'nobody', 'test'),
      () => addApplicationPassword(platform, 'nobody', 'x', 'test'),
      () => revokeApplicationPassword(platform, 'nobody', { name: 'x' }, 'test'),
    ]) {
      await expect(change()).rejects.toThrow(/No user has the login nobody/);
    }
  });
});
