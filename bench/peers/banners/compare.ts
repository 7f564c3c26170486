import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { bundledChromium } from '../../../src/privacy/scanner/browser/bundled.ts';
import { median } from '../../report.ts';
import { createAdministrator, install, startPavis } from '../../server.ts';
import { bundleReact, createPeers } from './peers.ts';
import { serve, toPage } from './site.ts';
import { CATEGORIES, TEXTS } from './texts.ts';
import { type Banner, inspect, measureTimes } from './visit.ts';
import type { Times } from './watch.ts';

const ROUNDS = 20;

const sum = (loaded: readonly number[]): number => loaded.reduce((all, each) => all + each, 0);
const toKb = (bytes: number): string => (bytes / 1_024).toFixed(1);
const toMs = (all: readonly (number | null)[]): string => {
  const found = all.filter((each) => each !== null);
  if (found.length === 0) return '–';
  return `${Math.round(median(found))} (${Math.round(Math.min(...found))}–${Math.round(Math.max(...found))})`;
};

function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(line(columns) + line(columns.map(() => '---')) + rows.map(line).join(''));
  process.stdout.write('\n');
}

const pages = new Map<string, string>();
const files = new Map<string, string>();
await using site = await serve(pages);
await using assets = await serve(files);
await using installation = await install();
const env = { ...installation.env, PAVIS_SITE_URL: site.url };
const send = await createAdministrator(env);
await using server = await startPavis(env);
await send(server, 'PUT', '/settings', {
  consent: {
    title: TEXTS.title,
    message: TEXTS.message,
    accept_text: TEXTS.accept,
    reject_text: TEXTS.reject,
    manage_text: TEXTS.manage,
    save_text: TEXTS.save,
    privacy_text: TEXTS.privacy,
    privacy_url: site.url + TEXTS.privacyUrl,
    languages: ['en'],
    translations: [],
    categories: CATEGORIES.map((each, at) => ({ ...each, required: at === 0 })),
  },
});

/** Shows what a banner costs the page. */
const control: Banner = { name: 'none', url: `${site.url}/none.html`, hasBanner: false };
pages.set('/none.html', toPage());
const banners: Banner[] = [];
function add(name: string, head = '', body = ''): void {
  const path = `/${banners.length}.html`;
  pages.set(path, toPage(head, body));
  banners.push({ name, url: site.url + path });
}
const source = `src="${server.url}/banner.js"></script>`;
// As the guide has it. It blocks the parser, because it blocks what comes after it.
add('Pavis', `<script ${source}<meta http-equiv="Content-Security-Policy" content="">`);
// Without automatic blocking, which the others do not have.
add('Pavis, `async`', `<script async ${source}`);
for (const [at, peer] of (await createPeers()).entries()) {
  const base = `${assets.url}/${at}`;
  const place = (text = '') => text.replaceAll('BASE', base);
  for (const [name, text] of Object.entries(peer.files)) files.set(`/${at}/${name}`, place(text));
  add(peer.name, place(peer.head), place(peer.body));
}

const folder = mkdtempSync(join(tmpdir(), 'pavis-banners-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const bundled = await bundledChromium(folder);
if (!bundled) throw new Error('npm has no browser for this platform.');
const browser = await chromium.launch({
  executablePath: bundled.executable,
  env: { ...process.env, LD_LIBRARY_PATH: bundled.libraries },
  // Without the last, vanilla-cookieconsent takes the browser for a bot and shows nothing.
  args: ['--no-sandbox', '--disable-gpu', '--disable-blink-features=AutomationControlled'],
});
const inspected: Awaited<ReturnType<typeof inspect>>[] = [];
for (const banner of banners) inspected.push(await inspect(browser, banner));

const visited = [...banners, control];
const measured = new Map<boolean, Times[][]>();
for (const isSlow of [false, true]) {
  const all: Times[][] = visited.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (let step = 0; step < visited.length; step += 1) {
      // Which is first changes from round to round.
      const at = (round + step) % visited.length;
      const banner = visited[at];
      if (banner) all[at]?.push(await measureTimes(browser, banner, isSlow));
    }
  measured.set(isSlow, all);
}
await browser.close();

printTable(
  [
    'Banner',
    'KB before a choice',
    'Requests before',
    'on a choice',
    'on preferences',
    'First layer offers',
    'Accept and reject look the same',
    'Layout shift',
    'axe, first layer',
    'axe, preferences',
  ],
  banners.map(({ name }, at) => {
    const found = inspected[at];
    if (!found) throw new Error(`${name} was not inspected`);
    const more = (loaded: readonly number[]) =>
      loaded.length > 0 ? `${loaded.length} (${toKb(sum(loaded))} KB)` : '0';
    const shift = Math.max(...(measured.get(false)?.[at] ?? []).map((each) => each.shift));
    return [
      name,
      toKb(sum(found.before)),
      String(found.before.length),
      more(found.choice),
      more(found.preferences),
      found.offered.join(', '),
      found.isEqual ? 'yes' : 'no',
      shift.toFixed(3),
      found.firstLayer.join(', ') || 'none',
      found.secondLayer.join(', ') || 'none',
    ];
  }),
);
/** The median of the ratios of the same rounds. */
function toRatio(times: readonly Times[], ours: readonly Times[]): string {
  const ratios = times.flatMap(({ visible }, round) => {
    const our = ours[round]?.visible;
    return visible !== null && our ? [visible / our] : [];
  });
  return ratios.length > 0 ? median(ratios).toFixed(2) : '–';
}

for (const [isSlow, all] of measured)
  printTable(
    [
      `Banner, ${isSlow ? 'slow network and processor' : 'this machine'}`,
      'Visible, ms',
      'Visible, ratio to Pavis',
      'Opaque, ms',
      'First paint of the page, ms',
    ],
    visited.map(({ name }, at) => {
      const times = all[at] ?? [];
      return [
        name,
        toMs(times.map((each) => each.visible)),
        toRatio(times, all[0] ?? []),
        toMs(times.map((each) => each.opaque)),
        toMs(times.map((each) => each.paint)),
      ];
    }),
  );
process.stdout.write(
  `${browser.version()}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}. React and React DOM are ${toKb(gzipSync(await bundleReact(), { level: 9 }).length)} KB of @c15t/react.\n`,
);
