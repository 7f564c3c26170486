import { describe, expect, it, vi } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS } from '../../platform/durations.ts';
import {
  extendLicence,
  reinstateLicence,
  revokeLicence,
  rotateKey,
  suspendLicence,
} from '../licences/index.ts';

const SITE = 'https://example.com';

describe.each(ENGINES)('POST /licence/validate on %s', (engine) => {
  const app = useTestApp(engine);
  const validate = async (key: string, site = SITE) =>
    (await app.http.site('validate', key, site)).json;

  it('returns the documented fields for an active licence', async () => {
    const expiresAt = app.clock.now() + 30 * DAY_MS;
    const { key } = await makeLicence(app.platform, { expiresAt });
    const { status, json, headers } = await app.http.site('validate', key, SITE);
    expect(status).toBe(200);
    expect(json).toEqual({
      valid: true,
      tier: 'pro',
      sites_allowed: 3,
      sites_used: 0,
      expires_at: new Date(expiresAt).toISOString(),
      message: 'Licence is active. Activation slots in use: 0 of 3.',
      site_active: false,
      paid_until: new Date(expiresAt).toISOString(),
      mode: 'live',
      product: 'pavis',
      features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
      state: 'not_activated',
    });
    expect(headers.get('cache-control')).toBe('no-store, private');
  });

  it('returns 404 licence_not_found for an unknown key', async () => {
    const { status, json } = await app.http.site('validate', `pv_live_${'a'.repeat(32)}`, SITE);
    expect(status).toBe(404);
    expect(json).toEqual({ error: 'licence_not_found', message: 'No licence has this key.' });
  });

  it('counts activations and deactivations at once, although the licence is cached', async () => {
    const { key } = await makeLicence(app.platform);
    expect((await validate(key)).sites_used).toBe(0);
    await app.http.site('activate', key, SITE);
    expect(await validate(key)).toMatchObject({
      sites_used: 1,
      site_active: true,
      message: 'Licence is active for this site.',
    });
    await app.http.site('deactivate', key, SITE);
    expect(await validate(key)).toMatchObject({ sites_used: 0, site_active: false });
  });

  it('is not valid for a site without a slot on a full licence', async () => {
    const { key } = await makeLicence(app.platform, { sitesAllowed: 1 });
    await app.http.site('activate', key, SITE);
    expect(await validate(key)).toMatchObject({ valid: true, site_active: true });
    expect(await validate(key, 'https://other.example.com')).toMatchObject({
      valid: false,
      site_active: false,
      message: 'The only activation is already in use (1 of 1). Deactivate a site to free one.',
    });
  });

  it('is not valid from the millisecond in which a cached licence expires', async () => {
    const { key, id } = await makeLicence(app.platform, { expiresAt: app.clock.now() + 1_000 });
    const before = await validate(key);
    app.clock.advance(999);
    expect((await validate(key)).valid).toBe(true);
    app.clock.advance(1);
    const after = await validate(key);
    expect(after).toMatchObject({
      valid: false,
      message: `Licence expired on ${before.expires_at}. Renew it at ${app.url}/account/renew?licence=${id}`,
    });
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });

  it('is valid during the grace period and states the remaining days', async () => {
    const { key } = await makeLicence(app.platform, { expiresAt: app.clock.now(), graceDays: 2 });
    expect(await validate(key)).toMatchObject({
      valid: true,
      message: expect.stringContaining('in 2 days'),
    });
    app.clock.advance(2 * DAY_MS);
    expect((await validate(key)).valid).toBe(false);
  });

  it('asks to renew a licence in the grace period, but not one that a subscription renews', async () => {
    const inGrace = { expiresAt: app.clock.now(), graceDays: 2 };
    const page = `${app.url}/account/renew?licence=`;
    const single = await makeLicence(app.platform, inGrace);
    expect((await validate(single.key)).message).toMatch(
      `stops working in 2 days. Renew it at ${page}${single.id}`,
    );
    const { key, id } = await makeLicence(app.platform, inGrace);
    const { db } = app.platform.datastore;
    const licence = await db
      .selectFrom('licences')
      .select(['id', 'customer_id'])
      .where('public_id', '=', id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('purchases')
      .values({
        session_id: `cs_${id}`,
        licence_id: licence.id,
        customer_id: licence.customer_id,
        bought_at: app.clock.now(),
        year_ends_at: app.clock.now() + DAY_MS,
        tier: 'pro',
        expires_at: app.clock.now(),
        grace_days: 2,
        is_suspended: 0,
        is_revoked: 0,
        renews: 1,
      })
      .execute();
    const { message } = await validate(key);
    expect(message).toContain('renews automatically as soon as the payment is confirmed');
    expect(message).toMatch(`it stops working in 2 days. Check the payment at ${page}${id}`);
    expect(message).not.toContain('Renew it');
  });

  it('returns the end of the grace period as expires_at once the paid period is over', async () => {
    const paidUntil = app.clock.now() + DAY_MS;
    const { key, id } = await makeLicence(app.platform, {
      expiresAt: paidUntil,
      graceDays: 14,
    });
    const paid = new Date(paidUntil).toISOString();
    const endOfGrace = new Date(paidUntil + 14 * DAY_MS).toISOString();
    expect(await validate(key)).toMatchObject({ valid: true, expires_at: paid, paid_until: paid });
    app.clock.advance(DAY_MS);
    const inGrace = { valid: true, expires_at: endOfGrace, paid_until: paid };
    expect(await validate(key)).toMatchObject(inGrace);
    app.clock.advance(14 * DAY_MS - 1);
    expect(await validate(key)).toMatchObject(inGrace);
    app.clock.advance(1);
    expect(await validate(key)).toMatchObject({
      valid: false,
      expires_at: endOfGrace,
      paid_until: paid,
      message: `Licence expired on ${endOfGrace}. Renew it at ${app.url}/account/renew?licence=${id}`,
    });
  });

  it('applies suspension, reinstatement, extension and revocation at once', async () => {
    const { key, id } = await makeLicence(app.platform, { expiresAt: app.clock.now() + DAY_MS });
    expect((await validate(key)).valid).toBe(true);
    await suspendLicence(app.platform, id, 'test');
    expect(await validate(key)).toMatchObject({ valid: false, message: 'Licence is suspended.' });
    await reinstateLicence(app.platform, id, 'test');
    expect((await validate(key)).valid).toBe(true);
    await extendLicence(app.platform, id, app.clock.now() - 1, 'test');
    expect((await validate(key)).valid).toBe(false);
    await extendLicence(app.platform, id, app.clock.now() + DAY_MS, 'test');
    expect((await validate(key)).valid).toBe(true);
    await revokeLicence(app.platform, id, 'test');
    expect(await validate(key)).toMatchObject({
      valid: false,
      message: 'Licence has been revoked.',
    });
  });

  it('rejects the old key after a rotation, or after the overlap', async () => {
    const { key, id } = await makeLicence(app.platform);
    await validate(key);
    const second = await rotateKey(app.platform, id, 0, 'test');
    expect((await app.http.site('validate', key, SITE)).status).toBe(404);
    const third = await rotateKey(app.platform, id, 2, 'test');
    expect((await validate(second.key)).valid).toBe(true);
    expect((await validate(third.key)).valid).toBe(true);
    app.clock.advance(2 * 3_600_000);
    expect((await app.http.site('validate', second.key, SITE)).status).toBe(404);
    expect((await validate(third.key)).valid).toBe(true);
  });

  it('does not read the database for a cached key', async () => {
    const { key } = await makeLicence(app.platform);
    await validate(key);
    const executor = app.platform.datastore.db.getExecutor();
    const queries = vi.spyOn(Object.getPrototypeOf(executor), 'executeQuery');
    await validate(key);
    await validate(key, 'https://another.example.com');
    expect(queries).not.toHaveBeenCalled();
    await app.http.site('validate', `pv_live_${'b'.repeat(32)}`, SITE);
    expect(queries).toHaveBeenCalled();
    queries.mockRestore();
  });

  it('returns the same bytes and headers from the fast path and the route', async () => {
    const { key } = await makeLicence(app.platform);
    await validate(key);
    const headers = { 'x-licence-key': key, 'x-request-id': 'same' };
    const body = { licence_key: key, site_url: SITE };
    const fastPath = await app.http.post('/licence/validate', { headers, body });
    // A further field is nothing wrong, but not what the fast path takes.
    const route = await app.http.post('/licence/validate', { headers, body: { ...body, more: 1 } });
    expect(fastPath.text).toBe(route.text);
    const said = (answer: typeof fastPath) =>
      Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date'));
    expect(said(fastPath)).toEqual(said(route));
  });

  it('compares header and body for each request, also with a cached body', async () => {
    const { key } = await makeLicence(app.platform);
    const other = await makeLicence(app.platform);
    const body = { licence_key: key, site_url: SITE };
    for (let n = 0; n < 3; n++) {
      expect(
        (await app.http.post('/licence/validate', { headers: { 'x-licence-key': key }, body }))
          .status,
      ).toBe(200);
      expect(
        (
          await app.http.post('/licence/validate', {
            headers: { 'x-licence-key': other.key },
            body,
          })
        ).status,
      ).toBe(401);
      expect((await app.http.post('/licence/validate', { body })).status).toBe(401);
    }
  });

  it('finds a key that was requested before it was created', async () => {
    const { key } = await makeLicence(app.platform);
    const strange = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    expect((await app.http.site('validate', strange, SITE)).status).toBe(404);
    expect((await app.http.site('validate', key, SITE)).status).toBe(200);
  });
});
