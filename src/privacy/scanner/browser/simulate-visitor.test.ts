import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Page, servePages } from '../../../../test/support/pages.ts';
import { openScannerBrowser } from '../../../../test/support/scanner-browser.ts';

/** What scripts ask of a browser to find out whether somebody sits in front of it. */
const FACTS = `(async () => ({
  webdriver: navigator.webdriver,
  userAgent: navigator.userAgent,
  language: navigator.language,
  languages: navigator.languages,
  brands: navigator.userAgentData?.brands.map(({ brand, version }) => brand + ' ' + version),
  platform: navigator.userAgentData?.platform,
  mobile: navigator.userAgentData?.mobile,
  versions: (await navigator.userAgentData?.getHighEntropyValues(['fullVersionList']))?.fullVersionList
    .map(({ brand }) => brand),
}))()`;
const tell = (as: string) =>
  `${FACTS}.then((facts) => fetch('/facts', { method: 'POST', headers: { as: '${as}' }, body: JSON.stringify(facts) }));`;

const facts: Record<string, Record<string, unknown>> = {};
let headers: IncomingHttpHeaders = {};
const agents = new Set<string>();
const PAGES: Record<string, Page> = {
  'https://site.test/facts': (request, response) => {
    agents.add(String(request.headers['user-agent']));
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      facts[String(request.headers.as)] = JSON.parse(body);
      response.end();
    });
  },
  'https://site.test/': (request, response) => {
    headers = request.headers;
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><script>
      ${tell('page')}
      fetch('/facts', { method: 'POST', headers: { as: 'window' }, body: JSON.stringify({
        plugins: [...navigator.plugins].map(({ name }) => name),
        isArray: navigator.plugins instanceof PluginArray,
        pdf: navigator.pdfViewerEnabled,
        mimeTypes: navigator.mimeTypes.length,
        chrome: typeof chrome,
        outer: outerWidth >= innerWidth && outerHeight >= innerHeight,
        native: [setTimeout, Date, Date.now, performance.now, requestAnimationFrame, cookieStore.set,
          Object.getOwnPropertyDescriptor(Document.prototype, 'cookie').set]
          .map((each) => /\\[native code\\]/.test(Function.prototype.toString.call(each))),
        names: Object.getOwnPropertyNames(window).filter((name) => /pavis|webdriver|cdc_|playwright|puppeteer/i.test(name)),
      }) });
      new Worker('/worker.js');
      new SharedWorker('/shared.js');
      navigator.serviceWorker.register('/service.js');
    </script><iframe src="/frame"></iframe>`);
  },
  'https://site.test/frame': `<script>${tell('frame')}</script>`,
  'https://site.test/worker.js': tell('worker'),
  'https://site.test/shared.js': tell('shared worker'),
  'https://site.test/service.js': tell('service worker'),
};

let close: () => Promise<void>;

beforeAll(async () => {
  const pages = await servePages(PAGES);
  const engine = await openScannerBrowser({
    siteOrigin: 'https://site.test',
    connectTo: pages.connectTo,
    insecure: true,
  });
  close = async () => {
    await engine.close();
    pages.close();
  };
  await engine.visit('https://site.test/', new AbortController().signal);
});
afterAll(() => close());

describe('the scanner looks like a normal browser', () => {
  test.each(['page', 'frame', 'worker', 'shared worker', 'service worker'])('in a %s', (where) => {
    const seen = facts[where];
    expect(seen).toMatchObject({ language: 'en-GB', languages: ['en-GB', 'en'] });
    // It does not exist in workers.
    expect(seen?.webdriver ?? false).toBe(false);
    expect(seen?.userAgent).toMatch(/^Mozilla.* Chrome\/(\d+).* PavisScanner\/test$/);
    expect(seen?.userAgent).not.toContain('Headless');
    const [, major] = /Chrome\/(\d+)/.exec(String(seen?.userAgent)) ?? [];
    expect(seen?.brands).toContain(`Chromium ${major}`);
    expect(JSON.stringify([seen?.brands, seen?.versions])).not.toContain('Headless');
    expect(seen).toMatchObject({ platform: 'Linux', mobile: false });
  });

  test('in the headers of its requests', () => {
    expect(headers['user-agent']).toBe(facts.page?.userAgent);
    expect([...agents]).toEqual([facts.page?.userAgent]);
    expect(headers['accept-language']).toMatch(/^en-GB,en;q=0\.\d$/);
    expect(headers['sec-ch-ua']).toContain('"Chromium"');
    expect(headers['sec-ch-ua']).not.toContain('Headless');
    expect(headers['sec-ch-ua-platform']).toBe('"Linux"');
  });

  test('in window properties', () => {
    const seen = facts.window;
    expect(seen).toMatchObject({
      isArray: true,
      pdf: true,
      chrome: 'object',
      outer: true,
      names: [],
    });
    expect(seen?.plugins).toContain('PDF Viewer');
    expect(seen?.mimeTypes).toBeGreaterThan(0);
    expect(seen?.native).toEqual(Array(7).fill(true));
  });
});
