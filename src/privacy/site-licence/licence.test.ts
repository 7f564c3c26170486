import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { client } from '../../../test/support/client.ts';
import { createDatabase, ENGINES } from '../../../test/support/engines.ts';
import { basicAuth, makeLicence } from '../../../test/support/makers.ts';
import { reservePort } from '../../../test/support/ports.ts';
import { dataFolder, startServer } from '../../../test/support/process.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { type App, buildApp } from '../../app.ts';
import { loadSecret, resolveAddresses, toConfig } from '../../config/index.ts';
import {
  editLicence,
  reinstateLicence,
  revokeLicence,
  suspendLicence,
} from '../../licensing/licences/index.ts';
import { openPlatform } from '../../modules/platform.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { createLogger } from '../../platform/log.ts';
import { licenceJob } from './schedule.ts';

const LICENCE = '/wp-json/svc/v1/licence';
const SITE = 'https://shop.example.com';
const EXPIRY = Date.parse('2099-01-01T00:00:00.000Z');

/** A licence server that the tests stop, closing all connections, and start again. */
const port = await reservePort();
const database = await createDatabase('sqlite');
const folder = dataFolder();
const env = {
  PAVIS_DATA_DIR: folder.path,
  PAVIS_DATABASE_URL: database.url,
  PAVIS_SECRET: 'a secret of the licence server only',
  PAVIS_SERVICES: 'licence',
  PAVIS_PORT: String(port),
  PAVIS_RATE_LIMIT_VALIDATE: 'off',
  PAVIS_RATE_LIMIT_ACTIVATE: 'off',
};
const url = `http://127.0.0.1:${port}`;
const vendorLog: string[] = [];
const server = {
  url,
  http: client(url),
  log: () => vendorLog.join(''),
  running: undefined as App['server'] | undefined,
};
const start = async () => {
  if (server.running) return;
  const config = toConfig(env);
  const app = await buildApp(config, vendor, () => resolveAddresses(config, port));
  await app.server.listen({ host: '127.0.0.1', port });
  server.running = app.server;
};
const stop = async () => {
  server.running?.server.closeAllConnections();
  await server.running?.close();
  server.running = undefined;
};
/** The platform of the licence server, for changes that its vendor makes. */
let vendor: Platform;
beforeAll(async () => {
  const config = toConfig(env);
  vendor = await openPlatform(config, {
    secret: loadSecret(config),
    log: await createLogger('info', { write: (line) => vendorLog.push(line) }),
  });
});
afterAll(async () => {
  await stop();
  await vendor.datastore.close();
  await database.drop();
  folder.remove();
});
const issue = (sitesAllowed = 3) => makeLicence(vendor, { sitesAllowed, expiresAt: EXPIRY });
/** Validates at the licence server itself. */
const validate = async (key: string) => (await server.http.site('validate', key, SITE))?.json;

