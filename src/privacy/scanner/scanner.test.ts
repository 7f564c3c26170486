import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { fixtureSite } from '../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { resolveAddresses } from '../../config/index.ts';
import { readSettings } from '../settings/index.ts';
import { registerExtensionVendors, VENDORS_CHANGED } from '../vendors/index.ts';
import { EMPTY_VENDOR } from '../vendors/schemas.ts';
import { putExtensionVendor } from '../vendors/store.ts';
import { createScanner } from './service.ts';

const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
afterAll(() => site.close());
const env = { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' };

type Json = Record<string, unknown>;
/** Each finding as `type name`. */
const told = (findings: { resource_type: string; name: string }[]) =>
  findings.map(({ resource_type, name }) => `${resource_type} ${name}`).sort();

describe.each(ENGINES)('The scanner on %s', (engine) => {
  const app = useTestApp(engine, env);

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: Json) =>
      app.http.request(method, ROOT + path, { headers, ...(body === undefined ? {} : { body }) });
    const start = async (scan_depth = 1) =>
      (await ask('POST', '/scanner/start', { scan_depth })).json;
    const scanPage = (scan_id: number, path: string) =>
      ask('POST', '/scanner/scan-page', { scan_id, url: site.url + path });
    const complete = (scan_id: number) => ask('POST', '/scanner/complete', { scan_id });
    const results = async (scan_id: number, query = '') =>
      (await ask('GET', `/scanner/results/${scan_id}${query}`)).json;
    /** A scan of all pages that `start` names. */
    const scanAll = async () => {
      const { scan_id, urls } = await start();
      for (const url of urls) await ask('POST', '/scanner/scan-page', { scan_id, url });
      await complete(scan_id);
      return scan_id as number;
    };
    return { ask, start, scanPage, complete, results, scanAll };
  }

  it('returns the pages of the site up to the crawl depth', async () => {
    const { ask, start } = await setUp();
    const { status, json } = await ask('POST', '/scanner/start');
    expect([status, json]).toEqual([
      200,
      {
        scan_id: expect.any(Number),
        urls: [`${site.url}/`, `${site.url}/about`, `${site.url}/contact`],
        total: 3,
        robots_excluded: 0,
        crawl_limit: null,
        notice: null,
      },
    ]);
    expect((await start(0)).urls).toEqual([`${site.url}/`]);
    expect((await start(2)).urls).toContain(`${site.url}/deep`);
    const coerced = await ask('POST', '/scanner/start', { scan_depth: '2' });
    expect(coerced.json.total).toBe(4);
  });

  it.each([['deep'], [-1], [6], [999], [1.5], [null], [[1]]])(
    'returns 400 for the crawl depth %j',
    async (scan_depth) => {
      const { ask } = await setUp();
      const { status, json } = await ask('POST', '/scanner/start', { scan_depth });
      expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
      expect(json.data.params).toHaveProperty('scan_depth');
    },
  );

  it('returns and saves findings without cookie and query values', async () => {
    const { start, scanPage, results } = await setUp();
    const { scan_id } = await start();
    const { status, json, text } = await scanPage(scan_id, '/');
    expect(status).toBe(200);
    expect(json).toMatchObject({ url: `${site.url}/`, partial: false });
    expect(json.count).toBe(json.findings.length);
    expect(told(json.findings)).toEqual([
      'cookie PHPSESSID',
      'cookie _ga',
      'gtm_tag GTM-ABC123',
      'pixel Meta Pixel (Facebook)',
      'script Google Tag Manager',
      'script Matomo',
      'script cdn.nobody-known.example',
    ]);
    expect(text).not.toContain('s3cretvalue');
    const saved = await results(scan_id);
    expect(saved.results).toEqual(json.findings);
    expect(saved).toMatchObject({ status: 'started', completed_at: null, pages: 1, total: 7 });
  });

  it('returns all fields of a finding and whether it required consent', async () => {
    const { start, scanPage } = await setUp();
    const { scan_id } = await start();
    const { findings } = (await scanPage(scan_id, '/')).json;
    const cookie = findings.find(({ name }: { name: string }) => name === '_ga');
    expect(cookie).toEqual({
      id: expect.any(Number),
      scan_id,
      resource_type: 'cookie',
      url: 'http://127.0.0.1/',
      host: '127.0.0.1',
      third_party: false,
      vendor: { id: expect.any(Number), slug: 'google-analytics', name: 'Google Analytics' },
      category: 'analytics',
      name: '_ga',
      page_url: `${site.url}/`,
      first_seen: '2026-11-21T09:30:00.000Z',
      consent_state: 'before',
      needs_consent: true,
      // Without a browser nothing is seen at work.
      states: [],
      verdict: null,
      verdicts: [],
      broken_promise: false,
      evidence: [],
      blocked: false,
      sources: ['header'],
      details: expect.objectContaining({ duration: '1 year', http_only: false }),
      state: 'open',
      open_reason: 'set_by_server',
      decision: null,
      initiator: null,
      script_id: null,
      can_block: false,
      proof: null,
    });
    const held = (await scanPage(scan_id, '/about')).json.findings.find(
      ({ resource_type }: { resource_type: string }) => resource_type === 'script',
    );
    expect(held).toMatchObject({ blocked: true, needs_consent: false, consent_state: 'after' });
  });

  it('replaces the findings of a page that is scanned again', async () => {
    const { start, scanPage, results } = await setUp();
    const { scan_id } = await start();
    await scanPage(scan_id, '/contact');
    const before = await results(scan_id);
    const other = '<script src="https://cdn.nobody-known.example/lib.js"></script>';
    onTestFinished(site.replace('/contact', other));
    const { json } = await scanPage(scan_id, '/contact#part');
    expect(told(before.results)).toEqual(['form Formspree']);
    expect((await results(scan_id)).results).toEqual(json.findings);
    expect(told(json.findings)).toEqual(['script cdn.nobody-known.example']);
  });

  it('saves twenty concurrent pages once each', async () => {
    const { start, scanPage, results, ask } = await setUp();
    const { scan_id } = await start();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => scanPage(scan_id, n < 10 ? `/?p=${n}` : '/about')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { results: findings, total, pages } = await results(scan_id);
    expect([total, findings.length, pages]).toEqual([72, 72, 11]);
    const { urls } = (await ask('GET', `/scanner/scans/${scan_id}`)).json;
    expect(new Set(urls.map(({ url }: { url: string }) => url)).size).toBe(urls.length);
  });

  it('rejects pages of other sites, unknown scans and ended scans', async () => {
    const { ask, start, complete, scanPage } = await setUp();
    const { scan_id } = await start(0);
    for (const url of [
      'https://elsewhere.example/',
      'http://127.0.0.1:1/',
      'http://user:pw@127.0.0.1/',
      'ftp://127.0.0.1/',
      'nonsense',
      '',
      `${site.url}/${'ä'.repeat(2_000)}`,
    ]) {
      const { status, json } = await ask('POST', '/scanner/scan-page', { scan_id, url });
      expect([url, status, json.code]).toEqual([url, 400, 'rest_invalid_param']);
    }
    const unknown = await scanPage(999_999, '/');
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
    const missing = await ask('POST', '/scanner/scan-page', { scan_id });
    expect(missing.json.code).toBe('rest_missing_callback_param');
    await complete(scan_id);
    const late = await scanPage(scan_id, '/');
    expect([late.status, late.json.code]).toEqual([409, 'scan_completed']);
  });

  it('returns 200 with the reason for a page that cannot be scanned', async () => {
    const { start, scanPage, complete } = await setUp();
    const { scan_id } = await start(0);
    const { status, json } = await scanPage(scan_id, '/plain');
    expect([status, json]).toEqual([
      200,
      {
        url: `${site.url}/plain`,
        findings: [],
        count: 0,
        http_status: 200,
        banner: null,
        partial: false,
        discovered: [],
        error: expect.stringContaining('not HTML'),
      },
    ]);
    expect((await complete(scan_id)).json).toMatchObject({ pages: 0, findings: 0 });
  });

  it.each([401, 403, 404, 410, 429, 500, 503])(
    'reports a page with status %i as failed',
    async (answered) => {
      const { start, scanPage, results } = await setUp();
      const { scan_id } = await start();
      const wall =
        '<title>Sorry</title><script src="https://cdn.nobody-known.example/lib.js"></script>';
      onTestFinished(
        site.replace('/about', (response) => void response.writeHead(answered).end(wall)),
      );
      const { status, json } = await scanPage(scan_id, '/about');
      expect([status, json]).toEqual([
        200,
        {
          url: `${site.url}/about`,
          findings: [],
          count: 0,
          http_status: answered,
          banner: null,
          partial: false,
          discovered: [],
          error: expect.stringContaining(`The server answered ${answered} (`),
        },
      ]);
      await scanPage(scan_id, '/');
      const found = await results(scan_id);
      expect(found).toMatchObject({ pages: 1, pages_failed: 1, pages_planned: 3 });
      expect(found.failed_pages).toEqual([
        { url: `${site.url}/about`, http_status: answered, error: json.error },
      ]);
      expect(found.urls.map((page: Json) => [page.state, page.http_status, page.error])).toEqual([
        ['scanned', 200, null],
        ['failed', answered, json.error],
        ['planned', null, null],
      ]);
    },
  );

  it('reports the challenge of a bot protection, whatever its status', async () => {
    const { start, scanPage } = await setUp();
    const { scan_id } = await start(0);
    const challenge = (response: ServerResponse) =>
      void response
        .writeHead(200, { 'cf-mitigated': 'challenge' })
        .end('<title>Just a moment...</title>');
    onTestFinished(site.replace('/about', challenge));
    const { json } = await scanPage(scan_id, '/about');
    expect(json).toMatchObject({ count: 0, http_status: 200 });
    expect(json.error).toMatch(/bot protection \(Cloudflare\)/);
  });

  it('reports the status of a non-HTML error', async () => {
    const { start, scanPage } = await setUp();
    const { scan_id } = await start(0);
    onTestFinished(
      site.replace(
        '/about',
        (response) => void response.writeHead(503, { 'content-type': 'text/plain' }).end('down'),
      ),
    );
    const { json } = await scanPage(scan_id, '/about');
    expect(json).toMatchObject({ count: 0, http_status: 503 });
    expect(json.error).toMatch(/^The server answered 503/);
  });

  it('says which limit keeps pages out of a scan', async () => {
    const { ask, start, results } = await setUp();
    await ask('PUT', '/settings', { scanner: { max_pages: 2 } });
    onTestFinished(() => void ask('PUT', '/settings', { scanner: { max_pages: 200 } }));
    const started = await start();
    expect(started).toMatchObject({ total: 2, crawl_limit: 'max_pages' });
    expect(started.notice).toMatch(/scanner\.max_pages limits this scan/);
    const { crawl_limit, notice } = await results(started.scan_id);
    expect([crawl_limit, notice]).toEqual(['max_pages', started.notice]);
    expect(await start(0)).toMatchObject({ total: 1, crawl_limit: null, notice: null });
    const { scan_id } = (await ask('POST', '/scanner/scans', { scan_depth: 1 })).json;
    await expect.poll(async () => (await results(scan_id)).status).toBe('completed');
    expect(await results(scan_id)).toMatchObject({ crawl_limit: 'max_pages', pages: 2 });
  });

  it('counts pages that robots.txt excludes, and scans them with ignore_robots', async () => {
    const { ask, start, results } = await setUp();
    onTestFinished(site.replace('/robots.txt', 'User-agent: *\nDisallow: /'));
    const started = await start();
    expect(started).toMatchObject({ urls: [`${site.url}/`], total: 1, robots_excluded: 2 });
    expect(started.notice).toMatch(/robots\.txt excludes 2 pages .*scanner\.ignore_robots/);
    const { robots_excluded, notice } = await results(started.scan_id);
    expect([robots_excluded, notice]).toEqual([2, started.notice]);
    await ask('PUT', '/settings', { scanner: { ignore_robots: true } });
    onTestFinished(() => void ask('PUT', '/settings', { scanner: { ignore_robots: false } }));
    expect(await start()).toMatchObject({ total: 3, robots_excluded: 0, notice: null });
  });

  it('continues a scan that another process started', async () => {
    const { start, results, complete } = await setUp();
    const { scan_id, urls } = await start();
    const other = createScanner(app.platform, {
      ...app.config.scanner,
      dataDir: app.config.dataDir,
      connectTo: () => [],
      version: 'test',
      addresses: () => resolveAddresses(app.config),
      siteUrl: () => site.url,
    });
    for (const url of urls) await other.scanPage(scan_id, url);
    await other.close();
    expect(await results(scan_id)).toMatchObject({ status: 'started', pages: 3, total: 10 });
    expect((await complete(scan_id)).json).toMatchObject({ pages: 3, findings: 10 });
  });

  it('completes a scan and triggers its hook once, also for concurrent requests', async () => {
    const { start, scanPage, complete } = await setUp();
    const fired: unknown[] = [];
    onTestFinished(
      app.platform.hooks.addAction('svc_scan_complete', (summary) => fired.push(summary)),
    );
    const { scan_id } = await start();
    await scanPage(scan_id, '/');
    const other = createScanner(app.platform, {
      ...app.config.scanner,
      dataDir: app.config.dataDir,
      connectTo: () => [],
      version: 'test',
      addresses: () => resolveAddresses(app.config),
      siteUrl: () => site.url,
    });
    const [one, , two] = await Promise.all([
      complete(scan_id),
      other.complete(scan_id),
      complete(scan_id),
    ]);
    const summary = { scan_id, status: 'completed', pages: 1, findings: 7, vendors: 4 };
    expect([one.status, one.json, two.json]).toEqual([200, summary, summary]);
    app.clock.advance(1_000);
    expect((await complete(scan_id)).json).toEqual(summary);
    const logged = await app.platform.datastore.db
      .selectFrom('consent_log_records')
      .select('facts')
      .where('kind', '=', 4)
      .orderBy('id')
      .execute();
    const facts = logged.map((row) => JSON.parse(row.facts)).filter(({ scan }) => scan === scan_id);
    const counted = (count: number) => ({ count, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(facts).toMatchObject([{ pages: counted(3), findings: counted(7), visits: counted(0) }]);
    expect(fired).toEqual([summary]);
    const unknown = await complete(999_999);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
  });

  it('summarises vendors and unknown hosts of the whole scan regardless of the filter', async () => {
    const { scanAll, results, ask } = await setUp();
    const id = await scanAll();
    const all = await results(id);
    expect(all).toMatchObject({ status: 'completed', pages: 3, total: all.results.length });
    expect(all.before_consent).toBe(
      all.results.filter(({ needs_consent }: { needs_consent: boolean }) => needs_consent).length,
    );
    expect(all.unknown_hosts).toEqual([
      {
        ...{ host: 'cdn.nobody-known.example', count: 1, before_consent: 1 },
        resources: { total: 1, before_consent: 1 },
      },
    ]);
    const meta = all.vendors.find(({ slug }: { slug: string }) => slug === 'facebook-pixel');
    expect(meta).toMatchObject({
      vendor_id: expect.any(Number),
      name: 'Meta Pixel (Facebook)',
      category: 'marketing',
      count: 2,
      pages: 2,
      resource_types: ['pixel', 'script'],
      in_data_map: false,
      purpose: expect.any(String),
    });
    for (const type of ['script', 'iframe', 'pixel', 'cookie', 'api_call', 'gtm_tag', 'form']) {
      const some = await results(id, `?resource_type=${type}`);
      const of = all.results.filter(
        ({ resource_type }: { resource_type: string }) => resource_type === type,
      );
      expect([type, some.results, some.total]).toEqual([type, of, of.length]);
      expect(some.vendors).toEqual(all.vendors);
    }
    const wrong = await ask('GET', `/scanner/results/${id}?resource_type=video`);
    expect([wrong.status, wrong.json.code]).toEqual([400, 'rest_invalid_param']);
    expect((await ask('GET', '/scanner/results/999999')).json.code).toBe('not_found');
  });

  it('returns pages of findings with per_page', async () => {
    const { scanAll, results, ask } = await setUp();
    const id = await scanAll();
    const all = (await results(id)).results;
    const { json, headers } = await ask('GET', `/scanner/results/${id}?per_page=4&offset=2`);
    expect(json.results).toEqual(all.slice(2, 6));
    expect(json.total).toBe(all.length);
    expect(headers.get('x-wp-total')).toBe(String(all.length));
    expect(headers.get('link')).toContain('offset=6');
    expect((await results(id, '?per_page=3&page=2')).results).toEqual(all.slice(3, 6));
    expect((await results(id, '?offset=5')).results).toEqual(all.slice(5));
    expect((await results(id, `?page=${Number.MAX_SAFE_INTEGER}`)).results).toEqual(all);
    expect((await ask('GET', `/scanner/results/${id}?per_page=101`)).status).toBe(400);
  });

  it('lists scans, newest first, and shows one with its pages', async () => {
    const { scanAll, start, ask } = await setUp();
    const id = await scanAll();
    const { scan_id } = await start(0);
    const { json, headers } = await ask('GET', '/scanner/scans?per_page=2');
    expect(json.map((scan: Json) => scan.scan_id)).toEqual([scan_id, id]);
    expect(Number(headers.get('x-wp-total'))).toBeGreaterThanOrEqual(2);
    expect(json[1]).toMatchObject({
      status: 'completed',
      site_url: site.url,
      depth: 1,
      engine: 'html',
      pages: 3,
      pages_failed: 0,
      pages_planned: 3,
    });
    const one = (await ask('GET', `/scanner/scans/${scan_id}`)).json;
    expect(one).toMatchObject({ scan_id, status: 'started', pages: 0, pages_planned: 1 });
    expect(one.urls).toEqual([
      {
        url: `${site.url}/`,
        state: 'planned',
        http_status: null,
        banner: null,
        partial: false,
        error: null,
        findings: 0,
      },
    ]);
    expect((await ask('GET', '/scanner/scans/999999')).json.code).toBe('not_found');
  });

  it('lists the scans of the protected site, and those with a status', async () => {
    const { scanAll, start, ask } = await setUp();
    const [own, staging] = [await scanAll(), await scanAll()];
    await app.platform.datastore.db
      .updateTable('scans')
      .set({ site_url: 'https://staging.example.com' })
      .where('id', '=', staging)
      .execute();
    const { scan_id: started } = await start(0);
    const list = async (query: string) =>
      (await ask('GET', `/scanner/scans?per_page=2&${query}`)).json.map(
        (scan: Json) => scan.scan_id,
      );
    expect(await list('status=started,completed')).toEqual([started, staging]);
    expect(await list('protected_site=true')).toEqual([started, own]);
    expect(await list('status=completed&protected_site=false')).toEqual([staging, own]);
    expect((await ask('GET', '/scanner/scans?status=done')).status).toBe(400);
  });

  it('compares a scan with an earlier one, and returns when resources were first seen', async () => {
    const { scanAll, results, ask } = await setUp();
    const first = await scanAll();
    const began = (await results(first)).results[0].first_seen;
    onTestFinished(site.replace('/about', '<script src="https://js.stripe.com/v3/"></script>'));
    app.clock.advance(60_000);
    const second = await scanAll();
    const { comparison } = (await ask('GET', `/scanner/scans/${second}?compare_with=${first}`))
      .json;
    expect(comparison.with).toBe(first);
    expect(told(comparison.new)).toEqual(['script Stripe']);
    expect(told(comparison.gone)).toContain('iframe YouTube');
    expect(comparison.same).toBe(8);
    const seen = (await results(second)).results as { name: string; first_seen: string }[];
    expect(seen.find(({ name }) => name === '_ga')?.first_seen).toBe(began);
    expect(seen.find(({ name }) => name === 'Stripe')?.first_seen).not.toBe(began);
    const unknown = await ask('GET', `/scanner/scans/${second}?compare_with=999999`);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
  });

  it('recognises a vendor as soon as it is added, and no longer after it was deleted', async () => {
    const { ask, start, scanPage, results } = await setUp();
    const vendor = { name: 'Nobody', slug: 'nobody-known', category: 'personalisation' };
    const { id } = (await ask('POST', '/vendors', vendor)).json;
    const { scan_id } = await start(0);
    await scanPage(scan_id, '/');
    expect((await results(scan_id, '?resource_type=script')).results).toContainEqual(
      expect.objectContaining({
        vendor: { id, slug: 'nobody-known', name: 'Nobody' },
        category: 'personalisation',
      }),
    );
    expect((await results(scan_id)).unknown_hosts).toEqual([]);
    expect((await ask('DELETE', `/vendors/${id}`)).status).toBe(200);
    const { unknown_hosts, results: findings } = await results(scan_id);
    expect(unknown_hosts).toHaveLength(1);
    expect(findings).toHaveLength(7);

    const again = (await ask('POST', '/vendors', { ...vendor, domains: ['nobody-known.example'] }))
      .json;
    expect((await results(scan_id)).unknown_hosts).toEqual([]);
    await ask('DELETE', `/vendors/${again.id}`);
  });

  it('lists the hosts of a vendor whose extension was removed as unrecognised', async () => {
    const { ask, start, scanPage, complete, results } = await setUp();
    const vendor = { ...EMPTY_VENDOR, name: 'Nobody', slug: 'of-extension' };
    const { datastore, clock } = app.platform;
    const fields = { ...vendor, domains: ['nobody-known.example'] };
    await datastore.transaction((trx, announce) => {
      announce(VENDORS_CHANGED, 'all');
      return putExtensionVendor(trx, fields, 'gone', clock.now());
    });
    const { scan_id } = await start(0);
    await scanPage(scan_id, '/');
    const read = async () => {
      const { vendors, unknown_hosts } = await results(scan_id);
      const counted = (await ask('GET', `/scanner/scans/${scan_id}`)).json.vendors;
      return [vendors.length - counted, unknown_hosts.map(({ host }: Json) => host)];
    };
    expect(await read()).toEqual([0, []]);
    await registerExtensionVendors(app.platform, await readSettings(datastore.db, app.url));
    expect(await read()).toEqual([0, ['cdn.nobody-known.example']]);
    const { findings } = (await scanPage(scan_id, '/')).json;
    expect(told(findings)).toContain('script cdn.nobody-known.example');
    await complete(scan_id);
  });

  it('lets an extension change the category of a finding or exclude it', async () => {
    const { start, scanPage } = await setUp();
    onTestFinished(
      app.platform.hooks.addFilter('svc_scan_finding', (finding) => {
        if (finding.name === 'PHPSESSID') return { ...finding, keep: false };
        if (finding.name === '_ga') return { ...finding, category: 'functional' };
        if (finding.resource_type === 'pixel') return { ...finding, category: '<b>no' };
        return undefined;
      }),
    );
    const { scan_id } = await start(0);
    const { findings, count } = (await scanPage(scan_id, '/')).json;
    expect(count).toBe(6);
    expect(told(findings)).not.toContain('cookie PHPSESSID');
    const of = (name: string) => findings.find((each: Json) => each.name === name);
    expect(of('_ga')).toMatchObject({ category: 'functional', needs_consent: false });
    expect(of('Meta Pixel (Facebook)')).toMatchObject({ category: 'marketing' });
  });

  it('adds the vendors of a scan to the data map, once', async () => {
    const { ask, scanAll, results } = await setUp();
    const scan_id = await scanAll();
    const vendors = ['facebook-pixel', 'google-tag-manager', 'nobody', 'hotjar', 'facebook-pixel'];
    const add = () => ask('POST', '/data-map/bulk-add', { scan_id, vendors });
    const versions = async () => (await ask('GET', '/settings/consent-versions')).json;
    await app.http.get('/wp-json/svc/v1/consent/status');
    const before = await versions();
    const [one, two] = await Promise.all([add(), add()]);
    expect([one.status, two.status]).toEqual([200, 200]);
    const added = [...one.json.added, ...two.json.added];
    const [now, ...earlier] = await versions();
    expect(earlier).toEqual(before);
    expect(now).toMatchObject({ vendors: [{ slug: 'facebook-pixel' }], asked_since: now.version });
    expect(added.map((entry) => [entry.vendor_slug, entry.legal_basis, entry.status])).toEqual([
      ['facebook-pixel', 'consent', 'active'],
      ['google-tag-manager', 'legitimate_interests', 'active'],
    ]);
    expect(added[0]).toMatchObject({ purpose: expect.stringMatching(/\w/) });
    const { json } = await add();
    expect(json).toEqual({
      added: [],
      skipped: [
        { slug: 'facebook-pixel', reason: expect.stringContaining('already') },
        { slug: 'google-tag-manager', reason: expect.stringContaining('already') },
        { slug: 'nobody', reason: expect.stringContaining('no such vendor') },
        { slug: 'hotjar', reason: expect.stringContaining('did not find') },
      ],
    });
    const tallies = (await results(scan_id)).vendors;
    expect(tallies.find(({ slug }: Json) => slug === 'facebook-pixel').in_data_map).toBe(true);
    const unknown = await ask('POST', '/data-map/bulk-add', { scan_id: 999_999, vendors });
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
    const wrong = await ask('POST', '/data-map/bulk-add', { scan_id, vendors: { a: 1 } });
    expect([wrong.status, wrong.json.code]).toEqual([400, 'rest_invalid_param']);
    const nothing = await ask('POST', '/data-map/bulk-add', { scan_id, vendors: [] });
    expect(nothing.json).toEqual({ added: [], skipped: [] });
  });
});

describe('Embedded Google services', () => {
  const app = useTestApp('sqlite', env);

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = async (method: string, path: string, body?: Json) =>
      (await app.http.request(method, ROOT + path, { headers, ...(body && { body }) })).json;
    const restore = site.replace(
      '/',
      `<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">
      <script src="https://maps.googleapis.com/maps/api/js"></script>
      <script src="https://www.google.com/recaptcha/api.js"></script>`,
    );
    onTestFinished(restore);
    const startScan = async () => {
      const { scan_id } = await ask('POST', '/scanner/start', { scan_depth: 0 });
      const url = `${site.url}/`;
      const { findings } = await ask('POST', '/scanner/scan-page', { scan_id, url });
      return { scan_id, findings };
    };
    /** Adds a required category, of which visitors are not asked, with reCAPTCHA in it. */
    const requireRecaptcha = async () => {
      const { consent } = await ask('GET', '/settings');
      const security = { id: 'security', label: 'Security', description: '', required: true };
      const others = consent.categories.filter(({ id }: Json) => id !== security.id);
      await ask('PUT', '/settings', { consent: { categories: [...others, security] } });
      const [{ id }] = await ask('GET', '/vendors?search=recaptcha');
      await ask('PUT', `/vendors/${id}`, { category: 'security' });
    };
    return { ask, startScan, requireRecaptcha };
  }

  it('require consent, unless scanner.necessary_vendors has them', async () => {
    const { ask, startScan, requireRecaptcha } = await setUp();
    const scan = async () => {
      const { findings } = await startScan();
      return findings
        .map((found: { vendor: { slug: string } | null; needs_consent: boolean }) => [
          found.vendor?.slug,
          found.needs_consent,
        ])
        .sort();
    };
    expect(await scan()).toEqual([
      ['google-fonts', true],
      ['google-maps', true],
      ['google-recaptcha', true],
    ]);
    await ask('PUT', '/settings', { scanner: { necessary_vendors: ['google-recaptcha'] } });
    const withoutRecaptcha = [
      ['google-fonts', true],
      ['google-maps', true],
      ['google-recaptcha', false],
    ];
    expect(await scan()).toEqual(withoutRecaptcha);

    await ask('PUT', '/settings', { scanner: { necessary_vendors: [] } });
    await requireRecaptcha();
    expect(await scan()).toEqual(withoutRecaptcha);
  });

  it('are added to the data map on legitimate interests if they are strictly necessary', async () => {
    const { ask, startScan, requireRecaptcha } = await setUp();
    await requireRecaptcha();
    await ask('PUT', '/settings', { scanner: { necessary_vendors: ['google-maps'] } });
    const { scan_id } = await startScan();
    const vendors = ['google-fonts', 'google-maps', 'google-recaptcha'];
    const { added } = await ask('POST', '/data-map/bulk-add', { scan_id, vendors });
    expect(added.map((entry: Json) => [entry.vendor_slug, entry.legal_basis])).toEqual([
      ['google-fonts', 'consent'],
      ['google-maps', 'legitimate_interests'],
      ['google-recaptcha', 'legitimate_interests'],
    ]);
  });

  it('are added to the data map on consent if their script has an optional category', async () => {
    const { ask, startScan, requireRecaptcha } = await setUp();
    await requireRecaptcha();
    for (const { id } of await ask('GET', '/data-map')) await ask('DELETE', `/data-map/${id}`);
    const script_url = 'https://www.google.com/recaptcha/api.js';
    const script = { handle: 'recaptcha', label: 'reCAPTCHA', category: 'marketing', script_url };
    await ask('POST', '/scripts', script);
    const { scan_id } = await startScan();
    const vendors = ['google-recaptcha'];
    const { added } = await ask('POST', '/data-map/bulk-add', { scan_id, vendors });
    expect(added).toMatchObject([{ vendor_slug: 'google-recaptcha', legal_basis: 'consent' }]);
  });
});

