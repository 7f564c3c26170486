import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { listProcessTree, shareMb } from './process-usage.ts';
import type { Finding } from './report.ts';
import { createAdministrator, install, type Running, startPavis } from './server.ts';

const ROUNDS = 3;
const SAMPLE_MS = 150;

interface Round {
  secondsPerPage: number;
  /** The peak of all processes together. */
  mb: number;
}

/**
 * Scans of the demo site, compared with bare loads of the same pages in the same browser, in turn. Both use a new profile
 * for each page. A bare load ends when the network is idle (Playwright: no request for 500 ms) or, for comparison, at the
 * load event, before many resources are requested. A scan also moves the mouse, scrolls, accepts the banner, waits for
 * further resources, classifies them and stores the findings.
 */
export async function scan(): Promise<Finding[]> {
  await using installation = await install();
  // Started by root, the browser runs as `nobody`, who cannot read the temporary folder of the installation.
  const env = { ...installation.env, TMPDIR: tmpdir(), PAVIS_DEMO: 'on' };
  const send = await createAdministrator(env);
  await using server = await startPavis(env);
  const ask = (method: string, path: string, body?: object) => send(server, method, path, body);
  async function scanPage(scan_id: number, url: string): Promise<void> {
    const { error, partial } = await ask('POST', '/scanner/scan-page', { scan_id, url });
    if (error || partial) throw new Error(`${url} was not loaded completely: ${error}`);
  }
  const { scan_id, urls } = await ask('POST', '/scanner/start', { scan_depth: 2 });
  // Not measured, because it unpacks and starts the browser.
  await scanPage(scan_id, urls[0]);
  const { engine } = await ask('GET', `/scanner/scans/${scan_id}`);
  if (!engine.endsWith('bundled')) throw new Error(`the pages were scanned with ${engine}`);
  await using bare = await openBare(installation.env.PAVIS_DATA_DIR ?? '');

  const findings: Finding[] = [];
  for (const atOnce of [1, 4]) {
    await ask('PUT', '/settings', { scanner: { concurrency: atOnce } });
    const rounds: Rounds = { ours: [], idle: [], load: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const inScan = () => listProcessTree(server.pid);
      rounds.ours.push(await measure(urls, atOnce, (url) => scanPage(scan_id, url), inScan));
      for (const until of ['networkidle', 'load'] as const) {
        const load = (url: string) => bare.load(url, until);
        const round = await measure(urls, atOnce, load, () => bare.processes(server));
        rounds[until === 'load' ? 'load' : 'idle'].push(round);
      }
    }
    findings.push(...report(atOnce, rounds));
  }
  return findings;
}

interface Rounds {
  ours: Round[];
  /** Bare loads that end when the network is idle. */
  idle: Round[];
  /** Bare loads that end at the load event. */
  load: Round[];
}

function report(atOnce: number, { ours, idle, load }: Rounds): Finding[] {
  const name = `scan, ${atOnce} at a time`;
  const seconds = (rounds: Round[]) => rounds.map(({ secondsPerPage }) => secondsPerPage);
  const mb = (rounds: Round[]) => rounds.map((round) => round.mb);
  return [
    {
      bench: `${name}, beside a load until the network is idle`,
      unit: 's/page',
      figures: seconds(ours),
      bare: seconds(idle),
      bar: { of: 'ratio', atMost: 1.5 },
    },
    {
      bench: `${name}, beside a load to its load event`,
      unit: 's/page',
      figures: seconds(ours),
      bare: seconds(load),
    },
    { bench: `${name}: memory with the browser`, unit: 'MB', figures: mb(ours), bare: mb(idle) },
  ];
}

async function measure(
  urls: string[],
  atOnce: number,
  look: (url: string) => Promise<void>,
  processes: () => number[],
): Promise<Round> {
  let mb = 0;
  const sample = () => {
    mb = Math.max(
      mb,
      processes()
        .map(shareMb)
        .reduce((all, each) => all + each, 0),
    );
  };
  const timer = setInterval(sample, SAMPLE_MS);
  const began = performance.now();
  const queue = urls.values();
  const worker = async () => {
    for (const url of queue) await look(url);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const secondsPerPage = (performance.now() - began) / 1000 / urls.length;
  clearInterval(timer);
  return { secondsPerPage, mb };
}

/** Loads the pages in the browser that the scanner has unpacked. */
async function openBare(dataDir: string) {
  const shelf = join(dataDir, 'browser');
  const [version = ''] = readdirSync(shelf);
  const folder = join(shelf, version);
  const browser = await chromium.launch({
    executablePath: join(folder, 'chromium'),
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  return {
    async load(url: string, waitUntil: 'networkidle' | 'load'): Promise<void> {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(url, { waitUntil });
      await context.close();
    },
    processes(server: Running): number[] {
      const ours = new Set([process.pid, ...listProcessTree(server.pid)]);
      return listProcessTree(process.pid).filter((pid) => !ours.has(pid));
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
