import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { createBearerHeader, makeLicence, makeMoreLicences } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import { revokeLicence, suspendLicence, transferLicence } from '../licences/index.ts';

describe.each(ENGINES)('Customer account on %s', (engine) => {
  const app = useTestApp(engine);

  it('returns the licence with a masked key and its whole history', async () => {
    const issuedAt = app.clock.now();
    const { key, id, email } = await makeLicence(app.platform, { expiresAt: issuedAt + DAY_MS });
    app.clock.advance(1_000);
    const activated = await app.http.site('activate', key, 'https://example.com');
    const { status, json, headers } = await app.http.get(`/licence/info?key=${key}`, {
      headers: await createBearerHeader(app.platform, email),
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
      paid_until: new Date(issuedAt + DAY_MS).toISOString(),
      activated_at: activatedAt,
      product: 'pavis',
      plan: 'Pro',
      features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
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

  it('returns the issue date as activated_at of a lifetime licence without activations', async () => {
    const { key, email } = await makeLicence(app.platform);
    const headers = await createBearerHeader(app.platform, email);
    const { json } = await app.http.get(`/licence/info?key=${key}`, { headers });
    expect(json).toMatchObject({
      expires_at: '9999-12-31T23:59:59.000Z',
      activated_at: new Date(app.clock.now()).toISOString(),
      sites_used: 0,
      activations: [],
    });
  });

  it("returns the same bytes for another customer's key and an unknown key", async () => {
    const mine = await makeLicence(app.platform);
    const theirs = await makeLicence(app.platform);
    const headers = await createBearerHeader(app.platform, mine.email);
    const foreign = await app.http.get(`/licence/info?key=${theirs.key}`, { headers });
    const unknown = await app.http.get(`/licence/info?key=pv_live_${'z'.repeat(32)}`, { headers });
    expect(foreign.status).toBe(404);
    expect(foreign.json.error).toBe('licence_not_found');
    expect(foreign.text).toBe(unknown.text);
  });

  it('lists only the licences of the customer, newest first', async () => {
    const first = await makeLicence(app.platform);
    const second = await makeLicence(app.platform, {
      email: first.email.toUpperCase(),
      mode: 'test',
      tier: 'agency',
    });
    await makeLicence(app.platform);
    await revokeLicence(app.platform, first.id, 'test');
    const { status, json } = await app.http.get('/customer/licences', {
      headers: await createBearerHeader(app.platform, first.email),
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

  it('lists ten thousand licences in pages, each once, and rejects another customer’s licence as before', async () => {
    const { email, id: oldest } = await makeLicence(app.platform);
    await makeMoreLicences(app.platform, email, 10_000);
    const headers = await createBearerHeader(app.platform, email);
    const page = async (before = '') => {
      const { status, json } = await app.http.get(`/customer/licences${before}`, { headers });
      expect(status).toBe(200);
      return json as { licences: { id: string }[]; next: string | null };
    };
    const ids: string[] = [];
    for (
      let { licences, next } = await page();
      ;
      { licences, next } = await page(`?before=${next}`)
    ) {
      ids.push(...licences.map(({ id }) => id));
      if (next === null) break;
      expect(licences).toHaveLength(1_000);
    }
    expect([ids.length, new Set(ids).size, ids.at(-1)]).toEqual([10_001, 10_001, oldest]);
    const foreign = await makeLicence(app.platform);
    for (const before of [foreign.id, 'lic_of_nobody', "x' or 1=1"]) {
      const path = `/customer/licences?before=${encodeURIComponent(before)}`;
      const { status, json } = await app.http.get(path, { headers });
      expect([status, json.error]).toEqual([400, 'invalid_request']);
    }
  });

  it('rejects identifiers with control characters', async () => {
    const { email } = await makeLicence(app.platform);
    const headers = await createBearerHeader(app.platform, email);
    const site_url = 'https://example.com';
    const asked: [string, string, object?][] = [
      ['GET', '?before=%00'],
      ['GET', '/lic_%00'],
      ['GET', '/lic_%00/renewal'],
      ['GET', `/lic_%00/switch?${new URLSearchParams({ site_url })}`],
      ['POST', '/lic_%00/switch', { site_url }],
      ['POST', '/lic_%00/new-key'],
      ['POST', '/lic_%00/file'],
      ['POST', '/lic_%00/deactivate', { activation_id: 1 }],
      ['POST', '/lic_%00/renew', {}],
    ];
    for (const [method, path, body] of asked) {
      const request = { headers, ...(body && { body }) };
      const { status, json } = await app.http.request(method, `/customer/licences${path}`, request);
      expect([path, status, json.error]).toEqual([path, 400, 'invalid_request']);
    }
    const portal = await app.http.get('/customer/portal?licence=%00', { headers });
    expect([portal.status, portal.json.error]).toEqual([400, 'invalid_request']);
  });

  describe('deactivating a site', () => {
    const off = (id: string, activation_id: unknown, headers: Record<string, string>) =>
      app.http.post(`/customer/licences/${id}/deactivate`, { headers, body: { activation_id } });
    const activate = async (key: string, site: string) =>
      (await app.http.site('activate', key, site)).json.activation_id;

    it('frees its slot at once, for validations too, and is idempotent', async () => {
      const { key, id, email } = await makeLicence(app.platform, { sitesAllowed: 1 });
      const activation = await activate(key, 'https://old.example.com');
      await app.http.site('validate', key, 'https://old.example.com');
      const headers = await createBearerHeader(app.platform, email);
      for (let n = 0; n < 2; n++) {
        expect(await off(id, activation, headers)).toMatchObject({
          status: 200,
          json: { success: true, message: 'https://old.example.com is deactivated.' },
        });
      }
      const after = await app.http.site('validate', key, 'https://old.example.com');
      expect(after.json).toMatchObject({ sites_used: 0, site_active: false });
      expect((await app.http.site('activate', key, 'https://new.example.com')).status).toBe(200);
      const { json } = await app.http.get(`/customer/licences/${id}`, { headers });
      expect(json.activations).toMatchObject([
        { id: activation, deactivated_at: new Date(app.clock.now()).toISOString() },
        { site_url: 'https://new.example.com', deactivated_at: null },
      ]);
      const events = await app.platform.datastore.db
        .selectFrom('licence_events')
        .select(['actor', 'action'])
        .where('action', '=', 'deactivated')
        .where('actor', '=', 'customer')
        .execute();
      expect(events).toHaveLength(1);
    });

    it('works on a revoked licence', async () => {
      const { key, id, email } = await makeLicence(app.platform);
      const activation = await activate(key, 'https://example.com');
      await revokeLicence(app.platform, id, 'test');
      expect(
        (await off(id, activation, await createBearerHeader(app.platform, email))).status,
      ).toBe(200);
    });

    it("does not change or reveal another customer's licence", async () => {
      const mine = await makeLicence(app.platform);
      const theirs = await makeLicence(app.platform);
      const own = await activate(mine.key, 'https://mine.example.com');
      const foreign = await activate(theirs.key, 'https://theirs.example.com');
      const headers = await createBearerHeader(app.platform, mine.email);
      const answers = await Promise.all([
        off(theirs.id, foreign, headers),
        off(theirs.id, own, headers),
        off('lic_0000000000000000', foreign, headers),
        app.http.get(`/customer/licences/${theirs.id}`, { headers }),
        app.http.get('/customer/licences/lic_0000000000000000', { headers }),
      ]);
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 404, json: { error: 'licence_not_found' } });
      expect(await off(mine.id, foreign, headers)).toMatchObject({
        status: 404,
        json: { error: 'activation_not_found' },
      });
      const still = await app.http.site('validate', theirs.key, 'https://theirs.example.com');
      expect(still.json).toMatchObject({ sites_used: 1, site_active: true });
      expect((await off(mine.id, own, {})).status).toBe(401);
    });

    it.each([undefined, null, '17', 1.5, 0, 1e300])(
      'rejects %j as activation_id',
      async (wrong) => {
        const { id, email } = await makeLicence(app.platform);
        const { status, json } = await off(
          id,
          wrong,
          await createBearerHeader(app.platform, email),
        );
        expect([status, json.error]).toEqual([400, 'invalid_request']);
      },
    );
  });

  describe('a licence file', () => {
    const askFor = async (id: string, email: string) =>
      app.http.post(`/customer/licences/${id}/file`, {
        headers: await createBearerHeader(app.platform, email),
      });

    it('is valid for 30 days, and verified by the public keys', async () => {
      const { id, email } = await makeLicence(app.platform);
      const { status, json } = await askFor(id, email);
      const validUntil = app.clock.now() + 30 * DAY_MS;
      expect([status, Date.parse(json.valid_until)]).toEqual([200, validUntil]);
      const keys = createLocalJWKSet((await app.http.get('/licence/public-key')).json);
      const { payload } = await jwtVerify(json.file, keys, {
        currentDate: new Date(app.clock.now()),
      });
      expect(payload).toMatchObject({ sub: id, exp: Math.floor(validUntil / 1_000) });
    });

    it('is created for own, active licences only', async () => {
      const mine = await makeLicence(app.platform);
      const theirs = await makeLicence(app.platform);
      expect((await askFor(theirs.id, mine.email)).json.error).toBe('licence_not_found');
      await suspendLicence(app.platform, mine.id, 'test');
      expect((await askFor(mine.id, mine.email)).json.error).toBe('not_possible');
    });
  });

  describe('a new key for a lost one', () => {
    const askFor = async (id: string, email: string) =>
      app.http.post(`/customer/licences/${id}/new-key`, {
        headers: await createBearerHeader(app.platform, email),
      });
    const countMails = async (email: string) => {
      const { length } = await app.platform.datastore.db
        .selectFrom('outbox_mails')
        .select('id')
        .where('recipient', '=', email)
        .where('kind', '=', 'licence_rerolled')
        .execute();
      return length;
    };
    const isValid = async (key: string) =>
      (await app.http.site('validate', key, 'https://a.example')).json.valid === true;

    it('is emailed, and the old key works for seven more days', async () => {
      const { id, key, email } = await makeLicence(app.platform);
      app.clock.advance(HOUR_MS);
      const { status, text } = await askFor(id, email);
      expect([status, await countMails(email)]).toEqual([200, 1]);
      expect(text).not.toMatch(/pv_/);
      app.clock.advance(7 * DAY_MS - 60_000);
      expect(await isValid(key)).toBe(true);
      app.clock.advance(10 * 60_000);
      expect(await isValid(key)).toBe(false);
    });

    it('is sent once an hour, also for requests at the same time', async () => {
      const { id, email } = await makeLicence(app.platform);
      const early = await askFor(id, email);
      expect([early.json.error, early.headers.get('retry-after')]).toEqual([
        'rate_limited',
        '3600',
      ]);
      app.clock.advance(HOUR_MS);
      const answers = await Promise.all([1, 2, 3].map(() => askFor(id, email)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429]);
      expect(await countMails(email)).toBe(1);
    });

    it('is sent after the clock of the server was set back', async () => {
      const { id, email } = await makeLicence(app.platform);
      const now = app.clock.now();
      app.clock.set(toIsoMoment(now - DAY_MS));
      expect((await askFor(id, email)).status).toBe(200);
      app.clock.set(toIsoMoment(now));
    });

    it('is refused for a revoked licence and that of another customer', async () => {
      const { id, email } = await makeLicence(app.platform);
      const { email: stranger } = await makeLicence(app.platform);
      app.clock.advance(HOUR_MS);
      expect((await askFor(id, stranger)).json.error).toBe('licence_not_found');
      await revokeLicence(app.platform, id, 'test');
      expect((await askFor(id, email)).status).toBe(409);
      expect([await countMails(email), await countMails(stranger)]).toEqual([0, 0]);
    });
  });

  describe('after a transfer', () => {
    it('leaves out sites that were deactivated before', async () => {
      const { key, id, email: former } = await makeLicence(app.platform);
      const { email } = await makeLicence(app.platform);
      const gone = await app.http.site('activate', key, 'https://former.example.com');
      await app.http.site('deactivate', key, 'https://former.example.com');
      const running = await app.http.site('activate', key, 'https://running.example.com');
      app.clock.advance(1_000);
      await transferLicence(app.platform, id, email, 'test');
      app.clock.advance(1_000);

      const headers = await createBearerHeader(app.platform, email);
      const seen = async () => {
        const answers = await Promise.all([
          app.http.get(`/licence/info?key=${key}`, { headers }),
          app.http.get(`/customer/licences/${id}`, { headers }),
        ]);
        for (const { text } of answers) expect(text).not.toContain('former.example.com');
        expect(answers[0]?.json).toEqual(answers[1]?.json);
        return answers[0]?.json;
      };
      // It holds a slot, so whoever has the licence now must be able to free it.
      expect(await seen()).toMatchObject({
        sites_used: 1,
        activations: [{ site_url: 'https://running.example.com', deactivated_at: null }],
      });
      const off = (activation_id: number) =>
        app.http.post(`/customer/licences/${id}/deactivate`, { headers, body: { activation_id } });
      expect(await off(gone.json.activation_id)).toMatchObject({
        status: 404,
        json: { error: 'activation_not_found' },
      });
      expect((await off(running.json.activation_id)).status).toBe(200);
      expect((await seen()).activations).toMatchObject([
        { site_url: 'https://running.example.com', deactivated_at: expect.any(String) },
      ]);

      const before = await createBearerHeader(app.platform, former);
      const answer = await app.http.get(`/customer/licences/${id}`, { headers: before });
      expect(answer.status).toBe(404);
    });

    it('leaves out sites of all former customers, also when one of them gets it back', async () => {
      const { key, id, email: first } = await makeLicence(app.platform);
      const { email: second } = await makeLicence(app.platform);
      for (const [email, site] of [
        [second, 'https://first.example.com'],
        [first, 'https://second.example.com'],
      ] as const) {
        await app.http.site('activate', key, site);
        await app.http.site('deactivate', key, site);
        app.clock.advance(1_000);
        await transferLicence(app.platform, id, email, 'test');
        app.clock.advance(1_000);
      }
      const headers = await createBearerHeader(app.platform, first);
      const { json } = await app.http.get(`/licence/info?key=${key}`, { headers });
      expect(json.activations).toEqual([]);
    });
  });

  it('logs no keys, tokens or email addresses', async () => {
    const { key, email } = await makeLicence(app.platform);
    const headers = await createBearerHeader(app.platform, email);
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