describe('The scanner of an unreachable site', () => {
  const app = useTestApp('sqlite', { ...env, PAVIS_SITE_URL: 'http://127.0.0.1:9' });

  it('returns 502 site_unreachable with the reason', async () => {
    const headers = await basicAuth(app.platform);
    const { status, json } = await app.http.post(`${ROOT}/scanner/start`, { headers });
    expect([status, json.code, json.data]).toEqual([502, 'site_unreachable', { status: 502 }]);
    expect(json.message).toContain('http://127.0.0.1:9');
    expect((await app.http.get(`${ROOT}/scanner/scans`, { headers })).json).toEqual([]);
  });
});

describe('The scanner of a site in the same process', () => {
  const app = useTestApp('sqlite', { PAVIS_CHROMIUM: 'off' });

  it('scans it without blocking it', async () => {
    const headers = await basicAuth(app.platform);
    const start = await app.http.post(`${ROOT}/scanner/start`, { headers });
    expect([start.status, start.json.urls[0]]).toEqual([200, `${app.url}/`]);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        app.http.post(`${ROOT}/scanner/scan-page`, {
          headers,
          body: { scan_id: start.json.scan_id, url: app.url },
        }),
      ),
    );
    expect(answers.map(({ status, json }) => [status, json.error])).toEqual(
      Array(6).fill([200, undefined]),
    );
  });
});
