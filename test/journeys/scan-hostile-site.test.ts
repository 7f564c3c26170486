import { createServer, type RequestListener } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../support/pages.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const AT_ONCE = 4;
/** 15 s per page, in groups of four, and a margin for a busy machine. */
const ALL_PAGES_MS = 50_000;
const HEALTH_EVERY_MS = 50;
const HEALTH_MEDIAN_MS = 100;
/** Far below the time of a page that would stall the server. Beside other tests, the machine alone can delay a response by 2.5 s. */
const HEALTH_SLOWEST_MS = 5_000;

/** Made once: to encode it for each response would hold up the measurement of the server's responses. */
const LONG_PAGE = Buffer.from(
  `<!doctype html><form method="post"><input type="email"></form>${'<p>much</p>'.repeat(5_000_000)}`,
);

const html =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<!doctype html>${body}`);

const PAGES: Record<string, RequestListener> = {
  '/': html('<h1>Home</h1>'),
  '/form': html('<form method="post"><input type="email"></form>'),
  '/404': html('<form method="post"><input type="email"></form>', 404),
  '/500': html('<form method="post"><input type="email"></form>', 500),
  '/circle': (_request, response) => response.writeHead(302, { location: '/circle' }).end(),
  '/50-mb': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(LONG_PAGE);
  },
  '/endless': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<!doctype html><form method="post"><input type="email"></form>');
    const more = setInterval(() => response.write('<p>more</p>'), 20);
    response.on('close', () => clearInterval(more));
  },
  // Stops responding after the time in which a page may load, 8 s.
  '/endless-then-spins': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<!doctype html><form method="post"><input type="email"></form>');
    const spins = setTimeout(() => response.write('<script>while (true);</script>'), 10_000);
    response.on('close', () => clearTimeout(spins));
  },
  '/silent': () => {},
  '/spins': html('<script>while (true);</script>'),
  '/report': (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7'),
  '/breaks-off': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' });
    response.write('<!doctype html>');
    setTimeout(() => response.destroy(), 50);
  },
};

describe('the scanner on a hostile site', () => {
  const folder = dataFolder();
  const site = createServer((request, response) => {
    const page = PAGES[request.url ?? ''] ?? html('Not found.', 404);
    page(request, response);
  });
  let siteUrl: string;
  let server: ServerProcess;
  let headers: Record<string, string>;

  const ask = (method: string, path: string, body?: object) =>
    server.http.request(method, `/wp-json/svc/v1${path}`, { headers, ...(body && { body }) });

  beforeAll(async () => {
    siteUrl = `http://127.0.0.1:${await listen(site)}`;
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_SITE_URL: siteUrl };
    await pavisJson(
      ['user', 'create', 'ada', '--email', 'ada@example.com', '--role', 'administrator'],
      env,
    );
    const { password } = await pavisJson(['user', 'app-password', 'ada', '--name', 'test'], env);
    headers = { authorization: `Basic ${Buffer.from(`ada:${password}`).toString('base64')}` };
    server = await startServer(env);
    await ask('PUT', '/settings', { scanner: { concurrency: AT_ONCE } });
  });
  afterAll(async () => {
    await server?.stop();
    site.closeAllConnections();
    site.close();
    folder.remove();
  });
  const start = async (): Promise<number> =>
    (await ask('POST', '/scanner/start', { scan_depth: 0 })).json.scan_id;

  it('limits the time per page, reports what was wrong, and serves other requests meanwhile', async () => {
    const scan_id = await start();
    const failed = (why: RegExp) => ({ count: 0, error: expect.stringMatching(why) });
    const expected: Record<string, object> = {
      '/endless': { count: 1, partial: true },
      '/endless-then-spins': { count: 1, partial: true },
      '/silent': failed(/did not respond in time/),
      '/spins': { partial: true },
      '/50-mb': { partial: true },
      '/404': { ...failed(/404/), partial: false },
      '/500': { ...failed(/500/), partial: false },
      '/circle': failed(/redirects too many times/),
      '/report': failed(/not HTML/),
      '/breaks-off': { partial: true },
    };
    const done = new AbortController();
    const health = healthUntil(server, done.signal);
    const began = performance.now();
    const answers = await Promise.all(
      Object.keys(expected).map(async (path) => {
        const body = { scan_id, url: siteUrl + path };
        return [path, await ask('POST', '/scanner/scan-page', body)] as const;
      }),
    );
    expect(performance.now() - began).toBeLessThan(ALL_PAGES_MS);
    done.abort();
    for (const [path, { status, json }] of answers) {
      expect([path, status, json]).toMatchObject([path, 200, expected[path] ?? {}]);
    }
    const took = await health;
    expect(took[Math.floor(took.length / 2)]).toBeLessThan(HEALTH_MEDIAN_MS);
    expect(took.at(-1)).toBeLessThan(HEALTH_SLOWEST_MS);
    // The browser works for the next page.
    const next = await ask('POST', '/scanner/scan-page', { scan_id, url: `${siteUrl}/form` });
    expect(next.json).toMatchObject({ count: 1, partial: false });
  });

  it.each<[what: string, url: (port: string) => unknown]>([
    ['another port', () => 'http://127.0.0.1:1/'],
    ['another port, in decimal', () => 'http://2130706433:1/'],
    ['another name of this machine', (port) => `http://localhost:${port}/`],
    ['an address that means the same', (port) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['a name that leads here', (port) => `http://127.0.0.1.nip.io:${port}/`],
    ['another address, in decimal', (port) => `http://167772161:${port}/`],
    ['another address, in hex', (port) => `http://0xa9fea9fe:${port}/`],
    ['another scheme', (port) => `https://127.0.0.1:${port}/`],
    ['a file', () => 'file:///etc/passwd'],
    ['a script', () => 'javascript:alert(1)'],
    ['a user', (port) => `http://ada@127.0.0.1:${port}/`],
    ['a password', (port) => `http://:hush@127.0.0.1:${port}/`],
    ['the site as a password', (port) => `http://127.0.0.1:${port}@example.com/`],
    ['the site as a path', (port) => `http://example.com/127.0.0.1:${port}/`],
    ['a path alone', () => '/404'],
    ['two lines', (port) => `http://example.com\n.127.0.0.1:${port}/`],
    ['a number', () => 7],
    ['a list', (port) => [`http://127.0.0.1:${port}/`]],
    ['2,049 characters', (port) => `http://127.0.0.1:${port}/`.padEnd(2_049, 'x')],
  ])('refuses %s as a page', async (_what, url) => {
    const scan_id = await start();
    const body = { scan_id, url: url(new URL(siteUrl).port) };
    const { status, json } = await ask('POST', '/scanner/scan-page', body);
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(json.data.params).toHaveProperty('url');
    const { urls } = (await ask('GET', `/scanner/scans/${scan_id}`)).json;
    expect(urls).toHaveLength(1);
  });

  it('treats other spellings of an address as the same page', async () => {
    const scan_id = await start();
    const url = `http://0x7f.1:${new URL(siteUrl).port}/404`;
    expect((await ask('POST', '/scanner/scan-page', { scan_id, url })).status).toBe(200);
    const { urls } = (await ask('GET', `/scanner/scans/${scan_id}`)).json;
    expect(urls.map((page: { url: string }) => page.url)).toEqual([
      `${siteUrl}/`,
      `${siteUrl}/404`,
    ]);
  });

  it.each([
    [404, 999_999],
    [404, Number.MAX_SAFE_INTEGER],
    [404, '999999'],
    [400, 0],
    [400, -1],
    [400, 1.5],
    [400, 'one'],
    [400, 2 ** 63],
    [400, [1]],
    [400, {}],
    [400, null],
    [400, undefined],
  ])('returns %i for scan %j', async (status, scan_id) => {
    const page = { scan_id, url: `${siteUrl}/` };
    for (const [method, path, body] of [
      ['POST', '/scanner/scan-page', page],
      ['POST', '/scanner/complete', { scan_id }],
      ['POST', '/data-map/bulk-add', { scan_id, vendors: ['matomo'] }],
    ] as const) {
      expect([path, (await ask(method, path, body)).status]).toEqual([path, status]);
    }
  });

  it.each(['0', '-1', '1.5', 'one', '%00', '9'.repeat(40)])(
    'has no results of scan %s',
    async (id) => {
      const { status, json } = await ask('GET', `/scanner/results/${id}`);
      expect([404, 400]).toContain(status);
      expect(json.data.status).toBe(status);
    },
  );

  it('adds no page to a completed scan, and keeps its findings', async () => {
    const scan_id = await start();
    const url = `${siteUrl}/form`;
    await ask('POST', '/scanner/scan-page', { scan_id, url });
    // A page is being scanned when the scan is completed.
    const late = ask('POST', '/scanner/scan-page', { scan_id, url: `${siteUrl}/silent` });
    await wait(500);
    const completed = await ask('POST', '/scanner/complete', { scan_id });
    expect(completed.json).toMatchObject({ status: 'completed', pages: 1, findings: 1 });
    for (const { status, json } of [
      await late,
      await ask('POST', '/scanner/scan-page', { scan_id, url }),
    ]) {
      expect([status, json.code]).toEqual([409, 'scan_completed']);
    }
    expect((await ask('GET', `/scanner/results/${scan_id}`)).json).toMatchObject({
      status: 'completed',
      pages: 1,
      total: 1,
    });
  });

  it('requires permission', async () => {
    const body = { scan_id: 1, url: `${siteUrl}/` };
    for (const path of ['start', 'scan-page', 'complete']) {
      const { status, json } = await server.http.post(`/wp-json/svc/v1/scanner/${path}`, { body });
      expect([status, json.code]).toEqual([401, 'rest_forbidden']);
    }
  });
});

/** Response times of `/health` in milliseconds, ascending. */
async function healthUntil({ http }: ServerProcess, signal: AbortSignal): Promise<number[]> {
  const took: number[] = [];
  while (!signal.aborted) {
    const began = performance.now();
    expect((await http.get('/health')).status).toBe(200);
    took.push(performance.now() - began);
    await wait(HEALTH_EVERY_MS);
  }
  return took.sort((a, b) => a - b);
}
