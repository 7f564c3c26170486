import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { bearerOf, makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS, revokeLicence } from '../licences/index.ts';

describe.each(ENGINES)('What a signed-in customer sees on %s', (engine) => {
  const app = useTestApp(engine);

  it('GET /licence/info shows the licence with a masked key and its whole history', async () => {
    const issuedAt = app.clock.now();
    const { key, id, email } = await makeLicence(app.platform, { expiresAt: issuedAt + DAY_MS });
    app.clock.advance(1_000);
    const activated = await app.http.site('activate', key, 'https://example.com');
    const { status, json, headers } = await app.http.get(`/licence/info?key=${key}`, {
      headers: await bearerOf(app.platform, email),
    });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store, private');
    const activatedAt = new Date(issuedAt + 1_000).toISOString();
    expect(json).toEqual({
      id,
      key: `${key.slice(0, 12)}…${key.slice(-4)}`,
      mode: 'live',
      tier: 'pro',
      status: 'active',
      sites_allowed: 3,
      sites_used: 1,
      expires_at: new Date(issuedAt + DAY_MS).toISOString(),
      activated_at: activatedAt,
      activations: [
        {
          id: activated.json.activation_id,
          site_url: 'https://example.com',
          activated_at: activatedAt,
          deactivated_at: null,
        },
      ],
    });
  });

  it('shows the issue as activated_at, and a far end, on a perpetual licence never activated', async () => {
    const { key, email } = await makeLicence(app.platform);
    const headers = await bearerOf(app.platform, email);
    const { json } = await app.http.get(`/licence/info?key=${key}`, { headers });
    expect(json).toMatchObject({
      expires_at: '9999-12-31T23:59:59.000Z',
      activated_at: new Date(app.clock.now()).toISOString(),
      sites_used: 0,
      activations: [],
    });
  });

  it("answers somebody else's key and an unknown one alike, to the byte", async () => {
    const mine = await makeLicence(app.platform);
    const theirs = await makeLicence(app.platform);
    const headers = await bearerOf(app.platform, mine.email);
    const foreign = await app.http.get(`/licence/info?key=${theirs.key}`, { headers });
    const unknown = await app.http.get(`/licence/info?key=pv_live_${'z'.repeat(32)}`, { headers });
    expect(foreign.status).toBe(404);
    expect(foreign.json.error).toBe('licence_not_found');
    expect(foreign.text).toBe(unknown.text);
  });

  it('GET /customer/licences lists the licences of the customer, newest first, and no others', async () => {
    const first = await makeLicence(app.platform);
    const second = await makeLicence(app.platform, {
      email: first.email.toUpperCase(),
      mode: 'test',
      tier: 'agency',
    });
    await makeLicence(app.platform);
    await revokeLicence(app.platform, first.id, 'test');
    const { status, json } = await app.http.get('/customer/licences', {
      headers: await bearerOf(app.platform, first.email),
    });
    expect(status).toBe(200);
    expect(
      json.licences.map(({ id, status, mode, sites_used }: Record<string, unknown>) => [
        id,
        status,
        mode,
        sites_used,
      ]),
    ).toEqual([
      [second.id, 'active', 'test', 0],
      [first.id, 'revoked', 'live', 0],
    ]);
    expect(json.licences[0]).not.toHaveProperty('activations');
  });

  it('writes neither keys, nor tokens, nor addresses into the log', async () => {
    const { key, email } = await makeLicence(app.platform);
    const headers = await bearerOf(app.platform, email);
    await app.http.get(`/licence/info?key=${key}`, { headers });
    await app.http.site('activate', key, 'https://example.com');
    const requests = app
      .logged()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'));
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.join()).not.toContain('127.0.0.1');
    expect(app.logged()).not.toContain(key);
    expect(app.logged()).not.toContain('@example.com');
    expect(app.logged()).not.toContain(headers.authorization?.slice('Bearer '.length));
  });
});
