import { readFileSync } from 'node:fs';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFinds } from '../support/accessible.ts';
import { openBrowser } from '../support/browser.ts';
import { type Truth, truths } from '../support/demo.ts';
import { reservePort } from '../support/ports.ts';
import { dataFolder, type ServerProcess, startServer } from '../support/process.ts';
import { sendRaw } from '../support/raw.ts';

const pages = [...new Set(truths.map(({ page }) => page))];
const EVERYTHING = "['functional', 'analytics', 'marketing', 'personalisation']";
const QUIET_MS = 700;

const TYPES: Record<string, Truth['resource_type']> = {
  script: 'script',
  document: 'iframe',
  image: 'pixel',
  stylesheet: 'api_call',
  fetch: 'api_call',
  xhr: 'api_call',
  ping: 'api_call',
};

describe('the demo site', () => {
  const folder = dataFolder();
  const env: Record<string, string> = { PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: 'on' };
  let server: ServerProcess;
  let browser: { context: BrowserContext; close(): Promise<void> };
  let hasBanner: boolean;
  let port: string;

  beforeAll(async () => {
    // The same after a restart.
    env.PAVIS_PORT = String(await reservePort());
    server = await startServer(env);
    port = `:${new URL(server.url).port}`;
    hasBanner = (await server.http.get('/banner.js')).status === 200;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  const root = '/wp-json/svc/v1';
  function administrator(): { authorization: string } {
    const { admin } = JSON.parse(readFileSync(`${folder.path}/first-run.json`, 'utf8'));
    const credentials = Buffer.from(`${admin.login}:${admin.application_password}`);
    return { authorization: `Basic ${credentials.toString('base64')}` };
  }

  /** A fact without values that differ between starts of the server. */
  const plain = (url: string) =>
    url
      .replace(/[?#].*$/, '')
      .replace(server.url, '{origin}')
      .replace(`.localhost${port}`, '.localhost{port}');
  const keyOf = ({ consent_state, resource_type, url, name, domain }: Truth) =>
    `${consent_state} ${resource_type} ${resource_type === 'cookie' ? `${name} @ ${domain}` : url}`;

  /** Opens a page as a visitor who scrolls, clicks and accepts everything; lists the observations. */
  async function visit(path: string): Promise<string[]> {
    const { context } = browser;
    await context.clearCookies();
    const page = await context.newPage();
    const seen = new Set<string>();
    const first = new Set<string>();
    let state: Truth['consent_state'] = 'before';
    const see = (what: string) => {
      if (!first.has(what)) seen.add(`${state} ${what}`);
      first.add(what);
    };
    const isIdle = watchNetwork(page);
    page.on('request', (request) => {
      const type = kindOf(request, page);
      if (type) see(`${type} ${plain(request.url())}`);
    });
    await page.goto(server.url + path);
    await page.mouse.move(200, 200);
    await page.mouse.move(260, 240, { steps: 4 });
    for (let turn = 0; turn < 6; turn++) {
      await page.mouse.wheel(0, 900);
      await page.waitForTimeout(80);
    }
    await look(page, see, isIdle);
    state = 'after';
    await accept(page);
    await look(page, see, isIdle);
    await page.evaluate('localStorage.clear()');
    await page.close();
    return [...seen].sort();
  }

  /** The type of a request for the scanner; undefined for first-party requests. */
  function kindOf(request: Request, page: Page): Truth['resource_type'] | undefined {
    const url = new URL(request.url());
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) return undefined;
    if (url.origin === server.url && !url.pathname.includes('matomo')) return undefined;
    return TYPES[request.resourceType()] ?? expect.fail(`a new kind: ${request.resourceType()}`);
  }

  /** Whether no request is open, and none was for a while. */
  function watchNetwork(page: Page): () => boolean {
    const open = new Set<Request>();
    let changedAt = performance.now();
    const note = (change: (request: Request) => unknown) => (request: Request) => {
      change(request);
      changedAt = performance.now();
    };
    const end = note((request) => open.delete(request));
    page.on(
      'request',
      note((request) => open.add(request)),
    );
    page.on('requestfinished', end).on('requestfailed', end);
    return () => open.size === 0 && performance.now() - changedAt > QUIET_MS;
  }

  /** Waits until the page is idle, then reads its storage and content. */
  async function look(
    page: Page,
    see: (what: string) => void,
    isIdle: () => boolean,
  ): Promise<void> {
    await page.waitForTimeout(QUIET_MS);
    await expect.poll(isIdle).toBe(true);
    for (const { name, domain } of await browser.context.cookies()) {
      see(`cookie ${name} @ ${domain === '127.0.0.1' ? '{host}' : domain}`);
    }
    for (const key of (await page.evaluate('Object.keys(localStorage)')) as string[]) {
      see(`cookie ${key} @ {host}`);
    }
    for (const frame of page.frames()) {
      const actions = await frame.evaluate('Array.from(document.forms, (form) => form.action)');
      for (const action of actions as string[]) see(`form ${plain(action)}`);
    }
    const tags = await page.evaluate(
      'Array.from(document.scripts, ({ src }) => src).filter((src) => /[?&]id=G/.test(src))',
    );
    for (const src of tags as string[]) see(`gtm_tag ${plain(src)}`);
  }

  async function accept(page: Page): Promise<void> {
    const button = page.getByRole('button', { name: 'Accept all' });
    if (await button.count()) return button.click();
    // Does what the banner does once it is loaded.
    await page.addScriptTag({ url: '/demo/assets/activate-blocked.js' });
    await page.evaluate(`activateBlocked(${EVERYTHING})`);
    await page.evaluate(
      `document.dispatchEvent(new CustomEvent('pavis:consent', { detail: { accepted: ${EVERYTHING} } }))`,
    );
  }

  it.each(pages)('loads on %s exactly what its list of facts says', async (path) => {
    const expected = truths.filter(
      ({ page, browser_mode, how }) =>
        page === path && browser_mode !== false && (hasBanner || how !== 'dynamic_load'),
    );
    const unlisted = /pavis[._-]/;
    const found = (await visit(path)).filter((line) => !unlisted.test(line));
    expect(found).toEqual([...new Set(expected.map(keyOf))].sort());
  });

  it.each(pages)(
    'shows in the HTML of %s what the list says is visible without a browser',
    async (path) => {
      const { headers, text } = await server.http.get(path);
      const source = text + headers.get('set-cookie');
      for (const { url, name, html_mode } of truths.filter(({ page }) => page === path)) {
        if (!html_mode) continue;
        const mark = name ?? url?.replace('{origin}', '').replace('{port}', port) ?? '';
        expect(source, mark).toContain(mark);
      }
    },
  );

  it.each(['light', 'dark'] as const)(
    'fits the smallest screens and passes the accessibility rules, %s',
    async (colorScheme) => {
      const page = await browser.context.newPage();
      await page.setViewportSize({ width: 320, height: 640 });
      await page.emulateMedia({ colorScheme });
      for (const path of [...pages, '/demo/attic/']) {
        await page.goto(server.url + path);
        expect(await axeFinds(page), path).toEqual([]);
        expect(await page.evaluate('document.body.scrollWidth - innerWidth'), path).toBe(0);
      }
      await page.close();
    },
  );

  it('lists each of the seven types, every blocking method, and vendors of a new installation', async () => {
    const kinds = new Set(truths.map(({ resource_type }) => resource_type));
    expect(kinds.size).toBe(7);
    const headers = administrator();
    const ask = async (path: string) => (await server.http.get(root + path, { headers })).json;
    const scripts: { blocking_method: string; script_url: string }[] = await ask('/scripts');
    for (const { blocking_method, script_url } of scripts) {
      const held = truths.find(
        ({ url = '', how }) =>
          how === blocking_method && url.replace('{port}', port) === script_url,
      );
      expect(held, script_url).toBeDefined();
    }
    expect(new Set(scripts.map(({ blocking_method }) => blocking_method)).size).toBe(4);
    for (const slug of new Set(truths.map(({ vendor_slug }) => vendor_slug))) {
      if (slug === null) continue;
      const found: { slug: string }[] = await ask(`/vendors?search=${slug}`);
      expect(
        found.map((vendor) => vendor.slug),
        slug,
      ).toContain(slug);
    }
  });

  it('is seeded once: what an administrator removes is not added again', async () => {
    const headers = administrator();
    for (const list of ['/scripts?search=mapfold', '/vendors?search=mapfold']) {
      const [{ id }] = (await server.http.get(root + list, { headers })).json;
      const item = `${root}/${list.slice(1, list.indexOf('?'))}/${id}`;
      expect((await server.http.request('DELETE', item, { headers })).status).toBe(200);
    }
    await server.stop();
    server = await startServer(env);
    for (const list of ['/scripts?search=mapfold', '/vendors?search=mapfold']) {
      expect((await server.http.get(root + list, { headers })).json).toEqual([]);
    }
  });

  it('serves on a third-party host only what belongs to it', async () => {
    const get = async (host: string, path: string, method = 'GET') =>
      sendRaw(
        server.url,
        `${method} ${path} HTTP/1.1\r\nhost: ${host}${port}\r\nconnection: close\r\n\r\n`,
      );
    expect((await get('adtrail.localhost', '/trail.js')).status).toBe(200);
    expect((await get('ADTRAIL.localhost', '/trail.js?id=1')).status).toBe(200);
    for (const path of [
      '/',
      '/health',
      '/demo/',
      '/console/session',
      '/wp-json/',
      '/../demo/',
      '/lumen.js',
    ]) {
      expect((await get('adtrail.localhost', path)).status, path).toBe(404);
    }
    for (const host of ['127.0.0.1', 'other.localhost', 'adtrail.localhost.example.com']) {
      expect((await get(host, '/trail.js')).status, host).toBe(404);
      expect((await get(host, '/demo/third-parties/adtrail/trail.js')).status, host).toBe(404);
      expect((await get(host, '/health')).status, host).toBe(200);
    }
    expect((await get('adtrail.localhost', '/px.gif', 'DELETE')).status).toBe(404);
  });

  it('accepts any submission and returns none of it', async () => {
    const send = (host: string, path: string, type: string, body: string) =>
      sendRaw(
        server.url,
        `POST ${path} HTTP/1.1\r\nhost: ${host}${port}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
    const secret = 'mine@example.org';
    const form = 'application/x-www-form-urlencoded';
    const thanks = await send(
      'formpost.localhost',
      `/subscribe?e=${secret}`,
      form,
      `email=${secret}`,
    );
    expect([thanks.status, thanks.text.includes(secret)]).toEqual([200, false]);
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x']) {
      expect((await send('lumen-analytics.localhost', '/collect', type, secret)).status).toBe(204);
    }
    const booked = await send('127.0.0.1', '/demo/booking/', form, `email=${secret}`);
    expect([booked.status, booked.headers.get('location')]).toEqual([303, '/demo/thanks/']);
    expect(server.log()).not.toContain(secret);
  });

  it('responds to unknown pages with a page, and to unchanged ones with 304', async () => {
    const missing = await server.http.get('/demo/attic/');
    expect([missing.status, missing.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    for (const path of ['/demo', '/demo/rooms']) {
      const { status, headers } = await server.http.get(path);
      expect([status, headers.get('location')]).toEqual([301, `${path}/`]);
    }
    for (const path of ['/demo/', '/demo/assets/site.css']) {
      const { headers } = await server.http.get(path);
      const etag = headers.get('etag') ?? '';
      // A proxy that compresses weakens the tag.
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await server.http.get(path, { headers: { 'if-none-match': known } });
        expect([again.status, again.text], `${path} ${known}`).toEqual([304, '']);
      }
      const changed = await server.http.get(path, { headers: { 'if-none-match': '"other"' } });
      expect(changed.status, path).toBe(200);
    }
  });
});
