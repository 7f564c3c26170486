import { describe, expect, it } from 'vitest';
import { pavis, pavisJson } from '../support/process.ts';
import { useServerProcess } from '../support/server-process.ts';

const ALL = 'licences:read,licences:issue,licences:write';

describe('pavis api-token, beside a running server', () => {
  const server = useServerProcess();
  const { env } = server;
  const token = (...args: string[]) => pavisJson(['api-token', ...args], env);
  const ask = (secret: string) =>
    server.http.get('/admin/licences', { headers: { authorization: `Bearer ${secret}` } });

  it('creates a token that works at once, lists it, and revokes it at once', async () => {
    const made = await token('create', 'Shop', '--scopes', ALL, '--expires', '2099-01-01');
    expect(made).toMatchObject({
      name: 'Shop',
      scopes: ALL.split(','),
      product: null,
      status: 'active',
      created_by: null,
      expires_at: '2099-01-01T00:00:00.000Z',
      secret: expect.stringMatching(/^pv_api_[A-Za-z0-9]{40}$/),
    });
    expect((await ask(made.secret)).status).toBe(200);
    const { tokens } = await token('list');
    const { secret, ...listed } = made;
    expect(tokens).toEqual([{ ...listed, last_used_at: expect.any(String) }]);

    expect(await token('revoke', String(made.id))).toMatchObject({ status: 'revoked' });
    expect((await ask(secret)).status).toBe(401);
    const events = await pavisJson(['security-log', 'list', '--event', 'api_token_changed'], env);
    expect(events.events).toHaveLength(2);
  });

  it.each([
    [['create', 'Shop', '--scopes', 'licences:delete'], 2, 'licences:read, licences:issue'],
    [['create', 'Shop', '--scopes', ALL, '--product', 'none'], 2, 'product must be one of'],
    [['create', 'Shop', '--scopes', ALL, '--expires', '2020-01-01'], 2, 'Enter a future date'],
    [['create', 'Shop'], 2, '--scopes'],
    [['revoke', '999'], 1, 'The API token was not found.'],
    [['revoke', 'x'], 2, 'whole number'],
  ])('refuses %j', async (args, code, message) => {
    const refused = await pavis(['api-token', ...args], env);
    expect([refused.code, refused.stdout]).toEqual([code, '']);
    expect(refused.stderr).toContain(message);
  });
});
