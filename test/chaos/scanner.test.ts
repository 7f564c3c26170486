import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type DemoServer, startDemo } from '../support/demo.ts';
import { listen } from '../support/pages.ts';

const AT_ONCE = 4;
/** Long enough for a page to start, and too short for it to finish. */
const IN_FLIGHT_MS = 150;

/** The Chromium process of a server. */
function browserOf(server: number | undefined): number {
  const found = readdirSync('/proc').find((pid) => {
    const { name, parent } = processOf(pid);
    return parent === server && name.startsWith('chrom');
  });
  return found === undefined ? expect.fail('the server has no browser') : Number(found);
}

/**
 * A site whose pages do not finish loading while it holds back their image.
 * `held` resolves with as many pages as a scan visits at once, as soon as all of them have requested theirs.
 */
async function siteWithHeldImages() {
  const held = Promise.withResolvers<string[]>();
  const responses = new Map<string, ServerResponse>();
  let isReleased = false;
  const server = createServer(({ url = '/', headers }, response) => {
    const { pathname, search, origin } = new URL(url, `http://${headers.host}`);
    if (pathname === '/image' && !isReleased) {
      responses.set(`${origin}/page${search}`, response);
      if (responses.size === AT_ONCE) held.resolve([...responses.keys()]);
    } else if (pathname === '/page') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('set-cookie', 'shop_visit=1; Path=/');
      response.end(`<!doctype html><img src="/image${search}" alt="">`);
    } else {
      response.writeHead(204).end();
    }
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    held: held.promise,
    release() {
      isReleased = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The profile folders of the browsers of a process. */
const foldersOf = (server: number | undefined): string[] =>
  readdirSync(tmpdir()).filter(
    (name) => name.includes(`-${server}-`) && /^pavis-browser-/.test(name),
  );

/** Linux only, like the bundled browser. */
function processOf(pid: number | string): { name: string; parent: number | undefined } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, name = '', parent] = /\((.*)\) \w (\d+)/.exec(stat) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return { name: '', parent: undefined };
  }
}

interface Page {
  url: string;
  state: 'planned' | 'scanned' | 'failed';
  partial: boolean;
  error: string | null;
  findings: number;
}