describe.each(ENGINES)('/licence on %s', (engine) => {
  const app = useTestApp(engine, {
    PAVIS_SERVICES: 'plugin',
    PAVIS_SITE_URL: SITE,
    PAVIS_LICENCE_API_URL: server.url,
  });
  let headers: Record<string, string>;
  const get = async () => (await app.http.get(LICENCE, { headers })).json;
  /** Polls, because a check that is due runs in the background. */
  const expectShown = () => expect.poll(get);
  const save = (key: unknown) => app.http.post(LICENCE, { headers, body: { key } });
  const remove = () => app.http.request('DELETE', LICENCE, { headers });
  const job = () =>
    licenceJob(app.platform, { siteUrl: () => SITE, licenceApiUrl: () => server.url });
  const runJob = async () => {
    app.clock.advance(5 * 60_000);
    await job().runIfDue();
    app.clock.advance(5 * 60_000);
    expect(await job().runIfDue()).toBe(true);
  };

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    await start();
    // The first call of each server compiles much: on a busy machine, longer than a check may take.
    await save((await issue()).key);
  });
  beforeEach(async () => {
    await start();
    await remove();
  });
  afterAll(stop);

  it('returns status none without a key', async () => {
    expect(await get()).toEqual({
      key: null,
      status: 'none',
      valid: false,
      tier: null,
      features: [],
      sites_allowed: null,
      sites_used: null,
      expires_at: null,
      paid_until: null,
      site_url: null,
      checked_at: null,
      stale: false,
      stale_since: null,
      message: 'No licence key is saved.',
    });
    expect(await remove()).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  it('activates the site when a key is saved and returns the licence', async () => {
    const { key } = await issue();
    const { status, json } = await save(` ${key} `);
    expect(status).toBe(200);
    expect(json).toEqual({
      key: `${key.slice(0, 12)}…${key.slice(-4)}`,
      status: 'active',
      valid: true,
      tier: 'pro',
      features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
      sites_allowed: 3,
      sites_used: 1,
      expires_at: new Date(EXPIRY).toISOString(),
      paid_until: new Date(EXPIRY).toISOString(),
      site_url: SITE,
      checked_at: new Date(app.clock.now()).toISOString(),
      stale: false,
      stale_since: null,
      message: 'Licence is active for this site.',
    });
    expect(await get()).toEqual(json);
    expect(await validate(key)).toMatchObject({ sites_used: 1, site_active: true });
  });

  it('keeps the site activated for one of several keys that are saved at once', async () => {
    const keys = [(await issue()).key, (await issue()).key, (await issue()).key];
    const saved = await Promise.all(keys.map(save));
    expect(saved.map(({ status }) => status)).toEqual([200, 200, 200]);
    await runJob();
    const { key: shown } = await get();
    const used = await Promise.all(keys.map(async (key) => (await validate(key)).sites_used));
    expect(used).toEqual(keys.map((key) => (key.endsWith(shown.slice(-4)) ? 1 : 0)));
  });

  it('stores the key encrypted and never returns or logs it', async () => {
    const { key } = await issue();
    await save(key);
    await get();
    const { db } = app.platform.datastore;
    const rows = JSON.stringify(await db.selectFrom('site_licence').selectAll().execute());
    const previous = await remove();
    const farewells = JSON.stringify(await db.selectFrom('site_farewells').selectAll().execute());
    for (const text of [rows, farewells, previous.text, app.logged(), server.log()])
      expect(text).not.toContain(key.slice('pv_live_'.length, -4));
  });

  it.each([
    ['a text that is not a key', 'not a key'],
    ['an unknown key', `pv_live_${'q'.repeat(32)}`],
    ['a number', 5],
  ])('returns 400 for %s and keeps the saved key', async (_, wrong) => {
    const { key } = await issue();
    await save(key);
    const { status, json } = await save(wrong);
    expect([status, json.code, Object.keys(json.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      ['key'],
    ]);
    expect((await get()).key).toContain(key.slice(-4));
  });

  it('asks the licence server at most every 12 hours', async () => {
    const { key } = await issue();
    await save(key);
    await stop();
    app.clock.advance(12 * HOUR_MS - 1);
    expect(await get()).toMatchObject({ status: 'active', valid: true, stale: false });
  });

  it('asks it again when the licence was to expire', async () => {
    const expiresAt = vendor.clock.now() + HOUR_MS;
    const { key } = await makeLicence(vendor, { sitesAllowed: 3, expiresAt });
    app.clock.set(toIsoMoment(vendor.clock.now()));
    await save(key);
    await stop();
    app.clock.set(toIsoMoment(expiresAt - 1));
    expect(await get()).toMatchObject({ status: 'active', stale: false });
    app.clock.set(toIsoMoment(expiresAt));
    await expectShown().toMatchObject({ stale: true, stale_since: toIsoMoment(expiresAt) });
    app.clock.set('2026-11-21T09:30:00.000Z');
  });

  it('follows the features of the licence', async () => {
    const { key, id } = await issue();
    await save(key);
    const edits = { features_added: ['white_label'], features_removed: ['dsar'] };
    await editLicence(vendor, id, { edits }, 'test');
    app.clock.advance(12 * HOUR_MS);
    await expectShown().toMatchObject({
      status: 'active',
      features: ['retention', 'reporting', 'advanced_integrations', 'white_label'],
    });
  });

  it('asks it again after the clock was set back', async () => {
    const { key, id } = await issue();
    await save(key);
    await suspendLicence(vendor, id, 'test');
    expect(await get()).toMatchObject({ status: 'active' });
    app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
    await expectShown().toMatchObject({ status: 'suspended' });
  });

  it('returns the last answer as stale while the licence server is down', async () => {
    const { key } = await issue();
    const { json: known } = await save(key);
    await stop();
    app.clock.advance(12 * HOUR_MS);
    const since = new Date(app.clock.now()).toISOString();
    for (let day = 0; day < 3; day++) {
      await expectShown().toEqual({
        ...known,
        stale: true,
        stale_since: since,
        message: expect.stringContaining('cannot be reached'),
      });
      app.clock.advance(24 * HOUR_MS);
    }
    await start();
    await expectShown().toEqual({
      ...known,
      checked_at: new Date(app.clock.now()).toISOString(),
    });
  });

  it('checks again in the background after an outage', async () => {
    const { key } = await issue();
    await save(key);
    await stop();
    app.clock.advance(13 * HOUR_MS);
    await runJob();
    await start();
    await runJob();
    await stop();
    expect(await get()).toMatchObject({ status: 'active', stale: false });
  });

  it('saves a key as unverified during an outage and activates it afterwards', async () => {
    const { key } = await issue();
    await stop();
    const { status, json } = await save(key);
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: 'unverified', valid: false, stale: true, tier: null });
    await start();
    app.clock.advance(10_000);
    await expectShown().toMatchObject({ status: 'active', valid: true, stale: false });
    expect(await validate(key)).toMatchObject({ site_active: true });
  });

  it('returns status full while no slot is free and activates once one is', async () => {
    const { key } = await issue(1);
    const other = 'https://other.example.com';
    await server.http.site('activate', key, other);
    expect((await save(key)).json).toMatchObject({
      status: 'full',
      valid: false,
      tier: 'pro',
      sites_used: 1,
      message: expect.stringContaining('1 of 1'),
    });
    await server.http.site('deactivate', key, other);
    app.clock.advance(12 * HOUR_MS);
    await expectShown().toMatchObject({ status: 'active', valid: true });
  });

  it('returns status suspended, active after reinstatement, and revoked', async () => {
    const { key, id } = await issue();
    await save(key);
    for (const [change, status, valid] of [
      [suspendLicence, 'suspended', false],
      [reinstateLicence, 'active', true],
      [revokeLicence, 'revoked', false],
    ] as const) {
      await change(vendor, id, 'test');
      app.clock.advance(12 * HOUR_MS);
      await expect.poll(async () => (await validate(key)).valid).toBe(valid);
      await expectShown().toMatchObject({ status, valid, tier: 'pro' });
    }
  });

  it('does not activate a site again that the customer has deactivated', async () => {
    const { key } = await issue();
    await save(key);
    await server.http.site('deactivate', key, SITE);
    app.clock.advance(12 * HOUR_MS);
    await expectShown().toMatchObject({ status: 'inactive', valid: true, sites_used: 0 });
    expect(await validate(key)).toMatchObject({ site_active: false });
    expect((await save(key)).json.status).toBe('active');
  });

  it('deactivates the site when the key is removed or replaced', async () => {
    const [first, second] = [await issue(), await issue()];
    await save(first.key);
    await save(second.key);
    expect(await validate(first.key)).toMatchObject({ sites_used: 0 });
    expect(await validate(second.key)).toMatchObject({ sites_used: 1 });
    expect(await remove()).toMatchObject({
      status: 200,
      json: { deleted: true, deactivated: true, previous: { status: 'active' } },
    });
    expect(await validate(second.key)).toMatchObject({ sites_used: 0 });
    expect((await get()).status).toBe('none');
  });

  const saveFor = async (site: string) => {
    const { key } = await issue();
    const { json } = await save(key);
    await app.platform.datastore.db.updateTable('site_licence').set({ site }).execute();
    return { key, saved: json };
  };

  it('returns status inactive if the key was saved for another site, until it is saved again', async () => {
    const former = 'https://old.example.com';
    const { key } = await saveFor(former);
    await server.http.site('deactivate', key, SITE);
    await server.http.site('activate', key, former);
    const moved = {
      status: 'inactive',
      valid: false,
      site_url: former,
      stale: false,
      message: `The key was saved for ${former}. Save it again to activate this site.`,
    };
    expect(await get()).toMatchObject(moved);
    app.clock.advance(13 * HOUR_MS);
    await runJob();
    expect(await get()).toMatchObject(moved);
    expect((await save(key)).json).toMatchObject({ status: 'active', site_url: SITE });
    expect(await validate(key)).toMatchObject({ site_active: true, sites_used: 1 });
  });

  it('keeps the licence if only the scheme, www or a slash of the site has changed', async () => {
    const { key, saved } = await saveFor('http://www.shop.example.com/');
    expect(await get()).toMatchObject({ status: 'active', message: saved.message });
    expect((await save(key)).json).toMatchObject({ status: 'active', site_url: SITE });
    await runJob();
    expect(await validate(key)).toMatchObject({ site_active: true });
  });

  it('removes the key during an outage and deactivates the site afterwards', async () => {
    const { key } = await issue();
    await save(key);
    await stop();
    expect((await remove()).json).toMatchObject({ deleted: true, deactivated: false });
    expect((await get()).status).toBe('none');
    await runJob();
    await start();
    expect(await validate(key)).toMatchObject({ site_active: true });
    await runJob();
    expect(await validate(key)).toMatchObject({ site_active: false });
    const { db } = app.platform.datastore;
    expect(await db.selectFrom('site_farewells').selectAll().execute()).toEqual([]);
  });

  it('keeps the site active if the key is saved again before the outage ends', async () => {
    const { key } = await issue();
    await save(key);
    await stop();
    await remove();
    await save(key);
    await start();
    await runJob();
    await runJob();
    expect(await validate(key)).toMatchObject({ site_active: true });
    expect(await get()).toMatchObject({ status: 'active', stale: false });
  });

  it('keeps the site active if the key is saved again for another spelling of its URL', async () => {
    const { key } = await saveFor('http://www.shop.example.com');
    await stop();
    await remove();
    await start();
    expect((await save(key)).json).toMatchObject({ status: 'active', site_url: SITE });
    await runJob();
    expect(await validate(key)).toMatchObject({ site_active: true });
    const { db } = app.platform.datastore;
    expect(await db.selectFrom('site_farewells').selectAll().execute()).toEqual([]);
  });

  describe('with a licence server that never answers', () => {
    let asked = 0;
    const silent = createServer(() => {
      asked += 1;
    });
    const hang = async () => {
      await stop();
      asked = 0;
      await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
    };
    afterEach(async () => {
      silent.closeAllConnections();
      await new Promise((resolve) => silent.close(resolve));
    });
    const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
      const started = performance.now();
      return [await work(), performance.now() - started];
    };

    it('returns the last answer at once and sends one request in the background', async () => {
      const { key } = await issue();
      const { json: known } = await save(key);
      const getTwenty = () => timed(() => Promise.all(Array.from({ length: 20 }, get)));
      const [, usualMs] = await getTwenty();
      await hang();
      app.clock.advance(12 * HOUR_MS);
      const [shown, ms] = await getTwenty();
      for (const each of shown)
        expect(each).toEqual({
          ...known,
          stale: true,
          stale_since: new Date(app.clock.now()).toISOString(),
          message: expect.stringContaining('is being asked'),
        });
      expect(ms - usualMs).toBeLessThan(1_000);
      await expect.poll(() => asked).toBe(1);
      expect(await get()).toMatchObject({ status: 'active', valid: true });
      expect(asked).toBe(1);
    });

    it('saves a new key and removes one within three seconds', async () => {
      const { key } = await issue();
      await hang();
      const isFast = { saved: false, shown: false, removed: false };
      // A busy machine can delay each, so the best of three turns counts.
      for (let turn = 0; turn < 3 && Object.values(isFast).includes(false); turn++) {
        const [saved, savedMs] = await timed(() => save(key));
        expect(saved).toMatchObject({ status: 200, json: { status: 'unverified', valid: false } });
        const [shown, shownMs] = await timed(get);
        expect(shown).toMatchObject({ status: 'unverified' });
        const [removed, removedMs] = await timed(remove);
        expect(removed).toMatchObject({ status: 200, json: { deleted: true, deactivated: false } });
        isFast.saved ||= savedMs < 3_000;
        isFast.shown ||= shownMs < 1_000;
        isFast.removed ||= removedMs < 3_000;
      }
      expect(isFast).toEqual({ saved: true, shown: true, removed: true });
    });
  });

  it('treats other answers than those of a licence server as an outage', async () => {
    const answers = [
      [404, 'application/json', '{"error":"not_found","message":"Nothing here."}'],
      [200, 'text/html', '<h1>Welcome</h1>'],
      [200, 'application/json', '{}'],
      [200, 'application/json', '{"valid":"no"}'],
      [403, 'application/json', '{"error":"blocked"}'],
      [401, 'text/plain', 'Who are you?'],
      [302, 'text/plain', ''],
      [500, 'text/plain', ''],
    ] as const;
    const { key } = await issue();
    await save(key);
    await stop();
    let asked = 0;
    const impostor = createServer((_request, response) => {
      const [status, type, text] = answers[asked++] ?? [503, 'text/plain', ''];
      response.writeHead(status, { 'content-type': type, location: `${SITE}/` });
      response.end(text);
    });
    await new Promise<void>((resolve) => impostor.listen(port, '127.0.0.1', resolve));
    while (asked < answers.length) {
      app.clock.advance(12 * HOUR_MS);
      const before = asked;
      await get();
      await expect.poll(() => asked).toBeGreaterThan(before);
      await expectShown().toMatchObject({
        status: 'active',
        valid: true,
        stale: true,
        message: expect.stringContaining('cannot be reached'),
      });
    }
    expect((await save(key)).json).toMatchObject({ status: 'active', valid: true, stale: true });
    expect((await remove()).json.deactivated).toBe(false);
    impostor.closeAllConnections();
    await new Promise((resolve) => impostor.close(resolve));
  });
});

