import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createLogger, type Logger } from '../../../platform/log.ts';
import { createGuard } from '../net/guard.ts';
import { createBrowserEngine } from './browser-engine.ts';
import { bundledChromium } from './bundled.ts';
import { launchChromium } from './chromium.ts';

const MAIN = join(import.meta.dirname, '../../../../bin/pavis.js');
const folder = mkdtempSync(join(tmpdir(), 'pavis-chromium-'));
const dataDir = join(folder, 'data');
const path = process.env.PATH;
let lines: string[] = [];
let log: Logger;

beforeAll(async () => {
  log = await createLogger('info', { write: (line) => lines.push(line) });
  // As root the browser runs as nobody, who has to get at the scripts of this test.
  chmodSync(folder, 0o755);
});
afterEach(() => {
  process.env.PATH = path;
  lines = [];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const createEngine = (inFolder: string) =>
  createBrowserEngine({
    guard: createGuard({ siteOrigin: 'http://site.test', connectTo: [] }),
    dataDir: inFolder,
    log,
    userAgent: 'PavisScanner/test',
    fallback: {
      name: 'html',
      visit: async (url) => ({ url, finalUrl: url, observations: [], partial: false }),
      close: async () => {},
    },
  });

function script(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}
/** As root the browser runs as nobody. `run` is the line of a shell script that starts it. */
async function unpackForEveryone(): Promise<{ run: string }> {
  const unpacked = await bundledChromium(dataDir);
  for (const each of [dataDir, join(dataDir, 'browser'), unpacked?.folder ?? '']) {
    chmodSync(each, 0o755);
  }
  return { run: `LD_LIBRARY_PATH=${unpacked?.libraries} exec ${unpacked?.executable} "$@"` };
}

/** Without those of other processes: they share the temporary folder. */
const own = (): string[] =>
  readdirSync(tmpdir()).filter(
    (name) => /^pavis-browser-\d+-(\d+)-/.exec(name)?.[1] === `${process.pid}`,
  );

test('the bundled browser is unpacked once with private permissions and runs', async () => {
  const killed = join(dataDir, 'browser', 'unpacking-killed');
  mkdirSync(killed, { recursive: true });
  utimesSync(killed, 0, 0);
  const first = await bundledChromium(dataDir);
  const made = statSync(first?.executable ?? '').ctimeMs;
  expect(statSync(first?.folder ?? '').mode & 0o777).toBe(0o700);
  expect(first?.folder).toMatch(/browser\/153\.0\.0-[0-9a-f]{16}$/);
  expect(existsSync(killed)).toBe(false);

  const chromium = await launchChromium({ dataDir, log });
  expect(chromium.name).toBe('chromium 153 bundled');
  expect(chromium.userAgent).not.toContain('Headless');
  expect(chromium.sandbox).toBe(true);
  await chromium.close();
  expect((await bundledChromium(dataDir))?.executable).toBe(first?.executable);
  expect(readdirSync(join(dataDir, 'browser'))).toHaveLength(1);
  expect(statSync(first?.executable ?? '').mtimeMs).toBeLessThanOrEqual(made);
});

const NAMESPACE = ['--user', '--map-root-user', '--mount'];
/** Not in all containers, and only on Linux. */
const mayMount = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;

test.runIf(mayMount)(
  'the bundled browser is not unpacked where it would fill the disk, and doctor says so',
  async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    // Without the browsers of the system.
    const mounted = `mount -t tmpfs -o size=8m tmpfs '${disk}' && PATH=/none exec "$0" "$1" doctor`;
    const { stdout } = spawnSync(
      'unshare',
      [...NAMESPACE, 'sh', '-c', mounted, process.execPath, MAIN],
      { env: { PATH: path, PAVIS_DATA_DIR: disk, PAVIS_DEMO: 'off' }, encoding: 'utf8' },
    );
    expect(stdout).toContain(
      `ok    browser: not found: the scanner reads HTML and does not run scripts. The bundled browser cannot be unpacked: ${disk}/browser needs 256 MB of free space for it and has 8 MB\n`,
    );
  },
);

test('a configured browser that does not start is logged, and the next one is tried', async () => {
  const chromium = await launchChromium({
    dataDir,
    log,
    chromium: script('broken', 'echo "cannot open display" >&2; exit 1'),
  });
  await chromium.close();
  expect(chromium.name).toBe('chromium 153 bundled');
  expect(lines.join('')).toContain('cannot open display');
});

test('a closed browser leaves no files or processes', async () => {
  const before = own();
  const chromium = await launchChromium({ dataDir, log });
  expect(own().length).toBeGreaterThan(before.length);
  await chromium.close();
  await chromium.close();
  expect(own().filter((name) => !before.includes(name))).toEqual([]);
  await expect(chromium.connection.browser.send('Browser.getVersion')).rejects.toThrow('gone');
});

test('starts without the sandbox only if no browser starts with it, and logs a warning', async () => {
  const { run } = await unpackForEveryone();
  const picky = script(
    'picky',
    `case " $* " in *" --no-sandbox "*) ${run};; esac
     echo "No usable sandbox!" >&2; exit 1`,
  );
  process.env.PATH = '';
  const chromium = await launchChromium({ dataDir: join(picky, 'none'), log, chromium: picky });
  await chromium.close();
  expect([chromium.name, chromium.sandbox]).toEqual(['chromium 153 configured', false]);
  expect(lines.join('')).toContain('started without its sandbox');
});

test('a browser that needs six seconds to start is used', async () => {
  const { run } = await unpackForEveryone();
  process.env.PATH = '';
  const slow = script('slow', `/bin/sleep 6; ${run}`);
  const chromium = await launchChromium({ dataDir, log, chromium: slow });
  await chromium.close();
  expect([chromium.name, chromium.sandbox]).toEqual(['chromium 153 configured', true]);
});

test('a browser that does not answer is not started without its sandbox', async () => {
  const { run } = await unpackForEveryone();
  process.env.PATH = '';
  const stuck = script(
    'stuck',
    `case " $* " in *" --no-sandbox "*) ${run};; esac; exec /bin/sleep 60`,
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const launched = launchChromium({ dataDir: join(stuck, 'none'), log, chromium: stuck });
  launched.catch(() => {});
  while (vi.getTimerCount() === 0) await setImmediate();
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  await expect(launched).rejects.toThrow('No browser could be started');
  expect(lines.join('')).toContain('It does not answer.');
});

test('pages are read as HTML if no browser starts', async () => {
  process.env.PATH = '';
  const blocked = script('file', 'exit 1');
  const engine = createEngine(join(blocked, 'none'));
  await engine.start?.();
  expect(engine.name).toBe('html');
  const seen = await engine.visit('http://site.test/', new AbortController().signal);
  await engine.close();
  expect(seen).toMatchObject({ partial: false });
  expect(engine.name).toBe('html');
});

test('an engine starts its browser before the first page, and once', async () => {
  const engine = createEngine(dataDir);
  for (const _ of ['first', 'second']) await engine.start?.();
  expect(engine.name).toMatch(/^chromium \d+ bundled$/);
  expect(lines.filter((line) => line.includes('browser started'))).toHaveLength(1);
  await engine.close();
});

test('the browser sends no WebRTC packets, also before scripts of the scanner have run', async () => {
  const received: string[] = [];
  const canary = createSocket('udp4', (packet) => received.push(packet.toString('hex', 0, 8)));
  await new Promise<void>((resolve) => canary.bind(0, '127.0.0.1', resolve));
  const chromium = await launchChromium({ dataDir, log });
  const { browser } = chromium.connection;
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const { result } = await chromium.connection.session(sessionId).send('Runtime.evaluate', {
    awaitPromise: true,
    // Packets are sent before gathering ends.
    expression: `(async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${canary.address().port}' }] });
      peer.createDataChannel('x');
      await peer.setLocalDescription(await peer.createOffer());
      while (peer.iceGatheringState !== 'complete') await new Promise((done) => setTimeout(done, 20));
      return peer.iceGatheringState;
    })()`,
  });
  await chromium.close();
  canary.close();
  expect([result.value, received]).toEqual(['complete', []]);
});
