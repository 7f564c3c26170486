import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Page, servePages } from '../../../test/support/pages.ts';
import { openScannerBrowser, type ScannerBrowser } from '../../../test/support/scanner-browser.ts';
import { listBuiltinVendors } from '../vendors/library.ts';
import { classify } from './classify/classify.ts';
import { type Finding, needsConsent } from './classify/finding.ts';
import { createVendorLookup } from './classify/vendor-lookup.ts';

const GTAG = 'http://www.googletagmanager.com/gtag/js?id=G-ABC123DEF4';
const GTM = 'http://www.googletagmanager.com/gtm.js?id=GTM-ABC123';
const insert = (url: string) =>
  `const tag = document.createElement('script'); tag.src = '${url}'; document.head.append(tag);`;
const bannerPage = (head: string, agreed: string) => `<!doctype html><head>${head}</head>
  <div id="banner" style="position:fixed;bottom:0">We use cookies.
    <button onclick="agreed()">Accept all</button></div>
  <script>function agreed() { document.getElementById('banner').remove(); ${agreed} }</script>`;
const ACTIVATE = `for (const held of document.querySelectorAll('script[data-src], script[type="text/plain"]')) {
  const tag = document.createElement('script');
  if (held.dataset.src) tag.src = held.dataset.src; else tag.text = held.text;
  held.replaceWith(tag);
}`;

const PAGES: Record<string, Page> = {
  'http://www.googletagmanager.com/gtag/js': `fetch('http://www.google-analytics.com/g/collect?v=2&tid=G-ABC123DEF4', { method: 'POST' }).catch(() => {})`,
  'http://www.googletagmanager.com/gtm.js': `var data = {"resource":{"tags":[{"function":"__gaawe","vtp_measurementId":"G-ABC123DEF4"}],"predicates":[]}};google_tag_manager = {};`,
  'http://site.test/at-once': bannerPage(
    `<script async src="${GTAG}"></script><script>window.dataLayer = [['config', 'G-ABC123DEF4']]</script>`,
    '',
  ),
  'http://site.test/held-address': bannerPage(
    `<script type="text/plain" data-src="${GTAG}"></script>`,
    ACTIVATE,
  ),
  'http://site.test/held-code': bannerPage(
    `<script type="text/plain">${insert(GTM)} window.config = 'G-ABC123DEF4';</script>`,
    ACTIVATE,
  ),
  'http://site.test/callback': bannerPage(
    `<script>window.onConsent = () => { ${insert(GTAG)} window.dataLayer = [['config', 'G-ABC123DEF4']]; }</script>`,
    'onConsent()',
  ),
  'http://site.test/never': `<script>window.onConsent = () => { ${insert(GTAG)} }</script>
    <script type="text/plain" data-src="${GTM}"></script>`,
};

const CHECKS = `
  const forget = '=; expires=Thu, 01 Jan 1970 00:00:00 GMT';
  document.cookie = 'dmn_chk_' + Math.random() + '=1; domain=test';
  for (const name of ['__tld__', 'AMP_TEST', 'dmn_chk_' + Math.random()]) {
    document.cookie = name + '=1; domain=site.test';
    document.cookie = name + forget + '; domain=site.test';
  }
  document.cookie = 'again' + forget;
  document.cookie = 'again=1';
  document.cookie = 'stays_' + Math.floor(1e9 * (1 + Math.random())) + '=1; max-age=600';`;
PAGES['http://site.test/cookies'] = `<script>${CHECKS}</script>`;
PAGES['http://site.test/storage'] = `<script>
  localStorage.setItem('basket', '1');
  sessionStorage.setItem('scroll', '1');
  indexedDB.open('events');
</script>`;

PAGES['http://site.test/imports'] = `<script>
  new Worker('/importing-worker.js');
  const blob = new Blob(["importScripts('http://cdn.vendor.test/from-blob.js')"]);
  new Worker(URL.createObjectURL(blob));
</script>`;
PAGES['http://site.test/importing-worker.js'] = `importScripts('http://cdn.vendor.test/lib.js');`;
PAGES['http://cdn.vendor.test/lib.js'] = 'self.lib = 1;';
PAGES['http://cdn.vendor.test/from-blob.js'] = 'self.lib = 1;';
PAGES['http://site.test/display'] = `<link rel="stylesheet" href="http://styles.vendor.test/a.css">
  <img src="http://images.other.test/hero.gif" width="300" height="200">
  <p style="font-family: Face">Text</p>`;
PAGES['http://styles.vendor.test/a.css'] =
  '@font-face { font-family: Face; src: url(http://fonts.third.test/f.woff2); }';
