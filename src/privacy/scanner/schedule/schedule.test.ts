import { afterAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { fixtureSite } from '../../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { resolveAddresses } from '../../../config/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { SettingsCache } from '../../settings/index.ts';
import { createScanner } from '../service.ts';
import { scanScheduleJob } from './service.ts';

const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
afterAll(() => site.close());

describe.each(ENGINES)('The schedule of scans on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' });

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    const save = (schedule: object) => ask('PUT', '/settings', { scanner: { schedule } });
    const read = async () => (await ask('GET', '/scanner/schedule')).json;
    return { ask, save, read };
  }

  /** The job of a node. */
  function createNode() {
    const siteUrl = () => site.url;
    const { platform, config } = app;
    const { runs } = createScanner(platform, {
      ...{ ...config.scanner, dataDir: config.dataDir, connectTo: () => [], version: 'test' },
      siteUrl,
      addresses: () => resolveAddresses(config),
    });
    const settings = new SettingsCache({
      ...{ platform, siteUrl, restRoot: siteUrl },
      timeZone: 'UTC',
      readAsked: async () => ({ vendors: [], purposes: [] }),
    });
    return scanScheduleJob(platform, runs, { settings, siteUrl, timeZone: 'Europe/Berlin' });
  }

  it('queues one scan when it is due, however many nodes there are, and after a downtime', async () => {
    const { ask, save, read } = await setUp();
    const nodes = [createNode(), createNode()];
    const check = () => Promise.all(nodes.map((node) => node.runIfDue()));
    const countScheduled = async () =>
      (await ask('GET', '/scanner/scans?started_by=schedule')).json.length;
    app.clock.set('2026-11-21T09:30:00.000Z');
    await check();
    expect(await read()).toEqual({
      ...{ enabled: false, cron: '0 3 * * *', depth: 1, next_run_at: null, last_scan: null },
      states: ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'],
    });
    app.clock.advance(DAY_MS);
    await check();
    expect(await countScheduled()).toBe(0);

    const saved = await save({ enabled: true, depth: 0, states: ['rejected'] });
    expect(saved.json.scanner.schedule).toEqual({
      ...{ enabled: true, cron: '0 3 * * *', depth: 0, states: ['rejected'] },
    });
    app.clock.advance(HOUR_MS);
    await check();
    expect(await countScheduled()).toBe(0);
    expect((await read()).next_run_at).toMatch(/^2026-11-23T0[23]:00:00/);
    // As if all nodes were down for three nights.
    app.clock.advance(3 * DAY_MS);
    await check();
    app.clock.advance(MINUTE_MS);
    await check();
    expect(await countScheduled()).toBe(1);
    const { last_scan } = await read();
    expect(last_scan).toMatchObject({
      ...{ started_by: 'schedule', depth: 0, states: ['before', 'rejected'], runner: 'server' },
    });
    await expect.poll(async () => (await read()).last_scan.status).toBe('completed');
    app.clock.advance(DAY_MS);
    await check();
    expect(await countScheduled()).toBe(2);
    const others = await ask('GET', '/scanner/scans?started_by=request,proof');
    expect(others.json).toEqual([]);
    expect((await ask('GET', '/scanner/scans?started_by=nobody')).status).toBe(400);
    expect((await ask('GET', '/scanner/scans?started_by=')).status).toBe(200);
    await save({ enabled: false });
    app.clock.advance(DAY_MS);
    await check();
    expect(await countScheduled()).toBe(2);

    await expect.poll(async () => (await read()).last_scan.status).toBe('completed');
    // As if the clock had been a year ahead until now.
    const { db } = app.platform.datastore;
    const started_at = app.clock.now() + 365 * DAY_MS;
    await db.updateTable('scans').set({ started_at }).execute();
    await save({ enabled: true });
    app.clock.advance(DAY_MS);
    await check();
    expect(await countScheduled()).toBe(3);
    await save({ enabled: false });
  });

  it.each([
    ['0 3 * *', 'is not a cron expression'],
    ['0 0 3 * * *', 'is not a cron expression'],
    ['60 3 * * *', 'is not a cron expression'],
    ['03:00', 'is not a cron expression'],
    ['2999-01-01T00:00:00', 'is not a cron expression'],
    ['0 3 30 2 *', 'never occurs'],
  ])('returns 400 for the cron expression %s', async (cron, problem) => {
    const { save, read } = await setUp();
    const { status, json } = await save({ cron });
    expect([status, json.data.params.scanner]).toEqual([
      400,
      expect.stringContaining(`"${cron}" ${problem}. Write five fields`),
    ]);
    expect((await read()).cron).toBe('0 3 * * *');
  });
});
