import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { revokeLicence, rotateKey, suspendLicence } from '../../licences/index.ts';
import { createPlan, createProduct } from '../../products/index.ts';
import { importLicences } from '../index.ts';

const BY = { actor: 'test', login: 'test' };

describe.each(ENGINES)('POST /licence/exchange on %s', (engine) => {
  const app = useTestApp(engine);
  let made = 0;

  beforeAll(async () => {
    await createProduct(app.platform, { slug: 'forms', name: 'Forms' }, 'test');
    await createPlan(app.platform, 'forms', { tier: 'solo', features: ['export'] }, 'test');
  });

  async function makeOld(more: Record<string, unknown> = {}) {
    const oldKey = `old-key-${++made}-of-${engine}`;
    const entry = {
      external_id: `e-${made}`,
      old_key: oldKey,
      email: `old-${made}@example.com`,
      product: 'forms',
      tier: 'solo',
      sites_allowed: 2,
      expires_at: 'lifetime',
      ...more,
    };
    const content = JSON.stringify([entry]);
    const request = { format: 'json' as const, content, dryRun: false };
    const { lines } = await importLicences(app.platform, request, BY);
    return { oldKey, id: lines[0]?.id ?? '' };
  }
  const exchange = (licence_key: string, site_url: string, more: object = {}) =>
    app.http.post('/licence/exchange', { body: { licence_key, site_url, ...more } });

  it('returns a new key, with which the site is valid', async () => {
    const { oldKey } = await makeOld();
    const { status, json } = await exchange(oldKey, 'https://a.example.com');
    expect(status).toBe(200);
    expect(json).toEqual({
      licence_key: expect.stringMatching(/^pv_live_[A-Za-z0-9]{32}$/),
      activation_id: expect.any(Number),
      product: 'forms',
      tier: 'solo',
      features: ['export'],
      repeatable_until: new Date(app.clock.now() + 7 * DAY_MS).toISOString(),
    });
    const valid = await app.http.site('validate', json.licence_key, 'https://a.example.com');
    expect(valid.json).toMatchObject({ valid: true, site_active: true, sites_used: 1 });
  });

  it('repeats its answer to the same site for 7 days, and then no more', async () => {
    const { oldKey } = await makeOld();
    const first = await exchange(oldKey, 'https://a.example.com');
    app.clock.advance(7 * DAY_MS - 1);
    const again = await exchange(oldKey, 'http://www.A.example.com/');
    expect(again.json).toEqual(first.json);
    app.clock.advance(1);
    const late = await exchange(oldKey, 'https://a.example.com');
    expect([late.status, late.json.error]).toEqual([403, 'exchange_closed']);
    // The other site of the licence still can.
    const other = await exchange(oldKey, 'https://b.example.com');
    expect(other.json.licence_key).toBe(first.json.licence_key);
  });

  it('gives every site of a licence the same key, also at the same time, and no more than are allowed', async () => {
    const { oldKey } = await makeOld();
    const answers = await Promise.all(
      ['a', 'b', 'a', 'c', 'd', 'b'].map((name) =>
        exchange(oldKey, `https://${name}.example.com`).then((answer) => ({ name, ...answer })),
      ),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(new Set(given.map(({ name }) => name)).size).toBe(2);
    expect(new Set(given.map(({ json }) => json.licence_key)).size).toBe(1);
    for (const { status, json } of answers.filter((answer) => answer.status !== 200))
      expect([status, json.error]).toEqual([403, 'activation_limit_reached']);
    const [{ json }] = given as [(typeof given)[number]];
    const valid = await app.http.site('validate', json.licence_key, 'https://x.example.com');
    expect(valid.json).toMatchObject({ sites_used: 2 });
  });

  it('lets sites that were active before keep their slots', async () => {
    const { oldKey } = await makeOld({ sites: ['https://a.example.com', 'b.example.com'] });
    expect((await exchange(oldKey, 'https://c.example.com')).json.error).toBe(
      'activation_limit_reached',
    );
    expect((await exchange(oldKey, 'https://b.example.com')).status).toBe(200);
    expect((await exchange(oldKey, 'https://a.example.com')).status).toBe(200);
  });

  it('accepts old keys nowhere else', async () => {
    const { oldKey } = await makeOld();
    for (const verb of ['validate', 'activate', 'deactivate'] as const)
      expect((await app.http.site(verb, oldKey, 'https://a.example.com')).status).toBe(401);
  });

  it('answers an unknown key and the key of another product alike', async () => {
    const { oldKey } = await makeOld();
    const unknown = await exchange('no-such-old-key', 'https://a.example.com');
    const other = await exchange(oldKey, 'https://a.example.com', { product: 'pavis' });
    expect(unknown.status).toBe(404);
    expect(unknown.json.error).toBe('licence_not_found');
    expect([other.status, other.text]).toEqual([unknown.status, unknown.text]);
    expect((await exchange(oldKey, 'https://a.example.com', { product: 'forms' })).status).toBe(
      200,
    );
  });

  it('needs the product if licences of two products have the same old key', async () => {
    const old_key = `shared-old-key-${engine}`;
    await makeOld({ old_key });
    await makeOld({ old_key, product: 'pavis', tier: 'pro' });
    const unclear = await exchange(old_key, 'https://a.example.com');
    expect([unclear.status, unclear.json.error]).toEqual([400, 'invalid_request']);
    const named = await exchange(old_key, 'https://a.example.com', { product: 'pavis' });
    expect(named.json).toMatchObject({ product: 'pavis', tier: 'pro' });
  });

  it('ends when the key is rotated, also during its overlap', async () => {
    const { oldKey, id } = await makeOld();
    expect((await exchange(oldKey, 'https://a.example.com')).status).toBe(200);
    await rotateKey(app.platform, id, 24, 'test');
    const { status, json } = await exchange(oldKey, 'https://a.example.com');
    expect([status, json]).toEqual([
      403,
      {
        error: 'exchange_closed',
        message: 'The key of this licence was rotated. Enter its current key.',
      },
    ]);
  });

  it('ends a year after the import', async () => {
    const { oldKey } = await makeOld();
    app.clock.advance(365 * DAY_MS - 1);
    expect((await exchange(oldKey, 'https://a.example.com')).status).toBe(200);
    app.clock.advance(1);
    expect((await exchange(oldKey, 'https://b.example.com')).json.error).toBe('exchange_closed');
  });

  it('gives the key of an expired or suspended licence to active sites only, and of a revoked one to none', async () => {
    const sites = ['https://a.example.com'];
    const expired = await makeOld({ sites, expires_at: '2020-01-01' });
    const { json } = await exchange(expired.oldKey, 'https://a.example.com');
    const answer = await app.http.site('validate', json.licence_key, 'https://a.example.com');
    expect(answer.json).toMatchObject({ valid: false });
    const refused = await exchange(expired.oldKey, 'https://b.example.com');
    expect([refused.status, refused.json.error]).toEqual([403, 'licence_expired']);
    const suspended = await makeOld({ sites });
    await suspendLicence(app.platform, suspended.id, 'test');
    expect((await exchange(suspended.oldKey, 'https://a.example.com')).status).toBe(200);
    expect((await exchange(suspended.oldKey, 'https://b.example.com')).json.error).toBe(
      'licence_suspended',
    );
    const revoked = await makeOld({ sites });
    await revokeLicence(app.platform, revoked.id, 'test');
    expect((await exchange(revoked.oldKey, 'https://a.example.com')).json.error).toBe(
      'licence_revoked',
    );
  });

  it('rejects a site that is not one, and stores no old key', async () => {
    const { oldKey } = await makeOld();
    expect((await exchange(oldKey, 'nowhere')).json.error).toBe('invalid_request');
    expect((await exchange('', 'https://a.example.com')).status).toBe(400);
    const rows = await app.platform.datastore.db
      .selectFrom('licence_imports')
      .selectAll()
      .execute();
    const events = await app.platform.datastore.db
      .selectFrom('licence_events')
      .select('details')
      .execute();
    expect(JSON.stringify([rows, events])).not.toContain(oldKey);
    expect(JSON.stringify(rows)).not.toContain('@');
  });
});
