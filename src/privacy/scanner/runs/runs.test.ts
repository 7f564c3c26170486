import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { fixtureSite } from '../../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { resolveAddresses } from '../../../config/index.ts';
import { toIsoMoment } from '../../../platform/clock.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { createScanner } from '../service.ts';
import { countScans, findScan } from '../store.ts';
import { queueScan } from './queue.ts';

const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
afterAll(() => site.close());
const env = { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' };
const LEASE_MS = 60_000;

const request = (depth: number) =>
  ({ depth, states: ['before', 'accepted'], startedBy: 'request' }) as const;

/** Holds back a page of the site until it is let go. */
function holdBack(path: string) {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const restore = site.replace(path, (response) => {
    asked.resolve();
    void go.promise.then(() => response.end('<p>Late.</p>'));
  });
  onTestFinished(() => {
    go.resolve();
    restore();
  });
  return { asked: asked.promise, go: go.resolve };
}

describe.each(ENGINES)('Scans that the server runs, on %s', (engine) => {
  const app = useTestApp(engine, env);

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    const begin = async (scan_depth = 1) =>
      (await ask('POST', '/scanner/scans', { scan_depth })).json.scan_id as number;
    const read = async (id: number) => (await ask('GET', `/scanner/scans/${id}`)).json;
    const until = (id: number, status: string) =>
      expect.poll(async () => (await read(id)).status).toBe(status);
    const cancel = (id: number) => ask('POST', `/scanner/scans/${id}/cancel`);
    return { ask, begin, read, until, cancel };
  }

  it('visit pages in the states of the settings if they name none', async () => {
    const { ask, until } = await setUp();
    const start = async (path: string, more = {}) =>
      (await ask('POST', path, { scan_depth: 0, ...more })).json.scan_id as number;
    const states = async (id: number) => (await ask('GET', `/scanner/scans/${id}`)).json.states;
    const set = (chosen: string[]) => ask('PUT', '/settings', { scanner: { states: chosen } });
    expect((await set(['gpc'])).json.scanner.states).toEqual(['gpc']);
    const [run, client] = [await start('/scanner/scans'), await start('/scanner/start')];
    expect(await states(run)).toEqual(['before', 'gpc']);
    expect(await states(client)).toEqual(['before', 'gpc']);
    const named = await start('/scanner/scans', { states: ['accepted'] });
    expect(await states(named)).toEqual(['before', 'accepted']);
    expect((await set(['later'])).status).toBe(400);
    await set(['before', 'accepted']);
    await until(named, 'completed');
  });

  it('scan every page and complete in the background', async () => {
    const { ask, begin, until, read } = await setUp();
    const fired: unknown[] = [];
    onTestFinished(app.platform.hooks.addAction('svc_scan_complete', (scan) => fired.push(scan)));
    const { status, json, headers } = await ask('POST', '/scanner/scans', { scan_depth: 2 });
    expect(status).toBe(201);
    expect(json).toMatchObject({ runner: 'server', depth: 2, site_url: site.url, error: null });
    expect(['queued', 'started']).toContain(json.status);
    expect(headers.get('location')).toBe(`${app.url}${ROOT}/scanner/scans/${json.scan_id}`);
    await until(json.scan_id, 'completed');
    expect(await read(json.scan_id)).toMatchObject({
      engine: 'html',
      pages: 4,
      pages_planned: 4,
      pages_failed: 0,
      findings: 10,
    });
    expect(fired).toEqual([expect.objectContaining({ scan_id: json.scan_id, pages: 4 })]);
    await until(await begin(0), 'completed');
  });

  it('run one at a time, in order, and are not completed before', async () => {
    const { ask, begin, until, read } = await setUp();
    const { asked, go } = holdBack('/about');
    const first = await begin();
    await asked;
    const second = await begin(0);
    const early = await ask('POST', '/scanner/complete', { scan_id: second });
    expect([early.status, early.json.code]).toEqual([409, 'scan_queued']);
    expect((await read(second)).status).toBe('queued');
    go();
    await until(second, 'completed');
    expect(await read(second)).toMatchObject({ pages: 1 });
    expect((await read(first)).status).toBe('completed');
  });

  it('are cancelled while they run: findings are kept, remaining pages are not scanned', async () => {
    const { ask, begin, until, read, cancel } = await setUp();
    const { asked } = holdBack('/about');
    const id = await begin();
    await asked;
    await expect.poll(async () => (await read(id)).pages).toBe(2);
    const cancelled = await cancel(id);
    expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelled']);
    expect((await cancel(id)).status).toBe(200);
    await until(await begin(0), 'completed');
    const kept = await read(id);
    expect(kept).toMatchObject({ status: 'cancelled', pages: 2, pages_planned: 3, findings: 8 });
    const url = `${site.url}/about`;
    const late = await ask('POST', '/scanner/scan-page', { scan_id: id, url });
    expect([late.status, late.json.code]).toEqual([409, 'scan_cancelled']);
    const complete = await ask('POST', '/scanner/complete', { scan_id: id });
    expect([complete.status, complete.json.code]).toEqual([409, 'scan_cancelled']);
    expect((await ask('GET', `/scanner/results/${id}`)).json).toMatchObject({
      status: 'cancelled',
      total: 8,
    });
  });

  it('visit failed pages once more in a proof scan', async () => {
    const { until, read } = await setUp();
    const { datastore, clock } = app.platform;
    let visits = 0;
    onTestFinished(
      site.replace('/about', (response) => {
        visits += 1;
        response.writeHead(visits % 2 ? 503 : 200, { 'content-type': 'text/html' });
        response.end('<p>About.</p>');
      }),
    );
    const queue = (startedBy: 'proof' | 'request') => {
      const pages = [`${site.url}/about`];
      const scan = { depth: 0, states: ['before'], startedBy, pages, siteUrl: site.url } as const;
      return datastore.transaction((trx, announce) => queueScan(trx, announce, scan, clock.now()));
    };
    const proof = await queue('proof');
    await until(proof, 'completed');
    expect(await read(proof)).toMatchObject({ pages: 1, pages_failed: 0 });
    const scan = await queue('request');
    await until(scan, 'completed');
    expect(await read(scan)).toMatchObject({ pages: 0, pages_failed: 1 });
    expect(visits).toBe(3);
  });

  it('continue with the remaining pages when resumed', async () => {
    const { ask, begin, until, read, cancel } = await setUp();
    const { asked, go } = holdBack('/about');
    const id = await begin();
    await asked;
    await expect.poll(async () => (await read(id)).pages).toBe(2);
    const { started_at } = (await cancel(id)).json;
    go();
    app.clock.advance(HOUR_MS);
    const resumed = await ask('POST', `/scanner/scans/${id}/resume`);
    expect([resumed.status, resumed.json.runner]).toEqual([200, 'server']);
    await until(id, 'completed');
    expect(await read(id)).toMatchObject({ pages: 3, pages_planned: 3, started_at });
    const again = await ask('POST', `/scanner/scans/${id}/resume`);
    expect([again.status, again.json.code]).toEqual([409, 'scan_completed']);
    const done = await cancel(id);
    expect([done.status, done.json.code]).toEqual([409, 'scan_completed']);
  });

  it('return 409 when a scan of another site is resumed', async () => {
    const { ask, read } = await setUp();
    const { scan_id } = (await ask('POST', '/scanner/start', { scan_depth: 0 })).json;
    const { db } = app.platform.datastore;
    const site_url = 'https://other.example/';
    await db.updateTable('scans').set({ site_url }).where('id', '=', scan_id).execute();
    const { status, json } = await ask('POST', `/scanner/scans/${scan_id}/resume`);
    expect([status, json.code]).toEqual([409, 'other_site']);
    expect(json.message).toContain('pavis scan https://other.example/');
    expect(await read(scan_id)).toMatchObject({ status: 'started', error: null });
  });

  it('resume a scan that a client has left', async () => {
    const { ask, until, read } = await setUp();
    const { scan_id } = (await ask('POST', '/scanner/start', { scan_depth: 1 })).json;
    await ask('POST', '/scanner/scan-page', { scan_id, url: `${site.url}/` });
    expect((await read(scan_id)).runner).toBe('client');
    await ask('POST', `/scanner/scans/${scan_id}/resume`);
    await until(scan_id, 'completed');
    expect(await read(scan_id)).toMatchObject({ pages: 3, findings: 10 });
  });

  it('are deleted with their findings, also while they run', async () => {
    const { ask, begin, until, read } = await setUp();
    const { asked } = holdBack('/about');
    const id = await begin();
    await asked;
    const { status, json } = await ask('DELETE', `/scanner/scans/${id}`);
    expect([status, json.deleted, json.previous.scan_id]).toEqual([200, true, id]);
    expect((await ask('DELETE', `/scanner/scans/${id}`)).status).toBe(404);
    expect((await read(id)).code).toBe('not_found');
    const left = await app.platform.datastore.db
      .selectFrom('scan_findings')
      .select('id')
      .where('scan_id', '=', id)
      .execute();
    expect(left).toEqual([]);
    await until(await begin(0), 'completed');
  });

  it('fail with the reason if the site does not respond', async () => {
    const { ask, begin, until, read } = await setUp();
    onTestFinished(site.replace('/', (response) => void response.socket?.resetAndDestroy()));
    const id = await begin();
    await until(id, 'failed');
    expect((await read(id)).error).toMatch(/cannot be reached\. .* reset the connection/);
    expect((await ask('GET', `/scanner/results/${id}`)).json).toMatchObject({ pages: 0, total: 0 });
  });

  it('continue after a planned page that cannot be scanned, with the reason', async () => {
    const { until, read } = await setUp();
    const { datastore, clock } = app.platform;
    const pages = ['https://other.example/', `${site.url}/about`];
    const scan = { ...request(0), pages, siteUrl: site.url };
    const id = await datastore.transaction((trx, announce) =>
      queueScan(trx, announce, scan, clock.now()),
    );
    await until(id, 'completed');
    expect(await read(id)).toMatchObject({
      ...{ error: null, pages: 1, pages_failed: 1 },
      urls: [
        { state: 'failed', error: `url must be a page of ${site.url}.` },
        { state: 'scanned', error: null },
      ],
    });
  });

  it('return 503 when too many are queued', async () => {
    const { ask, begin, cancel } = await setUp();
    const { asked } = holdBack('/');
    const running = await begin(0);
    await asked;
    const queued = await Promise.all(Array.from({ length: 10 }, () => begin(0)));
    const refused = await ask('POST', '/scanner/scans', {});
    expect([refused.status, refused.json.code]).toEqual([503, 'service_unavailable']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    for (const id of [...queued, running]) expect((await cancel(id)).status).toBe(200);
  });

  it('return 404 for an unknown ID', async () => {
    const { ask } = await setUp();
    for (const [method, path] of [
      ['POST', '/scanner/scans/999999/cancel'],
      ['POST', '/scanner/scans/999999/resume'],
      ['DELETE', '/scanner/scans/999999'],
    ] as const) {
      const { status, json } = await ask(method, path);
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
  });
});

describe.each(ENGINES)('Scans of processes on %s', (engine) => {
  // Has the database, and runs no scans of its own.
  const app = useTestApp(engine, { ...env, PAVIS_SERVICES: 'licence' });

  /** Another process on the same database. */
  const otherProcess = () => {
    const scanner = createScanner(app.platform, {
      addresses: () => resolveAddresses(app.config),
      ...app.config.scanner,
      dataDir: app.config.dataDir,
      connectTo: () => [],
      version: 'test',
      siteUrl: () => site.url,
    });
    onTestFinished(() => scanner.close());
    return scanner;
  };

  async function read(id: number) {
    const { db } = app.platform.datastore;
    const scan = await findScan(db, id);
    return { ...scan, ...(await countScans(db, [id])).get(id) };
  }
  const until = (id: number, status: string) =>
    expect.poll(async () => (await read(id)).status).toBe(status);

  it('are continued by another process at once when theirs stops', async () => {
    const { asked, go } = holdBack('/about');
    const [one, two] = [otherProcess(), otherProcess()];
    const { scan } = await one.runs.queue(request(1));
    one.runs.start();
    await asked;
    await one.close();
    expect((await read(scan.id)).status).toBe('started');
    go();
    two.runs.start();
    await until(scan.id, 'completed');
    expect(await read(scan.id)).toMatchObject({ pages: 3, pagesPlanned: 3 });
  });

  it('are continued when the lease of a killed process has expired', async () => {
    const id = await leaveBehind('server', 0);
    const other = otherProcess();
    other.runs.start();
    app.clock.advance(LEASE_MS - 1);
    const next = (await other.runs.queue(request(0))).scan.id;
    expect((await read(next)).status).toBe('queued');
    app.clock.advance(1);
    await until(id, 'completed');
    await until(next, 'completed');
  });

  it('are continued after the scanner was busy for a moment', async () => {
    const { asked, go } = holdBack('/about');
    const other = otherProcess();
    const { scanId } = await other.start(request(0));
    const ending = new AbortController();
    // As many as may be scanned at once and wait.
    const others = Promise.allSettled(
      Array.from({ length: 2 + 200 }, () =>
        other.scanPage(scanId, `${site.url}/about`, ending.signal),
      ),
    );
    await asked;
    const { scan } = await other.runs.queue(request(0));
    other.runs.start();
    await expect.poll(async () => (await read(scan.id)).pagesPlanned).toBe(1);
    await setTimeout(300);
    expect(await read(scan.id)).toMatchObject({ status: 'started', error: null, pages: 0 });
    ending.abort(new Error('enough'));
    go();
    await others;
    app.clock.advance(LEASE_MS);
    await until(scan.id, 'completed');
  });

  it('are continued when a process was killed before the clock was set back', async () => {
    const id = await leaveBehind('server', 0);
    app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
    otherProcess().runs.start();
    await until(id, 'completed');
  });

  it.each([
    ['command', 0],
    ['server', 3],
  ] as const)(
    'are interrupted when the process of a %s ends after %i takeovers',
    async (runner, takeovers) => {
      const id = await leaveBehind(runner, takeovers);
      app.clock.advance(LEASE_MS);
      const other = otherProcess();
      other.runs.start();
      await until(id, 'interrupted');
      const { error, pages, findings } = await read(id);
      expect([error, pages]).toEqual([
        expect.stringContaining('ended before the scan was complete'),
        1,
      ]);
      expect(findings).toBeGreaterThan(0);
    },
  );

  /** A scan that a process was at until it was killed, with its home page looked at. */
  async function leaveBehind(runner: 'server' | 'command', takeovers: number): Promise<number> {
    const client = otherProcess();
    const { scanId } = await client.start(request(1));
    await client.scanPage(scanId, `${site.url}/`);
    await app.platform.datastore.db
      .updateTable('scans')
      .set({
        runner,
        takeovers,
        lease_holder: 'gone',
        leased_until: app.clock.now() + LEASE_MS,
      })
      .where('id', '=', scanId)
      .execute();
    return scanId;
  }
});
