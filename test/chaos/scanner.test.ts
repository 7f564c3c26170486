import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemo } from '../support/demo.ts';

const AT_ONCE = 4;
/** Long enough for a page to start, and too short for it to finish. */
const IN_FLIGHT_MS = 150;
const GONE_MS = 5_000;

/** The Chromium process of a server. */
function browserOf(server: number | undefined): number {
  const found = readdirSync('/proc').find((pid) => {
    const { name, parent } = processOf(pid);
    return parent === server && name.startsWith('chrom');
  });
  return found === undefined ? expect.fail('the server has no browser') : Number(found);
}

/** The number of renderer processes of a browser: at least one per page. */
function renderersOf(browser: number): number {
  const isOf = (pid: number | undefined): boolean =>
    pid === browser || (!!pid && isOf(processOf(pid).parent));
  return readdirSync('/proc').filter((pid) => {
    if (!processOf(pid).name.startsWith('chrom') || !isOf(Number(pid))) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
    } catch {
      return false;
    }
  }).length;
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

  it('keeps each of twenty pages that are submitted at once, once', async () => {
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

  it('reports the pages that a killed browser loses, and continues', async () => {
    const scan_id = await start();
    const before = await scanPage(scan_id, '/demo/story/');
    const asked = paths(2 * AT_ONCE);
    const asking = asked.map((path) => scanPage(scan_id, path));
    const killed = browserOf(demo.server.child.pid);
    await expect.poll(() => renderersOf(killed), { interval: 5 }).toBeGreaterThanOrEqual(AT_ONCE);
    process.kill(killed, 'SIGKILL');
    const answers = await Promise.all(asking);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const lost = answers.map(({ json }) => json).filter(({ error }) => error !== undefined);
    // One of them may not have started, or may have just finished.
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.length).toBeLessThanOrEqual(AT_ONCE);
    for (const { error, partial, count, findings } of lost) {
      expect([error, partial, count]).toEqual([
        expect.stringMatching(/browser/),
        true,
        findings.length,
      ]);
    }
    const pages = await pagesOf(scan_id);
    expect(pages.filter(({ state }) => state === 'failed').map(({ url }) => url)).toEqual(
      lost.map(({ url }) => url),
    );
    const scanned = asked.length - lost.length + 1;
    expect(pages.filter(({ state }) => state === 'scanned')).toHaveLength(scanned);
    const { results } = await resultsOf(scan_id);
    // Observations of the lost pages up to then are kept too.
    for (const { json } of [before, ...answers]) {
      expect(results).toEqual(expect.arrayContaining(json.findings));
    }
    const again = await Promise.all(
      lost.map(({ url }) => scanPage(scan_id, url.slice(demo.server.url.length))),
    );
    expect(again.map(({ json }) => json.error)).toEqual(lost.map(() => undefined));
    expect(browserOf(demo.server.child.pid)).not.toBe(killed);
  });

  it('survives the server, which stops its browser', async () => {
    const scan_id = await start();
    const { json } = await scanPage(scan_id, '/demo/film/');
    const browsers = [browserOf(demo.server.child.pid)];
    void scanPage(scan_id, '/demo/rooms/').catch(() => {});
    await wait(IN_FLIGHT_MS);
    const killed = demo.server.child.pid;
    expect(foldersOf(killed)).toHaveLength(1);
    await demo.restart('SIGKILL');
    expect(await resultsOf(scan_id)).toMatchObject({ status: 'started', results: json.findings });
    await expect.poll(() => foldersOf(killed), { timeout: GONE_MS }).toEqual([]);
    expect((await scanPage(scan_id, '/demo/rooms/')).json.error).toBeUndefined();
    browsers.push(browserOf(demo.server.child.pid));
    await demo.restart('SIGTERM');
    const { status, pages } = await resultsOf(scan_id);
    expect([status, pages]).toEqual(['started', 2]);
    await expect
      .poll(() => browsers.map((pid) => processOf(pid).name), { timeout: GONE_MS })
      .toEqual(['', '']);
  });
});

const sum = (a: number, b: number): number => a + b;