PAGES['http://images.other.test/hero.gif'] = (_request, response) =>
  response
    .writeHead(200, { 'content-type': 'image/gif' })
    .end(Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'));
PAGES['http://site.test/halves'] = `<script>
  const host = 'x', id = 7;
  const never = () => {
    const tag = document.createElement('script');
    tag.src = 'https://cdn.' + host + '/a.js';
    tag.src = \`https://\${host}/a.js\`;
    tag.src = 'https://static.vendor.test/c/tag-' + id + '.js';
    tag.src = '//static.';
    fetch('https://' + host);
    fetch('https://whole.vendor.test/api');
  };
</script>`;

PAGES['http://site.test/proxies'] = `<script src="/_vercel/insights/script.js"></script>
  <script src="/stats/js/script.js"></script>
  <script src="/js/main.js"></script>
  <script>
    fetch('/ingest/e/?ip=0&ver=1.2', { method: 'POST' });
    fetch('/stats/api/event', { method: 'POST' });
    navigator.sendBeacon('/metrics/g/collect?v=2&tid=G-ABC123DEF4&cid=1.2');
    fetch('/api/orders');
  </script>`;

let pages: Awaited<ReturnType<typeof servePages>>;
let engine: ScannerBrowser;
const vendors = createVendorLookup(
  listBuiltinVendors().map((vendor, at) => ({
    ...vendor,
    id: at + 1,
    extension: null,
    dataCategories: [...vendor.dataCategories],
    domains: [...vendor.domains],
  })),
);

beforeAll(async () => {
  pages = await servePages(PAGES);
  engine = await openScannerBrowser({ siteOrigin: 'http://site.test', connectTo: pages.connectTo });
});
afterAll(async () => {
  await engine.close();
  pages.close();
});

/** What a real browser finds on a page. */
async function findingsOn(path: string): Promise<Finding[]> {
  const visited = await engine.visit(`http://site.test${path}`, new AbortController().signal);
  expect(visited.error).toBeUndefined();
  return classify(visited, 'http://site.test', vendors).findings;
}

const tagsOf = (findings: Finding[]) =>
  findings
    .filter(({ resourceType }) => resourceType === 'gtm_tag')
    .map((finding) => [finding.name, finding.consentState, needsConsent(finding)])
    .sort();

describe('A Google tag', () => {
  test.each([
    ['loaded at once', '/at-once', [['G-ABC123DEF4', 'before', true]]],
    ['held back by data-src', '/held-address', [['G-ABC123DEF4', 'after', false]]],
    [
      'in inline code that is held back',
      '/held-code',
      [
        ['G-ABC123DEF4', 'after', false],
        ['GTM-ABC123', 'after', false],
      ],
    ],
    ['loaded by an inline callback', '/callback', [['G-ABC123DEF4', 'after', false]]],
    [
      'that is never loaded',
      '/never',
      [
        ['G-ABC123DEF4', 'after', false],
        ['GTM-ABC123', 'after', false],
      ],
    ],
  ])('%s', async (_how, path, expected) => {
    expect(tagsOf(await findingsOn(path))).toEqual(expected);
  });

  test('loaded after consent is not a finding before consent', async () => {
    for (const path of ['/held-address', '/held-code', '/callback', '/never']) {
      const early = (await findingsOn(path)).filter(needsConsent);
      expect([path, early.map(({ url }) => url)]).toEqual([path, []]);
    }
  });
});

const cookiesOf = (findings: Finding[]) =>
  findings.filter(({ resourceType }) => resourceType === 'cookie');

describe('Cookies', () => {
  test('that are deleted immediately are not findings', async () => {
    const names = cookiesOf(await findingsOn('/cookies')).map(({ name }) => name);
    expect(names.sort()).toEqual(['again', expect.stringMatching(/^stays_\d+$/)]);
  });

  test('with random names have a stable key', async () => {
    const things = async () =>
      cookiesOf(await findingsOn('/cookies')).map(({ resourceKey }) => resourceKey);
    expect(new Set(await things())).toEqual(new Set(await things()));
  });
});

test('Storage keys and databases are findings', async () => {
  const found = cookiesOf(await findingsOn('/storage'));
  expect(found.map(({ name, details }) => [name, details.storage]).sort()).toEqual([
    ['basket', 'local'],
    ['events', 'indexeddb'],
    ['scroll', 'session'],
  ]);
});

test('A script of importScripts is one finding', async () => {
  const found = await findingsOn('/imports');
  expect(found.map(({ resourceType, url }) => [resourceType, url]).sort()).toEqual([
    ['script', 'http://cdn.vendor.test/from-blob.js'],
    ['script', 'http://cdn.vendor.test/lib.js'],
  ]);
});

test('Unknown hosts of styles, fonts and images are listed', async () => {
  const found = await findingsOn('/display');
  expect(found.map(({ host, details }) => [host, details.subtype]).sort()).toEqual([
    ['fonts.third.test', 'font'],
    ['images.other.test', 'image'],
    ['styles.vendor.test', 'style'],
  ]);
});

test('Parts of URLs in a script are not findings', async () => {
  const found = await findingsOn('/halves');
  expect(found.map(({ url }) => url)).toEqual(['https://whole.vendor.test/api']);
});

test('Services that the site proxies on its own domain are findings', async () => {
  const found = await findingsOn('/proxies');
  expect(found.map(({ url, vendor }) => [new URL(url).pathname, vendor?.slug]).sort()).toEqual([
    ['/_vercel/insights/script.js', 'vercel-analytics'],
    ['/gtag/js', 'google-analytics'],
    ['/ingest/e/', 'posthog'],
    ['/metrics/g/collect', 'google-analytics'],
    ['/stats/api/event', 'plausible'],
    ['/stats/js/script.js', 'plausible'],
  ]);
});
