import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { fixtureSite } from '../../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
site.replace(
  '/contact',
  `<!doctype html><title>Contact</title><script src="/js/matomo.js"></script>
   <script src="https://cdn.nobody-known.example/lib.js"></script>`,
);
afterAll(() => site.close());

interface Row {
  id: number;
  resource_type: string;
  url: string;
  host: string;
  name: string;
  vendor: { slug: string } | null;
  category: string | null;
  state: string | null;
  consent_state: string;
  needs_consent: boolean;
  pages: number;
  page_urls: string[];
  decision_ids: number[];
}

interface Found extends Row {
  page_url: string;
}

describe.each(ENGINES)('The resources of a scan on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' });
  let scanId = 0;
  let headers: Record<string, string> = {};
  let findings: Found[] = [];
  const ask = (method: string, path: string, body?: object) =>
    app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
  const list = (query = '') => ask('GET', `/scanner/scans/${scanId}/resources${query}`);
  const rows = async (query = ''): Promise<Row[]> => (await list(query)).json;

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    const { scan_id, urls } = (await ask('POST', '/scanner/start', { scan_depth: 1 })).json;
    for (const url of urls) await ask('POST', '/scanner/scan-page', { scan_id, url });
    await ask('POST', '/scanner/complete', { scan_id });
    scanId = scan_id;
    findings = (await ask('GET', `/scanner/results/${scan_id}`)).json.results;
  });

  it('has one row for each resource, with all its pages', async () => {
    const all = await rows('?per_page=100');
    const toKey = ({ resource_type, host, name, url }: Row) =>
      `${resource_type} ${host} ${name} ${url}`;
    expect(new Set(all.map(toKey)).size).toBe(all.length);
    expect(all.length).toBeLessThan(findings.length);
    expect(all.reduce((sum, { pages }) => sum + pages, 0)).toBe(findings.length);
    const shared = all.find(({ pages }) => pages > 1);
    const onPages = findings.filter((each) => shared && toKey(each) === toKey(shared));
    expect(shared?.page_urls).toEqual(onPages.map(({ page_url }) => page_url));
  });

  it('has as many rows as the scan and its results count', async () => {
    const count = async (query: string) =>
      Number((await list(`?per_page=1&${query}`)).headers.get('x-wp-total'));
    const results = (await ask('GET', `/scanner/results/${scanId}?per_page=1`)).json;
    const [scan] = (await ask('GET', '/scanner/scans')).json;
    expect(scan.resources).toEqual({
      total: await count(''),
      before_consent: await count('needs_consent=true&consent_state=before'),
      broken_promises: await count('broken_promise=true'),
    });
    expect(results.resources).toEqual(scan.resources);
    expect(results.resources.total).toBeLessThan(results.findings);
    expect(results.open_resources).toBe(await count('state=open'));
    expect(results.open_resources).toBeLessThan(results.open);
    for (const { verdict, resources } of results.verdicts)
      expect(resources, verdict).toBe(await count(`verdict=${verdict}`));
    for (const { slug, resources } of results.vendors)
      expect(resources, slug).toEqual({
        total: await count(`vendor=${slug}`),
        before_consent: await count(`vendor=${slug}&needs_consent=true&consent_state=before`),
      });
    for (const { host, resources } of results.unknown_hosts)
      expect(resources.total, host).toBe(
        new Set(findings.filter((each) => each.host === host).map(({ url }) => url)).size,
      );
    const all = [...results.vendors, ...results.unknown_hosts];
    expect(all.some(({ count: found, resources }) => resources.total < found)).toBe(true);
  });

  it('counts what a decision covers by resource as well', async () => {
    const body = { scan_id: scanId, decision: 'blocked', dry_run: true };
    const { json } = await ask('POST', '/scanner/decisions', body);
    const isSkipped = ({ id }: Row) =>
      json.skipped.some(({ finding_id }: { finding_id: number }) => finding_id === id);
    const open = await rows('?per_page=100&state=open');
    const skipped = open.filter(isSkipped).length;
    expect(json.resources).toBe(open.length - skipped);
    expect(json.resources).toBeLessThan(json.findings);
    const reasons: { reason: string; resources: number }[] = json.skipped_reasons;
    expect(reasons.reduce((sum, { resources }) => sum + resources, 0)).toBe(skipped);
  });

  it.each([
    ['resource_type=script', (row: Row) => row.resource_type === 'script'],
    ['consent_state=before', (row: Row) => row.consent_state === 'before'],
    ['needs_consent=true', (row: Row) => row.needs_consent],
    ['state=open', (row: Row) => row.state === 'open'],
    ['vendor=matomo', (row: Row) => row.vendor?.slug === 'matomo'],
    ['search=MATOMO', (row: Row) => /matomo/i.test(`${row.name} ${row.url}`)],
    [
      `page_url=${encodeURIComponent(`${site.url}/`)}`,
      (row: Row) => row.page_urls.includes(`${site.url}/`),
    ],
  ])('filters by %s', async (query, isWanted) => {
    const all = await rows('?per_page=100');
    const wanted = all.filter(isWanted).map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(all.length);
    expect((await rows(`?per_page=100&${query}`)).map(({ id }) => id)).toEqual(wanted);
  });

  it('sorts by urgency first, and by a column in either direction', async () => {
    const states = (await rows('?per_page=100')).map(({ state }) => state);
    expect(states.lastIndexOf('open')).toBe(states.filter((state) => state === 'open').length - 1);
    const pages = async (order: string) =>
      (await rows(`?per_page=100&orderby=pages&order=${order}`)).map((row) => row.pages);
    const ascending = await pages('asc');
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
    expect(await pages('desc')).toEqual(ascending.toReversed());
    expect((await list('?orderby=colour')).status).toBe(400);
  });

  it.each(['asc', 'desc'])(
    'lists unknown vendors and categories last with order %s',
    async (order) => {
      for (const key of ['vendor', 'category'] as const) {
        const listed = await rows(`?per_page=100&orderby=${key}&order=${order}`);
        const firstUnknown = listed.findIndex((row) => row[key] === null);
        expect(firstUnknown).toBeGreaterThan(0);
        expect(listed.slice(firstUnknown).filter((row) => row[key] !== null)).toEqual([]);
      }
    },
  );

  it('returns pages of the list with its total in headers', async () => {
    const all = await rows('?per_page=100');
    const second = await list('?per_page=3&page=2');
    expect(second.json.map(({ id }: Row) => id)).toEqual(all.slice(3, 6).map(({ id }) => id));
    expect(second.headers.get('x-wp-total')).toBe(String(all.length));
    expect(second.headers.get('link')).toContain('rel="next"');
  });

  it('returns the findings to decide about, so that one decision covers every page', async () => {
    const open = (await rows('?state=open&per_page=100')).find(({ pages }) => pages > 1);
    const decided = await ask('POST', '/scanner/decisions', {
      scan_id: scanId,
      findings: open?.decision_ids,
      decision: 'ignored',
      reason: 'Removed with the next release.',
    });
    expect(decided.json.findings).toBe(open?.pages);
    expect((await rows('?state=ignored')).map(({ id }) => id)).toEqual([open?.id]);
    const undecidable = (await rows('?per_page=100')).filter(({ state }) => state === null);
    expect(undecidable.length).toBeGreaterThan(0);
    for (const { decision_ids } of undecidable) expect(decision_ids).toEqual([]);
  });

  it('filters by what loaded without consent on any page, also where another page blocks it', async () => {
    const restore = site.replace(
      '/contact',
      '<script src="https://connect.facebook.net/en_US/fbevents.js"></script>',
    );
    const { scan_id, urls } = (await ask('POST', '/scanner/start', { scan_depth: 1 })).json;
    for (const url of urls) await ask('POST', '/scanner/scan-page', { scan_id, url });
    restore();
    const find = async (query: string): Promise<Row | undefined> => {
      const path = `/scanner/scans/${scan_id}/resources?per_page=100&${query}`;
      const listed: Row[] = (await ask('GET', path)).json;
      return listed.find(
        ({ resource_type, url }) => resource_type === 'script' && /fbevents/.test(url),
      );
    };
    const open = await find('state=open');
    expect(open).toMatchObject({ pages: 2, consent_state: 'before', needs_consent: true });
    await ask('POST', '/scanner/decisions', {
      ...{ scan_id, findings: open?.decision_ids, decision: 'ignored', reason: 'Accepted.' },
    });
    const kept = { state: 'ignored', consent_state: 'before', needs_consent: true };
    for (const query of ['state=ignored', 'needs_consent=true&consent_state=before'])
      expect(await find(query), query).toMatchObject(kept);
    for (const query of ['state=blocked', 'needs_consent=false', 'consent_state=after'])
      expect(await find(query), query).toBeUndefined();
  });

  it('returns 404 for an unknown scan', async () => {
    expect((await ask('GET', '/scanner/scans/999999/resources')).status).toBe(404);
  });
});