describe.skipIf(process.platform !== 'linux')('a scan', { timeout: 90_000 }, () => {
  let demo: DemoServer;
  beforeAll(async () => {
    demo = await startDemo({ TMPDIR: tmpdir() });
    await demo.ask('PUT', '/settings', { scanner: { concurrency: AT_ONCE } });
  });
  afterAll(() => demo?.close());

  const start = async (): Promise<number> =>
    (await demo.ask('POST', '/scanner/start', { scan_depth: 0 })).json.scan_id;
  const scanPage = (scan_id: number, path: string) =>
    demo.ask('POST', '/scanner/scan-page', { scan_id, url: demo.server.url + path });
  const pagesOf = async (scan_id: number): Promise<Page[]> =>
    (await demo.ask('GET', `/scanner/scans/${scan_id}`)).json.urls;
  const resultsOf = async (scan_id: number) =>
    (await demo.ask('GET', `/scanner/results/${scan_id}`)).json;
  const paths = (count: number) =>
    Array.from({ length: count }, (_, n) => `/demo/${n % 2 ? 'story' : 'privacy'}/?n=${n}`);

  it('saves each of twenty pages that are requested at once, and none twice', async () => {
    const scan_id = await start();
    // The last five repeat the first five.
    const asked = paths(15);
    const answers = await Promise.all(
      [...asked, ...asked.slice(0, 5)].map((path) => scanPage(scan_id, path)),
    );
    expect(answers.map(({ status, json }) => [status, json.error])).toEqual(
      answers.map(() => [200, undefined]),
    );
    const pages = (await pagesOf(scan_id)).filter(({ state }) => state !== 'planned');
    expect(pages.map(({ url }) => url.slice(demo.server.url.length)).sort()).toEqual(
      [...asked].sort(),
    );
    const { results, total } = await resultsOf(scan_id);
    const counts = new Map(answers.map(({ json }) => [json.url, json.count]));
    expect(pages.map(({ url, findings }) => [url, findings])).toEqual(
      pages.map(({ url }) => [url, counts.get(url)]),
    );
    expect([results.length, total]).toEqual(Array(2).fill([...counts.values()].reduce(sum)));
    expect(new Set(results.map(({ id }: { id: number }) => id)).size).toBe(total);
  });

  it('loses exactly the pages in flight when the browser is killed, and scans the others', async () => {
    const site = await siteWithHeldImages();
    const shop = await startDemo({ TMPDIR: tmpdir(), PAVIS_SITE_URL: site.url });
    onTestFinished(async () => {
      site.close();
      await shop.close();
    });
    await shop.ask('PUT', '/settings', { scanner: { concurrency: AT_ONCE } });
    const scan_id = (await shop.ask('POST', '/scanner/start', { scan_depth: 0 })).json.scan_id;
    const scan = (url: string) => shop.ask('POST', '/scanner/scan-page', { scan_id, url });
    const asked = Array.from({ length: 2 * AT_ONCE }, (_, n) => `${site.url}/page?n=${n}`);
    const asking = asked.map(scan);
    const inFlight = await site.held;
    const killed = browserOf(shop.server.child.pid);
    site.release();
    process.kill(killed, 'SIGKILL');
    const answers = (await Promise.all(asking)).map(({ status, json }) => ({ status, ...json }));
    const lost = answers.filter(({ error }) => error !== undefined);
    expect(lost.map(({ url }) => url).sort()).toEqual(inFlight.toSorted());
    const crashed = { status: 200, error: expect.stringMatching(/browser crashed/), partial: true };
    const complete = { status: 200, partial: false };
    for (const answer of answers) {
      expect(answer).toMatchObject(lost.includes(answer) ? crashed : complete);
      // The page had set it before the browser was killed.
      expect(answer.findings).toMatchObject([{ resource_type: 'cookie', name: 'shop_visit' }]);
    }
    const { urls } = (await shop.ask('GET', `/scanner/scans/${scan_id}`)).json;
    const byState = Object.groupBy(urls as Page[], ({ state }) => state);
    expect(byState.failed?.map(({ url }) => url).sort()).toEqual(inFlight.toSorted());
    expect(byState.scanned).toHaveLength(AT_ONCE);
    const { results } = (await shop.ask('GET', `/scanner/results/${scan_id}`)).json;
    expect(results).toHaveLength(2 * AT_ONCE);
    expect(results).toEqual(expect.arrayContaining(answers.flatMap(({ findings }) => findings)));
    const again = await Promise.all(inFlight.map(scan));
    expect(again.map(({ json }) => json.error)).toEqual(inFlight.map(() => undefined));
    expect(browserOf(shop.server.child.pid)).not.toBe(killed);
  });

  it('is kept when the server is killed, and the browser ends with the server', async () => {
    const scan_id = await start();
    const { json } = await scanPage(scan_id, '/demo/film/');
    const browsers = [browserOf(demo.server.child.pid)];
    void scanPage(scan_id, '/demo/rooms/').catch(() => {});
    await wait(IN_FLIGHT_MS);
    const killed = demo.server.child.pid;
    // On a busy machine also that of an earlier browser, which is being ended.
    expect(foldersOf(killed)).not.toEqual([]);
    await demo.restart('SIGKILL');
    expect(await resultsOf(scan_id)).toMatchObject({ status: 'started', results: json.findings });
    await expect.poll(() => foldersOf(killed)).toEqual([]);
    expect((await scanPage(scan_id, '/demo/rooms/')).json.error).toBeUndefined();
    browsers.push(browserOf(demo.server.child.pid));
    await demo.restart('SIGTERM');
    const { status, pages } = await resultsOf(scan_id);
    expect([status, pages]).toEqual(['started', 2]);
    await expect.poll(() => browsers.map((pid) => processOf(pid).name)).toEqual(['', '']);
  });
});

const sum = (a: number, b: number): number => a + b;
