import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { fixtureSite } from '../../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { insertTestScan, makeStateVisit, saveVisit } from '../../../../test/support/scan-visits.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { type Observation, observed, SCAN_STATES } from '../observation.ts';

const ROOT = '/wp-json/svc/v1';
type Visit = Partial<Parameters<typeof saveVisit>[2]>;
const site = await fixtureSite();
afterAll(() => site.close());

describe.each(ENGINES)('A decision to block, on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' });

  it('is not proven by a page read in part, nor by a check that ran before the scan, which was queued earlier', async () => {
    const { platform } = app;
    const { ask, find, decide, visit } = await setUp();
    const first = await insertTestScan(platform, site.url, ['before']);
    const queued = await insertTestScan(platform, site.url, ['before']);
    await visit(first, true);
    app.clock.advance(1_000);
    const hotjar = await find(first, 'Hotjar');
    const { json } = await decide(first, 'blocked', { findings: [hotjar.id] });
    const check = json.proof.scan_id;
    await expect
      .poll(async () => (await ask('GET', `/scanner/scans/${check}`)).json.status)
      .toBe('completed');
    const { db } = platform.datastore;
    const restart = () =>
      db.updateTable('scans').set({ status: 'started' }).where('id', '=', check).execute();
    await restart();
    const before = makeStateVisit('before');
    const error = 'The visit took too long.';
    const withdrawn = makeStateVisit('withdrawn', { outcome: 'failed', error });
    for (const more of [
      { partial: true },
      { visits: [before, makeStateVisit('rejected', { error })] },
      { visits: [before, makeStateVisit('rejected', { outcome: 'failed', error })] },
      { visits: [before, makeStateVisit('accepted'), withdrawn] },
    ]) {
      await visit(check, false, more);
      expect((await find(first, 'Hotjar')).proof).toMatchObject({
        status: 'not_proven',
        reason: 'page_partial',
      });
      await restart();
    }
    await visit(check, false, { visits: [before, withdrawn] });
    expect(await find(first, 'Hotjar')).toMatchObject({
      state: 'blocked',
      proof: { scan_id: check, status: 'proven' },
    });
    app.clock.advance(1_000);
    const started_at = app.clock.now();
    await db.updateTable('scans').set({ started_at }).where('id', '=', queued).execute();
    await visit(queued, true);
    expect(await find(queued, 'Hotjar')).toMatchObject({ state: 'open', proof: null });
    await db.deleteFrom('scans').where('id', 'in', [first, queued, check]).execute();
  });

  it('stays proven while it is checked again, and if that check visits nothing, until its entry is turned off or the next decision', async () => {
    const { platform } = app;
    const { ask, until, find, decide, visit } = await setUp();
    const id = await insertTestScan(platform, site.url, ['before']);
    await visit(id, true);
    app.clock.advance(1_000);
    const { id: hotjar } = await find(id, 'Hotjar');
    const block = async () =>
      (await decide(id, 'blocked', { findings: [hotjar] })).json.proof.scan_id;
    const check = await block();
    await until(check, 'completed');
    const { db } = platform.datastore;
    await db.updateTable('scans').set({ status: 'started' }).where('id', '=', check).execute();
    await visit(check, false);
    const proven = { scan_id: check, status: 'proven', pending_scan_id: null };
    expect(await find(id, 'Hotjar')).toMatchObject({ state: 'blocked', proof: proven });

    const { script_id } = await find(id, 'Hotjar');
    const turn = (is_active: boolean) => ask('PUT', `/scripts/${script_id}`, { is_active });
    expect((await turn(false)).status).toBe(200);
    expect(await find(id, 'Hotjar')).toMatchObject({
      state: 'open',
      open_reason: 'not_registered',
      proof: null,
    });
    await turn(true);
    expect(await find(id, 'Hotjar')).toMatchObject({ state: 'blocked', proof: proven });

    const asked = Promise.withResolvers<void>();
    onTestFinished(site.replace('/hotjar', () => asked.resolve()));
    app.clock.advance(1_000);
    const verify = async () => (await ask('POST', `/scanner/scans/${id}/verify`)).json.scan_id;
    const again = await verify();
    await asked.promise;
    expect(await verify()).toBe(again);
    expect(await find(id, 'Hotjar')).toMatchObject({
      state: 'blocked',
      proof: { ...proven, pending_scan_id: again },
    });
    await ask('POST', `/scanner/scans/${again}/cancel`);
    expect(await find(id, 'Hotjar')).toMatchObject({ state: 'blocked', proof: proven });
    site.replace('/hotjar', (response) => void response.writeHead(503).end());
    await until(await verify(), 'completed');
    expect(await find(id, 'Hotjar')).toMatchObject({ state: 'blocked', proof: proven });

    app.clock.advance(1_000);
    await decide(id, 'open', { findings: [hotjar] });
    expect(await find(id, 'Hotjar')).toMatchObject({ state: 'open', proof: null });
    app.clock.advance(1_000);
    const next = await block();
    await until(next, 'completed');
    expect(await find(id, 'Hotjar')).toMatchObject({
      state: 'blocked',
      proof: { scan_id: next, status: 'not_proven', reason: 'page_failed' },
    });
    await db.deleteFrom('scans').execute();
  });

  it('holds in a later scan until the entry of the tag is turned off or deleted, unless the page itself blocks it', async () => {
    const { platform } = app;
    const { ask, find, decide, visit } = await setUp();
    const first = await insertTestScan(platform, site.url, ['before']);
    await visit(first, true);
    const { id } = await find(first, 'Hotjar');
    await decide(first, 'blocked', { findings: [id] });
    const { script_id } = await find(first, 'Hotjar');
    app.clock.advance(1_000);
    const url = `${site.url}/hotjar`;
    const load = { kind: 'script', url: 'https://static.hotjar.com/c/hotjar-1.js', method: 'GET' };
    const later = async (more: object): Promise<number> => {
      const scan = await insertTestScan(platform, site.url, ['before', 'accepted']);
      const seen = { ...observed('html', 'after', url), ...load, ...more } as Observation;
      const visits = [makeStateVisit('before'), makeStateVisit('accepted')];
      await visit(scan, true, { observations: [seen], visits });
      return scan;
    };
    const scans = [
      await later({}),
      await later({ sources: ['network'], initiator: url }),
      await later({ blockedUntilConsent: true }),
      // The scan does not tell whether the script that loads it is blocked.
      await later({ sources: ['network'], initiator: `${site.url}/loader.js` }),
    ];
    const states = () => Promise.all(scans.map(async (scan) => (await find(scan, 'Hotjar')).state));
    const blocked = 'blocked';
    expect(await states()).toEqual([blocked, blocked, blocked, blocked]);
    await ask('PUT', `/scripts/${script_id}`, { is_active: false });
    expect(await states()).toEqual([null, null, blocked, null]);
    expect(await find(scans[0] as number, 'Hotjar')).toMatchObject({
      open_reason: null,
      proof: null,
    });
    await ask('DELETE', `/scripts/${script_id}`);
    expect(await states()).toEqual([null, null, blocked, blocked]);
    await platform.datastore.db.deleteFrom('scans').execute();
  });

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    const read = async (id: number) => (await ask('GET', `/scanner/scans/${id}`)).json;
    const until = (id: number, status: string) =>
      expect.poll(async () => (await read(id)).status).toBe(status);
    const scan = async (): Promise<number> => {
      app.clock.advance(60_000);
      const { scan_id, urls } = (await ask('POST', '/scanner/start', { scan_depth: 1 })).json;
      for (const url of urls) await ask('POST', '/scanner/scan-page', { scan_id, url });
      await ask('POST', '/scanner/complete', { scan_id });
      app.clock.advance(60_000);
      return scan_id;
    };
    const find = async (id: number, name: string) =>
      (await ask('GET', `/scanner/results/${id}`)).json.results.find(
        (each: { name: string }) => each.name === name,
      );
    const decide = (scan_id: number, decision: string, more: object = {}) =>
      ask('POST', '/scanner/decisions', { scan_id, decision, ...more });
    /** Saves a visit of a page with or without a script of Hotjar, and completes the scan. */
    const visit = async (id: number, isLoaded: boolean, more: Visit = {}) => {
      const url = `${site.url}/hotjar`;
      const HOTJAR = 'https://static.hotjar.com/c/hotjar-1.js';
      const load = {
        ...observed('network', 'before', url),
        evidence: [{ state: 'before' as const, url: HOTJAR, at: 5 }],
        ...{ kind: 'script' as const, url: HOTJAR, method: 'GET' },
      };
      const visits = [makeStateVisit('before')];
      const observations = isLoaded ? [load] : [];
      await saveVisit(app.platform, id, { url, observations, visits, ...more });
      await ask('POST', '/scanner/complete', { scan_id: id });
    };
    return { ask, read, until, scan, find, decide, visit };
  }

  it('scans only the pages of the blocked findings, in all states, before queued scans', async () => {
    const { ask, read, until, scan, find, decide } = await setUp();
    const fired: number[] = [];
    onTestFinished(
      app.platform.hooks.addAction('svc_scan_complete', (it) => void fired.push(it.scan_id)),
    );
    const id = await scan();
    // Holds the queue back.
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const restore = site.replace('/deep', (response) => {
      asked.resolve();
      void go.promise.then(() => response.end('<p>Late.</p>'));
    });
    onTestFinished(() => {
      go.resolve();
      restore();
    });
    const running = (await ask('POST', '/scanner/scans', { scan_depth: 2 })).json.scan_id;
    await asked.promise;
    const queued = (await ask('POST', '/scanner/scans', { scan_depth: 0 })).json.scan_id;
    const matomo = await find(id, 'Matomo');
    const dry = await decide(id, 'blocked', { findings: [matomo.id], dry_run: true });
    expect(dry.json.proof).toBeNull();
    expect(await find(id, 'Matomo')).toMatchObject({ state: 'open', proof: null });
    const { json } = await decide(id, 'blocked', { findings: [matomo.id] });
    const { scan_id } = json.proof;
    expect(await read(scan_id)).toMatchObject({
      ...{ status: 'queued', started_by: 'proof', depth: 0, runner: 'server' },
      states: ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'],
      urls: [{ url: `${site.url}/`, state: 'planned' }],
    });
    const pending = { scan_id, status: 'pending', reason: null, checked_at: null };
    expect(await find(id, 'Matomo')).toMatchObject({ state: 'blocked', proof: pending });
    const listed = async (starters: string) =>
      (await ask('GET', `/scanner/scans?started_by=${starters}`)).json.map(
        (each: { scan_id: number }) => each.scan_id,
      );
    expect(await listed('proof')).toEqual([scan_id]);
    expect(await listed('request,schedule')).toEqual([queued, running, id]);

    go.resolve();
    await until(queued, 'completed');
    const [proof, later] = [await read(scan_id), await read(queued)];
    expect(proof).toMatchObject({ status: 'completed', pages: 1, pages_planned: 1 });
    expect(proof.completed_at <= later.completed_at).toBe(true);
    await expect.poll(() => fired).toEqual([id, running, scan_id, queued]);
    // Without a browser only the next scan can tell.
    expect(await find(id, 'Matomo')).toMatchObject({
      state: 'blocked',
      proof: {
        ...{ scan_id, status: 'not_proven', reason: 'no_browser' },
        checked_at: proof.completed_at,
      },
    });
    const ignored = await find(id, '_ga');
    const other = await decide(id, 'ignored', { findings: [ignored.id], reason: 'No.' });
    expect(other.json.proof).toBeNull();
    expect(await find(id, '_ga')).toMatchObject({ state: 'ignored', proof: null });
  });

  it('is checked again by the next decision, and says why a check has no result', async () => {
    const { ask, until, scan, find, decide } = await setUp();
    const id = await scan();
    const youtube = await find(id, 'YouTube');
    const restore = site.replace('/about', (response) => void response.writeHead(503).end());
    const first = (await decide(id, 'blocked', { findings: [youtube.id] })).json.proof.scan_id;
    await until(first, 'completed');
    expect(await find(id, 'YouTube')).toMatchObject({
      state: 'blocked',
      proof: { scan_id: first, status: 'not_proven', reason: 'page_failed' },
    });
    restore();
    const second = (await decide(id, 'blocked', { findings: [youtube.id] })).json.proof.scan_id;
    await until(second, 'completed');
    expect((await find(id, 'YouTube')).proof).toMatchObject({ scan_id: second });
    await ask('DELETE', `/scanner/scans/${second}`);
    expect((await find(id, 'YouTube')).proof).toMatchObject({ scan_id: first });
    await ask('DELETE', `/scanner/scans/${first}`);
    expect(await find(id, 'YouTube')).toMatchObject({ state: 'blocked', proof: null });
    // A later scan of the site tells more than an earlier check.
    const next = await scan();
    expect(await find(next, 'YouTube')).toMatchObject({
      ...{ state: 'open', open_reason: 'in_html', proof: null },
    });
    const again = await decide(next, 'blocked', {
      findings: [(await find(next, 'YouTube')).id],
    });
    expect(again.json).toMatchObject({ findings: 0, skipped: [{ reason: expect.anything() }] });
    expect(again.json.proof).toEqual({ scan_id: expect.any(Number) });
  });

  it('is checked again when asked, by one scan at a time', async () => {
    const { ask, until, scan, find, decide } = await setUp();
    const verify = (id: number) => ask('POST', `/scanner/scans/${id}/verify`);
    expect((await verify(0)).status).toBe(404);
    const nothing = await insertTestScan(app.platform, site.url, ['before']);
    const refused = await verify(nothing);
    expect([refused.status, refused.json.code]).toEqual([409, 'nothing_blocked']);
    const id = await scan();
    const youtube = await find(id, 'YouTube');
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const restore = site.replace('/about', (response) => {
      asked.resolve();
      void go.promise.then(() => response.end('<p>Late.</p>'));
    });
    onTestFinished(() => {
      go.resolve();
      restore();
    });
    await decide(id, 'blocked', { findings: [youtube.id] });
    await asked.promise;
    const queued = await verify(id);
    expect([queued.status, queued.json.status]).toEqual([200, 'queued']);
    expect((await verify(id)).json.scan_id).toBe(queued.json.scan_id);
    go.resolve();
    await until(queued.json.scan_id, 'completed');
    const { json } = await verify(id);
    expect(json.scan_id).toBeGreaterThan(queued.json.scan_id);
    expect(json).toMatchObject({ started_by: 'proof', states: SCAN_STATES });
    await until(json.scan_id, 'completed');
    expect((await find(id, 'YouTube')).proof).toMatchObject({ scan_id: json.scan_id });
    const { db } = app.platform.datastore;
    await db
      .updateTable('scans')
      .set({ site_url: 'https://other.example' })
      .where('id', '=', id)
      .execute();
    const other = await verify(id);
    expect([other.status, other.json.code]).toEqual([409, 'other_site']);
    await db.deleteFrom('scans').where('id', 'in', [id, nothing]).execute();
  });
});

