import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemo, type Truth, truths } from '../support/demo.ts';

interface Found {
  page_url: string;
  resource_type: string;
  url: string;
  host: string;
  name: string;
  vendor: { slug: string } | null;
  third_party: boolean;
  category: string | null;
  consent_state: string;
  needs_consent: boolean;
  blocked: boolean;
  details: { storage?: string };
}

const AT_ONCE = 4;
const AGAIN = 3;
/** The storage of the banner. */
const BANNERS_OWN = /^pavis[._-]/;
const pages = [...new Set(truths.map(({ page }) => page))];

/** Like every client: start, scan-page for each URL, complete, results. */
async function scanDemo({ ask }: DemoServer) {
  await ask('PUT', '/settings', { scanner: { concurrency: AT_ONCE } });
  const { scan_id, urls } = (await ask('POST', '/scanner/start', { scan_depth: 2 })).json;
  const failed: object[] = [];
  const queue: Iterator<string> & Iterable<string> = urls.values();
  const scanPage = async (url: string) =>
    (await ask('POST', '/scanner/scan-page', { scan_id, url })).json;
  const worker = async () => {
    for (const url of queue) {
      let json = await scanPage(url);
      // On a busy machine a page may time out, which its status reports.
      for (let again = 0; json.partial && again < AGAIN; again += 1) json = await scanPage(url);
      if (json.error !== undefined || json.partial !== false) failed.push(json);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const completed = (await ask('POST', '/scanner/complete', { scan_id })).json;
  const results = (await ask('GET', `/scanner/results/${scan_id}`)).json;
  const scan = (await ask('GET', `/scanner/scans/${scan_id}`)).json;
  return { urls: urls as string[], failed, completed, results, scan };
}

/** The scans of one server, in the order of the list of facts. */
function scanned(env: Record<string, string>) {
  const result = {} as Awaited<ReturnType<typeof scanDemo>> & { hasBanner: boolean; url: string };
  let demo: DemoServer;
  beforeAll(async () => {
    demo = await startDemo(env);
    const hasBanner = (await demo.server.http.get('/banner.js')).status === 200;
    Object.assign(result, await scanDemo(demo), { hasBanner, url: demo.server.url });
  }, 120_000);
  afterAll(() => demo?.close());

  const plain = (url: string) => {
    const port = `:${new URL(result.url).port}`;
    return url.replace(/\?.*$/, '').replace(result.url, '{origin}').replace(port, '{port}');
  };
  const lineOf = (found: Found): string => {
    const { resource_type, name, host, url, vendor, third_party, category, consent_state } = found;
    const domain = host.replace(/:\d+$/, '').replace('127.0.0.1', '{host}');
    return [
      consent_state,
      resource_type,
      resource_type === 'cookie' ? `${name} @ ${domain}` : plain(url),
      resource_type === 'gtm_tag' ? name : (found.details.storage ?? ''),
      `of ${vendor?.slug}, ${third_party ? 'third party' : 'own'}, ${category}`,
    ].join(' ');
  };
  return Object.assign(result, {
    foundOn: (page: string): string[] =>
      result.results.results
        .filter((found: Found) => found.page_url === result.url + page)
        .filter(({ name }: Found) => !BANNERS_OWN.test(name))
        .map(lineOf)
        .sort(),
  });
}

const lineOfTruth = (truth: Truth): string =>
  [
    truth.consent_state,
    truth.resource_type,
    truth.resource_type === 'cookie' ? `${truth.name} @ ${truth.domain}` : truth.url,
    truth.resource_type === 'gtm_tag' ? truth.name : (truth.storage ?? ''),
    `of ${truth.vendor_slug ?? undefined}, ${truth.third_party ? 'third party' : 'own'}, ${truth.category}`,
  ].join(' ');

const truthsOn = (path: string, which: (truth: Truth) => boolean): string[] =>
  truths
    .filter((truth) => truth.page === path && which(truth))
    .map(lineOfTruth)
    .sort();

function systemChromium(): string | undefined {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'chromium'));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const browsers: [name: string, env: Record<string, string>, engine: RegExp][] = [
  ['the browser that npm brings', {}, /^chromium \d+ bundled$/],
];
const system = systemChromium();
if (system) {
  browsers.push(["the system's", { PAVIS_CHROMIUM: system }, /^chromium \d+ configured$/]);
} else {
  process.stdout.write('There is no chromium on the PATH: scanning with the bundled one alone.\n');
}

describe.each(browsers)('a scan of the demo site with %s', (_name, env, engine) => {
  const scan = scanned(env);

  it('scans every page', () => {
    expect(scan.urls.map((url) => url.slice(scan.url.length)).sort()).toEqual([...pages].sort());
    expect(scan.failed).toEqual([]);
    expect(scan.scan).toMatchObject({ engine: expect.stringMatching(engine), unseen: null });
  });

  // Blocked resources are in the markup even without the banner.
  it.each(pages)('finds on %s exactly what is there', (page) => {
    const isThere = ({ needs, html_mode }: Truth) => scan.hasBanner || !needs || html_mode;
    expect(scan.foundOn(page)).toEqual(truthsOn(page, isThere));
  });

  it('reports all seven types and every vendor', () => {
    const { results, completed } = scan;
    expect(results.types.map((type: { resource_type: string }) => type.resource_type)).toEqual(
      [...new Set(truths.map(({ resource_type }) => resource_type))].sort(),
    );
    const findings: Found[] = results.results;
    expect(results.total).toBe(findings.length);
    expect(results.before_consent).toBe(
      findings.filter(({ needs_consent }) => needs_consent).length,
    );
    const slugs = new Set(findings.flatMap(({ vendor }) => vendor?.slug ?? []));
    expect(new Set(results.vendors.map(({ slug }: { slug: string }) => slug))).toEqual(slugs);
    expect(completed).toMatchObject({
      status: 'completed',
      pages: pages.length,
      findings: findings.length,
      vendors: slugs.size,
    });
    const hosts = results.unknown_hosts.map(({ host }: { host: string }) => host.split('.')[0]);
    expect(hosts).toEqual(['adswap', 'pulsecheck']);
  });

  it('marks resources that wait for consent, and those that should', () => {
    const findings: Found[] = scan.results.results;
    const held = findings.find(({ url }) => url.endsWith('/lumen.js'));
    expect(held).toMatchObject({ consent_state: 'after', needs_consent: false });
    const hasty = findings.find(({ name }) => name === '_fbp');
    expect(hasty).toMatchObject({ blocked: false, needs_consent: true });
  });
});

describe('a scan of the demo site without a browser', () => {
  const scan = scanned({ PAVIS_CHROMIUM: 'off' });

  it('says so, and what it cannot detect', () => {
    expect(scan.failed).toEqual([]);
    expect(scan.scan.engine).toBe('html');
    for (const told of [scan.scan.unseen, scan.results.unseen]) {
      expect(told).toMatch(/without a browser.*scripts/i);
    }
  });

  it.each(pages)('finds on %s exactly what the HTML contains', (page) => {
    expect(scan.foundOn(page)).toEqual(truthsOn(page, ({ html_mode }) => html_mode));
  });
});
