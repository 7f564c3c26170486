import { createServer, type Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { basicAuth } from './makers.ts';
import { reservePort } from './ports.ts';
import { type TestApp, useTestApp } from './test-app.ts';

const ROOT = '/wp-json/svc/v1';

interface SitePage {
  /** For example `/shop`; by default the page is at the top. */
  folder?: string;
  head?: string;
  body?: string;
  /** Attributes of the banner's tag. */
  banner?: string;
  withoutBanner?: boolean;
  beforeBanner?: string;
  lang?: string;
  headers?: Record<string, string>;
  /** Of the request for the banner. */
  bannerHeaders?: Record<string, string>;
}

export interface Visit {
  page: Page;
  /** Requests of the page as `METHOD path`, in order, without those of the banner. */
  asked: string[];
  /** Consent choices sent to the server, in order. */
  sent: { body: Record<string, unknown>; key: string | undefined }[];
  /** Resolves when the server has answered them: a page that is left before sends its choice again on the next one. */
  untilAnswered(): Promise<unknown>;
  /** Errors in the page. */
  faults: string[];
}

export interface BannerSite {
  app: TestApp;
  /** Opens a page with the banner on another origin in a new browser context. */
  visit(page?: SitePage, context?: BrowserContextOptions): Promise<Visit>;
  origin(): string;
  save(consent: object): Promise<void>;
  register(script: object): Promise<void>;
  records(): Promise<Record<string, unknown>[]>;
  // biome-ignore lint/suspicious/noExplicitAny: as the API sends it
  settings(): Promise<any>;
}

/** Opens the preferences, which the banner loads first. */
export async function openPreferences(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Manage preferences' }).click();
  await page.getByRole('switch').first().waitFor();
}

/** Waits for the vendors in the open preferences. Those that take longer than 1.5 seconds are there when they open again. */
export async function waitForVendors(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const count = () => page.locator('summary').count();
  await expect
    .poll(async () => {
      if ((await count()) > 0) return true;
      while (await dialog.isVisible()) await page.keyboard.press('Escape');
      await page.evaluate('pavis.open()');
      return (await count()) > 0;
    })
    .toBe(true);
}

/**
 * A site with the banner: pages and third parties on another port, the real server and a browser.
 * @param settings of the environment
 * @param launch default: Chromium
 */
export function useBannerSite(
  settings: Record<string, string> = {},
  launch: () => Promise<Browser> = launchBrowser,
): BannerSite {
  const env: Record<string, string> = { ...settings };
  const pages = new Map<string, SitePage>();
  const site: Server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    const page = pages.get(path);
    if (page) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers });
      response.end(html(page));
    } else if (path.endsWith('.js') && !path.includes('broken')) {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      const name = path.slice(1, -3);
      response.end(`(window.ran ??= []).push('${name}');document.cookie='${name}=1;path=/'`);
    } else if (path.endsWith('.html')) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<p>embedded');
    } else response.writeHead(404).end();
  });
  let port = 0;
  let browser: Browser;
  const origin = () => `http://127.0.0.1:${port}`;
  const html = (page: SitePage) => {
    const { head = '', body = '', banner = '', beforeBanner = '', lang = 'en' } = page;
    const tag = page.withoutBanner ? '' : `<script src="${app.url}/banner.js" ${banner}></script>`;
    return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>A site</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      ${beforeBanner}${tag}${head}</head>
      <body><main><h1>A site</h1><p>With text.</p>${body}</main></body></html>`;
  };

  beforeAll(async () => {
    port = await reservePort();
    env.PAVIS_SITE_URL = origin();
    await new Promise<void>((done) => site.listen(port, '127.0.0.1', done));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    site.closeAllConnections();
    site.close();
  });
  const app = useTestApp('sqlite', env);
  let made = 0;

  const admin = async (method: string, path: string, body?: object) => {
    const headers = await basicAuth(app.platform);
    const answer = await app.http.request(method, ROOT + path, { headers, body });
    if (answer.status >= 400) throw new Error(answer.text);
    return answer.json;
  };

  async function visit(page: SitePage = {}, context: BrowserContextOptions = {}): Promise<Visit> {
    const path = `${page.folder ?? ''}/page-${++made}`;
    pages.set(path, page);
    const visitor = await browser.newContext({ reducedMotion: 'reduce', ...context });
    const tab = await visitor.newPage();
    const answers: Promise<unknown>[] = [];
    const untilAnswered = () => Promise.all(answers);
    const found: Visit = { page: tab, asked: [], sent: [], untilAnswered, faults: [] };
    tab.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== new URL(app.url).origin) {
        found.asked.push(`${request.method()} ${url.pathname}`);
      } else if (request.method() === 'POST') {
        const key = request.headers()['idempotency-key'];
        found.sent.push({ body: request.postDataJSON(), key });
        const answer = request.response().then((response) => response?.finished());
        answers.push(answer.catch(() => undefined));
      }
    });
    tab.on('pageerror', ({ message }) => found.faults.push(message));
    const { bannerHeaders } = page;
    if (bannerHeaders) {
      // Sent by the test, because browsers let no one set some of them.
      await tab.route('**/banner.js*', async (route) => {
        const headers = { ...route.request().headers(), ...bannerHeaders };
        await route.fulfill({ response: await route.fetch({ headers }) });
      });
    }
    await tab.goto(origin() + path);
    const isReady = () => tab.evaluate('window.pavis?.ready?.then(() => undefined)');
    // A page that loses consent at once is reloaded meanwhile.
    await isReady().catch(() => expect.poll(() => isReady().catch(String)).toBeUndefined());
    return found;
  }

  return {
    app,
    visit,
    origin,
    save: (consent) => admin('PUT', '/settings', { consent }),
    register: (script) => admin('POST', '/scripts', script),
    records: () => admin('GET', '/consent/records'),
    settings: () => admin('GET', '/settings'),
  };
}
