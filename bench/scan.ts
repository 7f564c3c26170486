import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { shareMb } from './process-usage.ts';
import type { Finding } from './report.ts';
import { command, install, type Running, startPavis } from './server.ts';

const ROUNDS = 3;
const SAMPLE_MS = 150;
/** A scan stays so long on a page after its load event, whatever happens there: it waits for what comes late. */
const DWELL_SECONDS = 1.7;

interface Round {
  secondsPerPage: number;
  /** Of all processes together, at its highest. */
  mb: number;
}

/** Scans of the demo site beside bare loads of the same pages in the same browser, both with a new profile for each page. */
export async function scan(): Promise<Finding[]> {
  await using installation = await install();
  // Not the installation's own temporary folder: the browser of a root must be within reach of nobody.
  const env = { ...installation.env, TMPDIR: tmpdir(), PAVIS_DEMO: 'on' };
  await command('user create bench --email bench@example.com --role administrator', env);
  const { password } = await command('user app-password bench --name bench', env);
  await using server = await startPavis(env);
  const authorization = `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`;

  async function ask(method: string, path: string, body?: object) {
    const answer = await fetch(`${server.url}/wp-json/svc/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  }
  async function scanPage(scan_id: number, url: string): Promise<void> {
    const { error, partial } = await ask('POST', '/scanner/scan-page', { scan_id, url });
    if (error || partial) throw new Error(`${url} was not seen whole: ${error}`);
  }
  const { scan_id, urls } = await ask('POST', '/scanner/start', { scan_depth: 2 });
  // Not counted: it unpacks and starts the browser.
  await scanPage(scan_id, urls[0]);
  const { engine } = await ask('GET', `/scanner/scans/${scan_id}`);
  if (!engine.endsWith('bundled')) throw new Error(`the pages were looked at by ${engine}`);
  await using bare = await openBare(installation.env.PAVIS_DATA_DIR ?? '');

  const findings: Finding[] = [];
  for (const atOnce of [1, 4]) {
    await ask('PUT', '/settings', { scanner: { concurrency: atOnce } });
    const rounds: { ours: Round[]; bare: Round[] } = { ours: [], bare: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const inScan = () => treeOf(server.pid);
      rounds.ours.push(await measure(urls, atOnce, (url) => scanPage(scan_id, url), inScan));
      rounds.bare.push(await measure(urls, atOnce, bare.load, () => bare.processes(server)));
    }
    findings.push(...report(atOnce, rounds.ours, rounds.bare));
  }
  return findings;
}

function report(atOnce: number, ours: Round[], bare: Round[]): Finding[] {
  const name = `scan, ${atOnce} at a time`;
  const seconds = (rounds: Round[]) => rounds.map(({ secondsPerPage }) => secondsPerPage);
  const mb = (rounds: Round[]) => rounds.map((round) => round.mb);
  return [
    { bench: name, unit: 's/page', figures: seconds(ours), bare: seconds(bare) },
    {
      bench: `${name}: beyond the ${DWELL_SECONDS} s that it stays`,
      unit: 's/page',
      figures: seconds(ours).map((each) => each - DWELL_SECONDS / atOnce),
      bare: seconds(bare),
      bar: { of: 'ratio', atMost: 1.5 },
    },
    { bench: `${name}: memory with the browser`, unit: 'MB', figures: mb(ours), bare: mb(bare) },
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

/** The browser that the scanner has unpacked, driven to the load event and no further. */
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
    async load(url: string): Promise<void> {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(url, { waitUntil: 'load' });
      await context.close();
    },
    processes(server: Running): number[] {
      const ours = new Set([process.pid, ...treeOf(server.pid)]);
      return treeOf(process.pid).filter((pid) => !ours.has(pid));
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** A process and all that it has started. Linux only. */
function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = parentOf(entry);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended since it was listed.
    return -1;
  }
}
