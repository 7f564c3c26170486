import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundledChromium } from '../../../src/privacy/scanner/browser/bundled.ts';
import { BANNERS } from '../../../test/fixtures/banners/banners.ts';
import { listBannerPages, ORIGIN, TRACKERS, toUrl } from '../../../test/fixtures/banners/site.ts';
import { servePages } from '../../../test/support/pages.ts';
import { listProcessTree, shareMb } from '../../process-usage.ts';
import { createAdministrator, install, startPavis } from '../../server.ts';

const SAMPLE_MS = 100;

/** The trackers that a scan of one page accuses, by leak. */
type Accused = Record<'early' | 'despite' | 'sticky' | 'honest', boolean>;

interface Measured {
  pages: Accused[];
  secondsPerPage: number;
  /** Of all processes of the scanner together, at its highest. */
  mb: number;
}

/** A request as the peer reports it. */
interface PeerRequest {
  url: string;
  requiresConsent: boolean;
}

interface PeerResult {
  networkBeforeInteraction: PeerRequest[];
  networkAfterReject: PeerRequest[];
}

interface Launcher {
  launch(options: object): Promise<unknown>;
}

const urls = Object.keys(BANNERS).map(toUrl);

async function measure(
  scanPage: (url: string) => Promise<Accused>,
  processes: () => number[],
): Promise<Measured> {
  let mb = 0;
  const sample = () => {
    const all = processes().map(shareMb);
    mb = Math.max(
      mb,
      all.reduce((sum, each) => sum + each, 0),
    );
  };
  const timer = setInterval(sample, SAMPLE_MS);
  const began = performance.now();
  const pages: Accused[] = [];
  for (const url of urls) pages.push(await scanPage(url));
  clearInterval(timer);
  return { pages, mb, secondsPerPage: (performance.now() - began) / 1_000 / urls.length };
}

/** Scans with a server in production, in four states. */
async function measureOurs(port: number): Promise<Measured> {
  await using installation = await install();
  // The browser of a root must be within reach of nobody.
  const env = {
    ...installation.env,
    TMPDIR: tmpdir(),
    PAVIS_SITE_URL: ORIGIN,
    PAVIS_SCANNER_CONNECT_TO: `*:80=127.0.0.1:${port}`,
  };
  const send = await createAdministrator(env);
  await using server = await startPavis(env);
  const ask = (method: string, path: string, body?: object) => send(server, method, path, body);
  const states = ['before', 'rejected', 'accepted', 'withdrawn'];
  const { scan_id } = await ask('POST', '/scanner/start', { scan_depth: 0, states });
  // Not counted: it unpacks and starts the browser.
  await ask('POST', '/scanner/scan-page', { scan_id, url: urls[0] });
  const scanPage = async (url: string): Promise<Accused> => {
    const { findings } = await ask('POST', '/scanner/scan-page', { scan_id, url });
    const has = (tracker: string, verdict: string) =>
      findings.some(
        (finding: { url: string; verdicts: string[] }) =>
          finding.url === tracker && finding.verdicts.includes(verdict),
      );
    return {
      early: has(TRACKERS.early, 'loaded_without_consent'),
      despite: has(TRACKERS.despite, 'loaded_despite_rejection'),
      sticky: has(TRACKERS.sticky, 'not_stopped_by_withdrawal'),
      honest: [
        'loaded_without_consent',
        'loaded_despite_rejection',
        'not_stopped_by_withdrawal',
      ].some((verdict) => has(TRACKERS.honest, verdict)),
    };
  };
  return await measure(scanPage, () => listProcessTree(server.pid));
}

/** Scans with the peer in this process, with the given Chromium. */
async function measurePeer(folder: string, port: number): Promise<Measured> {
  const browser = await bundledChromium(mkdtempSync(join(tmpdir(), 'pavis-peer-')));
  if (!browser) throw new Error('npm has no browser for this platform.');
  const load = (path: string) =>
    import(pathToFileURL(join(folder, 'node_modules', path)).href) as Promise<unknown>;
  const { chromium } = (await load('playwright/index.mjs')) as { chromium: Launcher };
  const launch = chromium.launch.bind(chromium);
  chromium.launch = (options: { args?: string[] }) =>
    launch({
      ...options,
      executablePath: browser.executable,
      env: { ...process.env, LD_LIBRARY_PATH: browser.libraries },
      args: [...(options.args ?? []), `--host-resolver-rules=MAP *:80 127.0.0.1:${port}`],
    });
  const { scan } = (await load('@slashgear/gdpr-cookie-scanner/dist/index.js')) as {
    scan(url: string): Promise<PeerResult>;
  };
  const scanPage = async (url: string): Promise<Accused> => {
    const { networkBeforeInteraction, networkAfterReject } = await scan(url);
    const has = (requests: PeerRequest[], tracker: string) =>
      requests.some((request) => request.url === tracker && request.requiresConsent);
    return {
      early: has(networkBeforeInteraction, TRACKERS.early),
      despite: has(networkAfterReject, TRACKERS.despite),
      sticky: false,
      honest: has([...networkBeforeInteraction, ...networkAfterReject], TRACKERS.honest),
    };
  };
  try {
    return await measure(scanPage, () => listProcessTree(process.pid));
  } finally {
    rmSync(browser.folder, { recursive: true, force: true });
  }
}

function print(name: string, { pages, secondsPerPage, mb }: Measured): void {
  const count = (leak: keyof Accused) => pages.filter((page) => page[leak]).length;
  const all = pages.length;
  process.stdout.write(
    `| ${name} | ${count('early')} of ${all} | ${count('despite')} of ${all} | ${count('sticky')} of ${all} | ${count('honest')} | ${secondsPerPage.toFixed(1)} | ${Math.round(mb)} |\n`,
  );
  for (const leak of ['early', 'despite', 'sticky'] as const) {
    const missed = Object.keys(BANNERS).filter((_banner, at) => !pages[at]?.[leak]);
    if (missed.length > 0) process.stderr.write(`${name} missed ${leak}: ${missed.join(', ')}\n`);
  }
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder in which the peer is installed.');
const pages = await servePages(await listBannerPages());
const port = pages.connectTo[0]?.toPort ?? 0;
const ours = await measureOurs(port);
process.stdout.write(
  `| Scanner | Before consent | After rejection | After withdrawal | False | s/page | MB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n`,
);
print('Pavis', ours);
print('@slashgear/gdpr-cookie-scanner 3.8.2', await measurePeer(folder, port));
pages.close();