describe('A decision to block, checked by a browser', () => {
  const app = useTestApp('sqlite', { PAVIS_SITE_URL: site.url });

  it('is proven once the page is changed, and says before what still loads the resource', async () => {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    const end = (id: number) =>
      expect
        .poll(async () => (await ask('GET', `/scanner/scans/${id}`)).json.status, {
          timeout: 60_000,
        })
        .toBe('completed');
    const results = async (id: number) => (await ask('GET', `/scanner/results/${id}`)).json;
    const block = async (id: number) => {
      app.clock.advance(1_000);
      const { proof } = (
        await ask('POST', '/scanner/decisions', { scan_id: id, decision: 'blocked' })
      ).json;
      await end(proof.scan_id);
      const { results: found, open } = await results(id);
      const pick = (host: string) => found.find((each: { host: string }) => each.host === host);
      return {
        ...{ open, hotjar: pick('static.hotjar.com'), clarity: pick('www.clarity.ms') },
        pixel: pick('www.facebook.com'),
      };
    };
    const noscript = '<noscript><img src="https://www.facebook.com/tr?id=1" alt=""></noscript>';
    onTestFinished(
      site.replace('/loader.js', (response) => {
        response.setHeader('content-type', 'text/javascript');
        response.end(
          `document.head.append(Object.assign(document.createElement('script'), { src: 'https://www.clarity.ms/tag/abc' }));`,
        );
      }),
    );
    onTestFinished(
      site.replace(
        '/',
        `<!doctype html><title>Shop</title>${noscript}<script src="/loader.js"></script><script src="https://static.hotjar.com/c/hotjar-1.js"></script><p>Shop</p>`,
      ),
    );
    const id = (await ask('POST', '/scanner/scans', { scan_depth: 0 })).json.scan_id;
    await end(id);
    expect(await results(id)).toMatchObject({ open: 3 });

    const failed = { status: 'not_proven', checked_at: expect.any(String) };
    expect(await block(id)).toMatchObject({
      open: 3,
      hotjar: { state: 'open', open_reason: 'in_html', proof: { ...failed, reason: 'in_html' } },
      clarity: {
        state: 'open',
        proof: { ...failed, reason: 'other_script', initiator: `${site.url}/loader.js` },
      },
    });
    const blocked =
      '<script type="text/plain" data-category="analytics" src="https://static.hotjar.com/c/hotjar-1.js"></script>';
    site.replace('/', `<!doctype html><title>Shop</title>${blocked}${noscript}<p>Shop</p>`);
    const reason = 'in_noscript';
    expect(await block(id)).toMatchObject({
      open: 1,
      pixel: { state: 'open', open_reason: reason, proof: { ...failed, reason, initiator: null } },
    });
    site.replace('/', `<!doctype html><title>Shop</title>${blocked}<p>Shop</p>`);
    const proven = { status: 'proven', reason: null, initiator: null };
    expect(await block(id)).toMatchObject({
      open: 0,
      pixel: { state: 'blocked', open_reason: null, proof: proven },
      hotjar: { state: 'blocked', open_reason: null, proof: proven },
      clarity: { state: 'blocked', proof: proven },
    });
  });
});