describe('/licence in a process that serves both APIs', () => {
  const app = useTestApp('sqlite');

  it('activates the site at its own Licence API', async () => {
    const { key } = await makeLicence(app.platform);
    const headers = await basicAuth(app.platform);
    const { json } = await app.http.post(LICENCE, { headers, body: { key } });
    expect(json).toMatchObject({ status: 'active', sites_used: 1 });
  });
});

describe('Graceful shutdown while the licence server does not answer', () => {
  it('aborts a running licence check', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port: silentPort } = silent.address() as AddressInfo;
    const data = dataFolder();
    const env = {
      PAVIS_DATA_DIR: data.path,
      PAVIS_SERVICES: 'plugin',
      PAVIS_SITE_URL: SITE,
      PAVIS_LICENCE_API_URL: `http://127.0.0.1:${silentPort}`,
      PAVIS_DEMO: 'on',
    };
    const site = await startServer(env);
    try {
      const { admin } = JSON.parse(readFileSync(join(data.path, 'first-run.json'), 'utf8'));
      const login = `${admin.login}:${admin.application_password}`;
      const headers = { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
      const body = { key: `pv_test_${'a'.repeat(32)}` };
      expect((await site.http.post(LICENCE, { headers, body })).json.status).toBe('unverified');
      const config = toConfig(env);
      const database = await openPlatform(config, {
        secret: loadSecret(config),
        log: await createLogger('silent'),
      });
      await database.datastore.db.updateTable('site_licence').set({ tried_at: 0 }).execute();
      await database.datastore.close();
      const asked = new Promise((resolve) => silent.once('request', resolve));
      await site.http.get(LICENCE, { headers });
      await asked;
      const started = performance.now();
      expect(await site.stop('SIGTERM')).toBe(0);
      expect(performance.now() - started).toBeLessThan(4_000);
    } finally {
      await site.stop('SIGKILL');
      silent.closeAllConnections();
      silent.close();
      data.remove();
    }
  });
});
