import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { revokeLicence, rotateKey, suspendLicence } from '../licences/index.ts';
import { rotateSigningKey } from '../signing-keys/index.ts';

const SITE = 'https://www.Example.com/shop/';

describe.each(ENGINES)('POST /licence/lease on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_LEASE_DAYS: '14' });
  const lease = (key: string, more: object = {}) =>
    app.http.post('/licence/lease', {
      headers: { 'x-licence-key': key },
      body: { licence_key: key, site_url: SITE, ...more },
    });
  const makeActivated = async (request: Parameters<typeof makeLicence>[1] = {}) => {
    const licence = await makeLicence(app.platform, request);
    await app.http.site('activate', licence.key, SITE);
    return licence;
  };
  const verify = async (token: string, typ = 'pavis-lease+jwt', behindMs = 0) => {
    const keys = createLocalJWKSet((await app.http.get('/licence/public-key')).json);
    const currentDate = new Date(app.clock.now() - behindMs);
    return jwtVerify(token, keys, { issuer: 'pavis', typ, algorithms: ['EdDSA'], currentDate });
  };

  it('signs what the licence contains for an activated site, without key and customer', async () => {
    const { key, id, email } = await makeActivated({ tier: 'agency' });
    const { status, json, headers } = await lease(key);
    expect(status).toBe(200);
    const issued = Math.floor(app.clock.now() / 1_000);
    expect(json).toEqual({
      lease: expect.any(String),
      key_id: expect.any(String),
      issued_at: new Date(issued * 1_000).toISOString(),
      expires_at: new Date((issued + 14 * 86_400) * 1_000).toISOString(),
    });
    expect(headers.get('cache-control')).toBe('no-store, private');
    const { payload, protectedHeader } = await verify(json.lease);
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'pavis-lease+jwt', kid: json.key_id });
    expect(payload).toEqual({
      iss: 'pavis',
      sub: id,
      iat: issued,
      nbf: issued - 86_400,
      exp: issued + 14 * 86_400,
      product: 'pavis',
      site: 'example.com/shop',
      site_url: SITE,
      tier: 'agency',
      mode: 'live',
      features: ['dsar', 'retention', 'reporting', 'advanced_integrations', 'white_label'],
      paid_until: '9999-12-31T23:59:59.000Z',
      grace_until: '9999-12-31T23:59:59.000Z',
    });
    const text = Buffer.from(json.lease.split('.')[1], 'base64url').toString();
    expect(text).not.toContain(email);
    expect(text).not.toContain(key.slice(-8));
  });

  it('is accepted by a site whose clock is up to a day behind', async () => {
    const { key } = await makeActivated();
    const { json } = await lease(key);
    for (const behindMs of [2_000, 60_000, DAY_MS])
      await verify(json.lease, 'pavis-lease+jwt', behindMs);
    await expect(verify(json.lease, 'pavis-lease+jwt', DAY_MS + 1_000)).rejects.toThrow('nbf');
  });

  it('is valid for fewer days on request, and never longer than the licence', async () => {
    const expiresAt = app.clock.now() + 3 * DAY_MS;
    const { key } = await makeActivated({ expiresAt, graceDays: 2 });
    const lifetime = async (more: object) => {
      const { iat = 0, exp = 0 } = decodeJwt((await lease(key, more)).json.lease);
      return (exp - iat) / 86_400;
    };
    expect(await lifetime({})).toBe(5);
    expect(await lifetime({ days: 1 })).toBe(1);
    app.clock.advance(4 * DAY_MS);
    expect(await lifetime({})).toBe(1);
    for (const days of [0, 15, 1.5, '7', null]) {
      const { status, json } = await lease(key, { days });
      expect([days, status, json.error]).toEqual([days, 400, 'invalid_request']);
    }
  });

  it('is refused without an activation or a valid licence, and says why', async () => {
    const ask = async (key: string, more: object = {}) => {
      const { status, json } = await lease(key, more);
      return [status, json.error];
    };
    const { key, id } = await makeLicence(app.platform);
    expect((await lease(key)).json).toEqual({
      error: 'site_not_activated',
      message: `${SITE} is not activated. Activate it with POST /licence/activate first.`,
    });
    await app.http.site('activate', key, SITE);
    expect(await ask(key)).toEqual([200, undefined]);
    expect(await ask(key, { product: 'other' })).toEqual([404, 'licence_not_found']);
    expect(await ask(key, { site_url: 'ftp://x' })).toEqual([400, 'invalid_request']);
    expect(await ask(key, { licence_key: `pv_live_${'x'.repeat(32)}` })).toEqual([
      401,
      'unauthorised',
    ]);
    await app.http.site('deactivate', key, SITE);
    expect(await ask(key)).toEqual([403, 'site_not_activated']);
    await app.http.site('activate', key, SITE);
    await suspendLicence(app.platform, id, 'test');
    expect(await ask(key)).toEqual([403, 'licence_suspended']);
    await revokeLicence(app.platform, id, 'test');
    expect(await ask(key)).toEqual([403, 'licence_revoked']);
    const ending = await makeActivated({ expiresAt: app.clock.now() + DAY_MS });
    app.clock.advance(DAY_MS);
    expect(await ask(ending.key)).toEqual([403, 'licence_expired']);
    const rotated = await makeActivated();
    await rotateKey(app.platform, rotated.id, 0, 'test');
    expect(await ask(rotated.key)).toEqual([404, 'licence_not_found']);
    expect(await ask(`pv_live_${'x'.repeat(32)}`)).toEqual([404, 'licence_not_found']);
  });

  it('is verified after the signing key was rotated, until the old key is revoked', async () => {
    const { key } = await makeActivated();
    const before = (await lease(key)).json;
    const next = await rotateSigningKey(app.platform, false, 'test');
    const after = (await lease(key)).json;
    expect(next).toEqual({ kid: after.key_id, previous: before.key_id });
    await verify(before.lease);
    await verify(after.lease);
    await rotateSigningKey(app.platform, true, 'test');
    const last = (await lease(key)).json;
    await expect(verify(before.lease)).rejects.toThrow('no applicable key');
    await expect(verify(after.lease)).rejects.toThrow('no applicable key');
    await verify(last.lease);
  });
});

describe('The limit of POST /licence/lease', () => {
  const app = useTestApp('sqlite', { PAVIS_RATE_LIMIT_VALIDATE: '2' });

  it('is that of validate, counted by itself', async () => {
    const { key } = await makeLicence(app.platform);
    const ask = async (verb: string) => {
      const body = { licence_key: key, site_url: SITE };
      const answer = await app.http.post(`/licence/${verb}`, {
        headers: { 'x-licence-key': key },
        body,
      });
      return [answer.status, answer.headers.get('ratelimit-remaining')];
    };
    expect(await ask('lease')).toEqual([403, '1']);
    expect(await ask('lease')).toEqual([403, '0']);
    expect(await ask('lease')).toEqual([429, '0']);
    expect(await ask('validate')).toEqual([200, '1']);
  });
});
