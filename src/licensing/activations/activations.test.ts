import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { createBearerHeader, makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import {
  editLicence,
  extendLicence,
  lockLicence,
  revokeLicence,
  rotateKey,
  suspendLicence,
  updateLicence,
} from '../licences/index.ts';

describe.each(ENGINES)('POST /licence/activate and /licence/deactivate on %s', (engine) => {
  const app = useTestApp(engine);

  async function history(key: string, email: string) {
    const headers = await createBearerHeader(app.platform, email);
    return (await app.http.get(`/licence/info?key=${key}`, { headers })).json.activations;
  }

  it('activates a site and returns the tier and its features', async () => {
    const { key } = await makeLicence(app.platform);
    const { status, json } = await app.http.site('activate', key, 'https://example.com');
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      activation_id: expect.any(Number),
      tier: 'pro',
      features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
    });
  });

  it('returns the existing activation of an active site, also when the licence is full', async () => {
    const { key } = await makeLicence(app.platform, { sitesAllowed: 1 });
    const first = await app.http.site('activate', key, 'https://example.com');
    const again = await app.http.site('activate', key, 'http://www.EXAMPLE.com/');
    expect(again.status).toBe(200);
    expect(again.json.activation_id).toBe(first.json.activation_id);
  });

  it('returns activation_limit_reached with both numbers when all slots are in use', async () => {
    const { key, id } = await makeLicence(app.platform, { sitesAllowed: 2 });
    await app.http.site('activate', key, 'https://a.example.com');
    await app.http.site('activate', key, 'https://b.example.com');
    const site = 'https://ada:secret@www.C.example.com/shop/?token=secret#top';
    const { status, json } = await app.http.site('activate', key, site);
    expect(status).toBe(403);
    expect(json).toEqual({
      error: 'activation_limit_reached',
      message: '2 of 2 activations are in use. Deactivate a site to free one.',
      help_url: `${app.url}/account/switch-site?licence=${id}&site=https%3A%2F%2Fwww.c.example.com%2Fshop`,
    });
  });

  it('says how many sites to deactivate when more are active than the licence allows', async () => {
    const { key, id } = await makeLicence(app.platform, { sitesAllowed: 3 });
    const sites = ['a', 'b', 'c'].map((name) => `https://${name}.example.com`);
    for (const site of sites) await app.http.site('activate', key, site);
    await editLicence(app.platform, id, { edits: { sites_allowed: 2 } }, 'test');
    const other = 'https://other.example.com';
    const message = '3 of 2 activations are in use. Deactivate 2 sites to free one.';
    expect((await app.http.site('validate', key, other)).json.message).toBe(message);
    expect((await app.http.site('activate', key, other)).json.message).toBe(message);
    for (const site of sites.slice(0, 2)) await app.http.site('deactivate', key, site);
    expect((await app.http.site('activate', key, other)).status).toBe(200);
  });

  it('leaves the help link out if its page would refuse the encoded URL of the site', async () => {
    const { key } = await makeLicence(app.platform, { sitesAllowed: 1 });
    await app.http.site('activate', key, 'https://a.example.com');
    const site = `https://www.e.example/${'é'.repeat(339)}`;
    const { status, json } = await app.http.site('activate', key, site);
    expect([status, json.error]).toEqual([403, 'activation_limit_reached']);
    expect(json).not.toHaveProperty('help_url');
  });

  it('frees the slot on deactivation, returns the URL as sent, and keeps the history', async () => {
    const { key, email } = await makeLicence(app.platform, { sitesAllowed: 1 });
    const first = await app.http.site('activate', key, 'https://Example.com/shop/');
    app.clock.advance(60_000);
    const { status, json } = await app.http.site('deactivate', key, 'http://example.com/shop');
    expect(status).toBe(200);
    expect(json).toEqual({ success: true, message: 'http://example.com/shop is deactivated.' });

    const second = await app.http.site('activate', key, 'https://example.com/shop');
    expect(second.status).toBe(200);
    expect(second.json.activation_id).not.toBe(first.json.activation_id);
    expect(await history(key, email)).toEqual([
      {
        id: first.json.activation_id,
        site_url: 'https://Example.com/shop/',
        activated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        deactivated_at: new Date(app.clock.now()).toISOString(),
      },
      {
        id: second.json.activation_id,
        site_url: 'https://example.com/shop',
        activated_at: new Date(app.clock.now()).toISOString(),
        deactivated_at: null,
      },
    ]);
  });

  it('returns the same for a second deactivation, and false for a site that was never active', async () => {
    const { key } = await makeLicence(app.platform);
    await app.http.site('activate', key, 'https://example.com');
    const once = await app.http.site('deactivate', key, 'https://example.com');
    const twice = await app.http.site('deactivate', key, 'https://example.com');
    expect(twice.json).toEqual(once.json);
    const never = await app.http.site('deactivate', key, 'https://other.example.com');
    expect(never.status).toBe(200);
    expect(never.json).toEqual({
      success: false,
      message: 'https://other.example.com was never activated with this licence.',
    });
  });

  it('rejects activations but not deactivations for expired, suspended and revoked licences', async () => {
    const ends: [string, (id: string) => Promise<unknown>][] = [
      ['licence_expired', (id) => extendLicence(app.platform, id, app.clock.now(), 'test')],
      ['licence_suspended', (id) => suspendLicence(app.platform, id, 'test')],
      ['licence_revoked', (id) => revokeLicence(app.platform, id, 'test')],
    ];
    for (const [code, end] of ends) {
      const { key, id } = await makeLicence(app.platform);
      await app.http.site('activate', key, 'https://example.com');
      await end(id);
      const refused = await app.http.site('activate', key, 'https://example.com');
      expect([refused.status, refused.json.error]).toEqual([403, code]);
      if (code === 'licence_suspended') expect(refused.json.message).toContain('pay it');
      const freed = await app.http.site('deactivate', key, 'https://example.com');
      expect([freed.status, freed.json.success]).toEqual([200, true]);
    }
  });

  it('counts no slot for development sites of licences where they are free', async () => {
    const free = await makeLicence(app.platform, { sitesAllowed: 1, developmentSitesFree: true });
    for (const site of [
      'http://localhost:8080',
      'https://shop.test',
      'https://staging.example.com',
      'https://example.com',
    ]) {
      expect((await app.http.site('activate', free.key, site)).status).toBe(200);
    }
    expect((await app.http.site('validate', free.key, 'https://example.com')).json.sites_used).toBe(
      1,
    );
    // The licence is full, but this site needs no slot.
    const another = 'https://dev.example.com';
    expect((await app.http.site('validate', free.key, another)).json).toMatchObject({
      valid: true,
      state: 'not_activated',
    });
    expect((await app.http.site('activate', free.key, another)).status).toBe(200);
    const strict = await makeLicence(app.platform, { sitesAllowed: 1 });
    await app.http.site('activate', strict.key, 'http://localhost:8080');
    expect((await app.http.site('activate', strict.key, 'https://example.com')).status).toBe(403);
  });

  it('activates three of fifty concurrent sites on three slots, and rejects the others', async () => {
    const { key } = await makeLicence(app.platform);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        app.http.site('activate', key, `https://site-${n}.example.com`),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(403)]).toEqual([3, 47]);
    const refused = answers.filter(({ status }) => status === 403);
    expect(new Set(refused.map(({ json }) => json.error))).toEqual(
      new Set(['activation_limit_reached']),
    );
  });

  /** Sends a site's activation, and resolves once it waits for whoever holds the licence. */
  async function activateMeanwhile(key: string) {
    const answer = app.http.site('activate', key, 'https://example.com');
    if (engine === 'postgres') {
      const { db } = app.platform.datastore;
      const waiting = sql<object>`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
    }
    return { answer };
  }

  it('does not activate with a key that is rotated during the request', async () => {
    const { key, id, email } = await makeLicence(app.platform);
    let waiting: Awaited<ReturnType<typeof activateMeanwhile>> | undefined;
    const rerolled = await rotateKey(app.platform, id, 0, 'test', async () => {
      waiting = await activateMeanwhile(key);
    });
    expect((await waiting?.answer)?.status).toBe(404);
    expect(await history(rerolled.key, email)).toEqual([]);
  });

  it('does not activate on a licence that is revoked during the request', async () => {
    const { key, id, email } = await makeLicence(app.platform);
    let waiting: Awaited<ReturnType<typeof activateMeanwhile>> | undefined;
    await app.platform.datastore.transaction(async (trx) => {
      const licence = await lockLicence(trx, id);
      if (licence) await updateLicence(trx, licence.id, { revoked_at: app.clock.now() });
      waiting = await activateMeanwhile(key);
    });
    expect((await waiting?.answer)?.json.error).toBe('licence_revoked');
    expect(await history(key, email)).toEqual([]);
  });

  it('creates one activation for thirty concurrent requests of a site', async () => {
    const { key, email } = await makeLicence(app.platform);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => app.http.site('activate', key, 'https://example.com')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(new Set(answers.map(({ json }) => json.activation_id)).size).toBe(1);
    expect(await history(key, email)).toHaveLength(1);
  });
});
