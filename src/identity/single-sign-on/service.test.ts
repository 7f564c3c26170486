import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { makeUser } from '../../../test/support/users.ts';
import { toProviderUser } from './rules.ts';
import { resolveAccount } from './service.ts';

describe.each(ENGINES)('Single sign-on without a mapping of roles on %s', (engine) => {
  const app = useTestApp(engine);
  const enter = (sub: string, claims: object) => {
    const token = { iss: 'https://login.example.com', sub, ...claims };
    return resolveAccount(app.platform, toProviderUser(token, {}, 'groups'), undefined);
  };

  it('says of an address that is not verified only that, whether or not there is an account', async () => {
    const { id, email } = await makeUser(app.platform, 'editor');
    for (const claims of [
      { email },
      { email, email_verified: false },
      { email: `nobody-${email}`, email_verified: false },
      {},
    ])
      await expect(enter('a', claims)).rejects.toThrow('email_not_verified');
    await expect(enter('a', { email: `nobody-${email}`, email_verified: true })).rejects.toThrow(
      'no_account',
    );
    const { user } = await enter('a', { email, email_verified: true });
    expect(user.id).toBe(id);
    expect((await enter('a', {})).user.id).toBe(id);
  });
});
