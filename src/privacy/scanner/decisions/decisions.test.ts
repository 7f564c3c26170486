import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { fixtureSite } from '../../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { insertTestScan, makeStateVisit, saveVisit } from '../../../../test/support/scan-visits.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { observed } from '../observation.ts';

const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
afterAll(() => site.close());
const env = { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' };

interface Found {
  id: number;
  name: string;
  resource_type: string;
  state: string | null;
  open_reason: string | null;
  decision: { decision: string; reason: string | null } | null;
  script_id: number | null;
  can_block: boolean;
  category: string | null;
  needs_consent: boolean;
  details: Record<string, unknown>;
}

describe.each(ENGINES)('Decisions about findings on %s', (engine) => {
  const app = useTestApp(engine, env);

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    /** A new scan of the home page. */
    const scan = async (): Promise<number> => {
      app.clock.advance(60_000);
      const { scan_id, urls } = (await ask('POST', '/scanner/start', { scan_depth: 0 })).json;
      for (const url of urls) await ask('POST', '/scanner/scan-page', { scan_id, url });
      await ask('POST', '/scanner/complete', { scan_id });
      app.clock.advance(60_000);
      return scan_id;
    };
    const results = async (id: number): Promise<{ open: number; results: Found[] }> =>
      (await ask('GET', `/scanner/results/${id}`)).json;
    const find = async (id: number, name: string) => {
      const found = (await results(id)).results.find(
        (each) => each.name === name || each.name.startsWith(name),
      );
      if (!found) throw new Error(`no finding ${name}`);
      return found;
    };
    /** A scan of another site, whose home page loads Hotjar. */
    const scanOf = async (siteUrl: string): Promise<number> => {
      const url = `${siteUrl}/`;
      const hotjar = 'https://static.hotjar.com/c/hotjar-1.js';
      const id = await insertTestScan(app.platform, siteUrl, ['before']);
      const load = {
        ...observed('network', 'before', url),
        evidence: [{ state: 'before' as const, url: hotjar, at: 5 }],
        ...{ kind: 'script' as const, url: hotjar, method: 'GET' },
      };
      const visits = [makeStateVisit('before')];
      await saveVisit(app.platform, id, { url, observations: [load], visits });
      await ask('POST', '/scanner/complete', { scan_id: id });
      return id;
    };
    const decide = (scan_id: number, decision: string, more: object = {}) =>
      ask('POST', '/scanner/decisions', { scan_id, decision, ...more });
    return { ask, scan, scanOf, results, find, decide };
  }

  it('leave no finding open once all are blocked, necessary or ignored', async () => {
    const { scan, results, decide, find } = await setUp();
    const id = await scan();
    const open = (await results(id)).results.filter(({ state }) => state === 'open');
    expect(open.length).toBe((await results(id)).open);
    expect(open.length).toBeGreaterThan(3);
    const blocked = await decide(id, 'blocked');
    expect(blocked.status).toBe(200);
    expect(
      blocked.json.skipped.map(({ finding_id }: { finding_id: number }) => finding_id),
    ).toEqual([(await find(id, '_ga')).id]);
    expect(await results(id)).toMatchObject({ open: 1 });
    await decide(id, 'ignored', { reason: 'Goes with the old shop in June.' });
    expect(await results(id)).toMatchObject({ open: 0 });
    expect(await find(id, '_ga')).toMatchObject({
      state: 'ignored',
      decision: { decision: 'ignored', reason: 'Goes with the old shop in June.' },
    });
  });

  it('add one script registry entry per URL, and preview it with dry_run', async () => {
    const { ask, scan, results, decide } = await setUp();
    const id = await scan();
    await decide(id, 'open');
    const before = (await ask('GET', '/scripts?per_page=100')).json.length;
    const dry = (await decide(id, 'blocked', { dry_run: true })).json;
    expect(dry.scripts.length).toBe(0);
    for (const { id: script } of (await ask('GET', '/scripts?per_page=100')).json)
      await ask('DELETE', `/scripts/${script}`);
    const plan = (await decide(id, 'blocked', { dry_run: true })).json;
    expect(plan.dry_run).toBe(true);
    expect(plan.scripts.length).toBe(before);
    expect((await ask('GET', '/scripts')).json).toEqual([]);
    const [matomo] = plan.scripts.filter(({ script_url }: { script_url: string }) =>
      script_url.endsWith('/js/matomo.js'),
    );
    expect(matomo).toEqual({
      handle: 'matomo',
      label: 'Matomo',
      category: 'analytics',
      script_url: `${site.url}/js/matomo.js`,
      blocking_method: 'type_attribute',
    });
    await decide(id, 'blocked');
    const registry = (await ask('GET', '/scripts?per_page=100')).json;
    expect(registry.length).toBe(before);
    expect(registry).toContainEqual(expect.objectContaining(matomo));
    const { results: found } = await results(id);
    const blocked = found.filter(({ state }) => state === 'blocked');
    expect(blocked.every(({ script_id }) => script_id !== null)).toBe(true);
  });

  it('add no entry for what a registered address covers, as in the banner', async () => {
    const { ask, scan, find, decide } = await setUp();
    const register = async (handle: string, script_url: string) =>
      (await ask('POST', '/scripts', { handle, label: handle, category: 'analytics', script_url }))
        .json.id;
    const ids = [
      await register('hotjar-all', 'http://static.hotjar.com/'),
      await register('hotjar-c', 'https://static.hotjar.com/c/'),
      await register('hotjar-other', 'https://static.hotjar.com/c/hotjar-1.js?other'),
    ];
    onTestFinished(
      site.replace('/', '<script src="https://static.hotjar.com/c/hotjar-1.js"></script>'),
    );
    const id = await scan();
    const hotjar = await find(id, 'Hotjar');
    expect(hotjar.script_id).toBe(ids[1]);
    const { json } = await decide(id, 'blocked', { findings: [hotjar.id] });
    expect(json).toMatchObject({ resources: 1, scripts: [] });
    for (const each of ids) await ask('DELETE', `/scripts/${each}`);
  });

  it('add entries in the category of the other scripts of the vendor, if visitors can refuse it', async () => {
    const { ask, scanOf, decide } = await setUp();
    const { consent } = (await ask('GET', '/settings')).json;
    const statistics = { ...consent.categories[1], id: 'statistics', label: 'Statistics' };
    const others = consent.categories.filter(({ id }: { id: string }) => id !== 'analytics');
    const save = (categories: object[]) => ask('PUT', '/settings', { consent: { categories } });
    await save([...others, statistics]);
    onTestFinished(async () => {
      await save(consent.categories);
    });
    const id = await scanOf('https://renamed.example');
    const plan = async () => (await decide(id, 'blocked', { dry_run: true })).json;
    expect((await plan()).skipped[0].reason).toMatch(/no consent category analytics/);
    const script_url = 'https://static.hotjar.com/c/other.js';
    const fields = { handle: 'hotjar-other', label: 'Hotjar', category: 'statistics', script_url };
    const { id: script } = (await ask('POST', '/scripts', fields)).json;
    expect((await plan()).scripts).toMatchObject([{ category: 'statistics' }]);
    await ask('PUT', `/scripts/${script}`, { category: 'functional' });
    expect((await plan()).skipped[0].reason).toMatch(/no consent category analytics/);
    await ask('DELETE', `/scripts/${script}`);
  });

  it('apply to later scans, and reopen blocked resources that still load', async () => {
    const { ask, scan, results, find, decide } = await setUp();
    const first = await scan();
    await decide(first, 'open');
    const session = await find(first, '_ga');
    await decide(first, 'necessary', { findings: [session.id], reason: 'A test of our own.' });
    await decide(first, 'blocked');
    const second = await scan();
    expect(await find(second, '_ga')).toMatchObject({ state: 'necessary' });
    expect(await find(second, 'Matomo')).toMatchObject({
      state: 'open',
      open_reason: 'in_html',
      decision: { decision: 'blocked', reason: null, decided_at: expect.any(String) },
    });
    // To say it once more makes nothing blocked.
    const again = (await decide(second, 'blocked')).json;
    expect(again).toMatchObject({ findings: 0, scripts: [] });
    expect(again.skipped[0].reason).toMatch(/registry.*Replace the tag/);

    onTestFinished(site.replace('/', '<script type="text/plain" src="/js/matomo.js"></script>'));
    const third = await scan();
    expect(await find(third, 'Matomo')).toMatchObject({ state: 'blocked', open_reason: null });
    expect(await results(third)).toMatchObject({ open: 0 });

    const [matomo] = (await ask('GET', '/scripts?search=matomo')).json;
    await ask('PUT', `/scripts/${matomo.id}`, { is_active: 0 });
    site.replace('/', '<script src="/js/matomo.js"></script>');
    const fourth = await scan();
    expect(await find(fourth, 'Matomo')).toMatchObject({ open_reason: 'not_registered' });
    expect((await decide(fourth, 'blocked')).json.scripts).toMatchObject([{ handle: 'matomo' }]);
    expect((await ask('GET', `/scripts/${matomo.id}`)).json.is_active).toBe(1);
    expect(await find(fourth, 'Matomo')).toMatchObject({ state: 'blocked' });
  });

  it('can be withdrawn, and are logged with user, time and reason', async () => {
    const { ask, scan, find, decide } = await setUp();
    const id = await scan();
    const { id: finding } = await find(id, '_ga');
    await decide(id, 'ignored', { findings: [finding], reason: 'For now.' });
    await decide(id, 'open', { findings: [finding] });
    expect(await find(id, '_ga')).toMatchObject({ state: 'open', decision: null });
    const [last, before] = (await ask('GET', '/scanner/decisions?per_page=2')).json;
    expect(before).toEqual({
      id: expect.any(Number),
      decided_at: new Date(app.clock.now()).toISOString(),
      decided_by: expect.stringMatching(/.+/),
      site_url: site.url,
      resource_type: 'cookie',
      name: '_ga',
      url: 'http://127.0.0.1/',
      decision: 'ignored',
      reason: 'For now.',
    });
    expect(last).toMatchObject({ decision: 'open', reason: null, name: '_ga' });
  });

  it('return 400 or 404 for invalid findings and missing reasons', async () => {
    const { scan, find, decide } = await setUp();
    const id = await scan();
    const { id: finding } = await find(id, '_ga');
    const functional = await find(id, 'PHPSESSID');
    for (const [decision, more, field] of [
      ['necessary', { findings: [finding] }, 'reason'],
      ['ignored', { findings: [finding], reason: '  ' }, 'reason'],
      ['ignored', { findings: [functional.id], reason: 'No.' }, 'findings'],
      ['ignored', { findings: [999_999], reason: 'No.' }, 'findings'],
      ['later', {}, 'decision'],
    ] as const) {
      const { status, json } = await decide(id, decision, more);
      expect([status, Object.keys(json.data?.params ?? {})], JSON.stringify(more)).toEqual([
        400,
        [field],
      ]);
    }
    // None is none, and not all.
    const none = await decide(id, 'ignored', { findings: [], reason: 'No.' });
    expect(none.json).toMatchObject({ findings: 0, scripts: [] });
    expect((await decide(999_999, 'blocked')).status).toBe(404);
    expect((await app.http.get(`${ROOT}/scanner/decisions`)).status).toBe(401);
  });

  it('queue no check of another site, which servers do not scan', async () => {
    const { ask, decide, scanOf } = await setUp();
    const id = await scanOf('https://staging.shop.example');
    expect((await decide(id, 'blocked')).json).toMatchObject({ resources: 1, proof: null });
    expect((await ask('GET', '/scanner/scans?started_by=proof&per_page=1')).json).not.toMatchObject(
      [{ site_url: 'https://staging.shop.example' }],
    );
  });

  it('stay when the site moves to TLS or www., and not for another site or path', async () => {
    const { decide, find, scanOf } = await setUp();
    const before = await scanOf('http://moving.example/shop');
    await decide(before, 'ignored', { reason: 'Goes in June.' });
    const after = await scanOf('https://www.moving.example/shop');
    expect(await find(after, 'Hotjar')).toMatchObject({ state: 'ignored' });
    for (const other of ['https://staging.moving.example/shop', 'https://moving.example']) {
      expect(await find(await scanOf(other), 'Hotjar')).toMatchObject({ state: 'open' });
    }
    const { id } = await find(after, 'Hotjar');
    await decide(after, 'open', { findings: [id] });
    expect(await find(before, 'Hotjar')).toMatchObject({ state: 'open', decision: null });
  });

  it('classify first-party cookies by name or pattern, as strictly necessary in all scans', async () => {
    const { ask, scan, find, decide } = await setUp();
    onTestFinished(
      site.replace('/', (response) => {
        response.setHeader('set-cookie', ['shop_a=1; Path=/', 'shop_b=1; Path=/']);
        response.end('<p>Shop</p>');
      }),
    );
    const first = await scan();
    await decide(first, 'open');
    expect(await find(first, 'shop_a')).toMatchObject({ state: 'open', can_block: false });
    const classify = (pattern: string, category: string) =>
      ask('POST', '/scanner/cookies', { pattern, category, purpose: 'Keeps the cart.' });
    const made = await classify('shop_*', 'functional');
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      expect.stringMatching(new RegExp(`/scanner/cookies/${made.json.id}$`)),
    ]);
    await classify('shop_b', 'marketing');
    expect(await find(first, 'shop_a')).toMatchObject({ state: 'necessary' });
    expect(await find(first, 'shop_b')).toMatchObject({ state: 'open' });
    const second = await scan();
    expect(await find(second, 'shop_a')).toMatchObject({
      state: 'necessary',
      needs_consent: false,
      category: 'functional',
      details: { purpose: 'Keeps the cart.' },
    });
    expect(await find(second, 'shop_b')).toMatchObject({ state: 'open', category: 'marketing' });
    expect((await ask('GET', '/scanner/cookies')).json).toMatchObject([
      { pattern: 'shop_*', category: 'functional' },
      { pattern: 'shop_b', category: 'marketing' },
    ]);
    const again = await classify('shop_*', 'analytics');
    expect(again.json.id).toBe(made.json.id);
    const gone = await ask('DELETE', `/scanner/cookies/${made.json.id}`);
    expect(gone.json).toMatchObject({ deleted: true, previous: { category: 'analytics' } });
    expect((await ask('DELETE', `/scanner/cookies/${made.json.id}`)).status).toBe(404);
    for (const [pattern, category, field] of [
      ['*', 'functional', 'pattern'],
      ['shop_c', 'nothing', 'category'],
    ] as const) {
      const { status, json } = await classify(pattern, category);
      expect([status, Object.keys(json.data.params)]).toEqual([400, [field]]);
    }
    expect((await ask('GET', '/scanner/decisions?per_page=1')).json).toMatchObject([
      { decision: 'unclassified', name: 'shop_*', reason: 'analytics: Keeps the cart.' },
    ]);
  });
});
