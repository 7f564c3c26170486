import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observed } from '../../src/privacy/scanner/observation.ts';
import { axeFinds, isForEverybody } from '../support/accessible.ts';
import { useBannerSite } from '../support/banner.ts';
import { basicAuth } from '../support/makers.ts';
import { insertTestScan, makeStateVisit, saveVisit } from '../support/scan-visits.ts';

const SIZE_MAX = 3_072;
const ROOT = '/wp-json/svc/v1';

describe('The declaration in a browser', () => {
  const site = useBannerSite();
  let page: Page;
  let faults: string[] = [];

  /** A completed scan with a vendor, an unknown host, and cookies and storage of the site. */
  async function scan(): Promise<void> {
    const { app } = site;
    const siteUrl = site.origin();
    const seen = observed('network', 'before', `${siteUrl}/`);
    const id = await insertTestScan(app.platform, siteUrl, ['before', 'accepted']);
    const load = { ...seen, kind: 'script', method: 'GET' } as const;
    const cookie = {
      ...seen,
      kind: 'cookie',
      path: '/',
      secure: true,
      httpOnly: false,
      sameSite: 'lax',
      blockedReasons: [],
    } as const;
    const domain = new URL(siteUrl).hostname;
    await saveVisit(app.platform, id, {
      url: `${siteUrl}/`,
      observations: [
        { ...load, url: 'https://static.hotjar.com/c/hotjar-1.js' },
        { ...load, url: 'https://cdn.nobody-known.example/lib.js' },
        { ...cookie, blockedReasons: [], name: '_hjSession_123', domain, lifetimeSeconds: 1_800 },
        { ...cookie, blockedReasons: [], name: 'PHPSESSID', domain, lifetimeSeconds: null },
        { ...seen, kind: 'storage', area: 'local', name: 'basket', origin: siteUrl },
      ],
      visits: [makeStateVisit('before')],
    });
    const headers = await basicAuth(app.platform);
    await app.http.post(`${ROOT}/scanner/complete`, { headers, body: { scan_id: id } });
  }

  const shown = () =>
    page.evaluate<string>(
      `document.querySelector('pavis-declaration').shadowRoot?.textContent ?? ''`,
    );

  beforeAll(async () => {
    await scan();
    const { url } = site.app;
    const visit = await site.visit({
      withoutBanner: true,
      lang: 'de',
      headers: {
        'content-security-policy': `default-src 'none'; script-src ${url}; connect-src ${url}`,
      },
      body: `<h2>Cookies</h2>
        <pavis-declaration><a href="${url}/privacy/declaration/?lang=de">Cookies und Drittanbieter</a></pavis-declaration>
        <script src="${url}/declaration.js"></script>`,
    });
    page = visit.page;
    faults = visit.faults;
  });
  afterAll(() => page?.context().close());

  it('is shown by the element on a page of the site with a strict policy, in the language of the page', async () => {
    // The policy of the page forbids the repeated evaluation of `waitForFunction`.
    await expect
      .poll(() => page.evaluate(`document.querySelector('pavis-declaration').shadowRoot !== null`))
      .toBe(true);
    const text = await shown();
    for (const part of ['Hotjar', '_hjSession_*', '30 Minuten', 'Diese Website', 'basket'])
      expect(text).toContain(part);
    expect(text).toContain('Der Betreiber dieses Hosts ist nicht bekannt.');
    expect(await page.getByRole('link').isVisible()).toBe(false);
    expect(await axeFinds(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await axeFinds(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('reads from left to right on a page from right to left', async () => {
    const directions = await page.evaluate(`(() => {
      document.documentElement.dir = 'rtl';
      const { shadowRoot } = document.querySelector('pavis-declaration');
      const read = (part) => getComputedStyle(shadowRoot.querySelector(part)).direction;
      const found = ['p', '[part=category]', '[part=recipient]'].map(read);
      document.documentElement.dir = '';
      return found;
    })()`);
    expect(directions).toEqual(['ltr', 'ltr', 'ltr']);
  });

  it('follows a change of its language', async () => {
    await page.evaluate(
      `document.querySelector('pavis-declaration').setAttribute('language', 'en')`,
    );
    await page.getByText('Not classified').waitFor();
    expect(await shown()).toContain('30 minutes');
  });

  it('keeps the link in the page while the declaration cannot be loaded', async () => {
    const refused = page.waitForResponse((response) => response.status() === 400);
    await page.evaluate(`(() => {
      const failing = document.createElement('pavis-declaration');
      failing.setAttribute('language', 'x'.repeat(50));
      failing.innerHTML = '<a id="fallback" href="#">Cookies</a>';
      document.querySelector('main').append(failing);
    })()`);
    await refused;
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await page.locator('#fallback').isVisible()).toBe(true);
  });

  it('is small', async () => {
    const { text, headers } = await site.app.http.get('/declaration.js');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(SIZE_MAX);
  });

  it('is a page for everybody, which the page for requests links to', async () => {
    const { url, http } = site.app;
    for (const [lang, label] of [
      ['de', 'Cookies und Drittanbieter auf unserer Website'],
      ['en', 'Cookies and third parties on our website'],
    ]) {
      const { text } = await http.get(`/privacy/?lang=${lang}`);
      expect(text).toContain(`<a href="declaration/?lang=${lang}">${label}</a>`);
    }
    const view = await page.context().newPage();
    await view.goto(`${url}/privacy/declaration/?lang=de`);
    expect(await view.innerText('main')).toContain('_hjSession_*');
    await isForEverybody(view);
    await view.getByRole('link', { name: 'English' }).click();
    await view.getByRole('heading', { name: 'Cookies and third parties' }).waitFor();
    const { status, text } = await http.get('/privacy/declaration/nothing');
    expect([status, text.includes('<h1>Page not found</h1>')]).toEqual([404, true]);
  });
});
