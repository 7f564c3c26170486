import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';
import { inject } from 'vitest';
import { bundledChromium } from '../../src/privacy/scanner/browser/bundled.ts';

/** Where the browser that came with npm is unpacked, once for all test files and runs. */
const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/pavis');

/** The Chromium that tests look at pages with: `PAVIS_CHROMIUM`, the one that npm brought, or the system's. */
async function launchOptions(): Promise<LaunchOptions> {
  const args = ['--no-sandbox', '--disable-gpu'];
  if (process.env.PAVIS_CHROMIUM) return { executablePath: process.env.PAVIS_CHROMIUM, args };
  mkdirSync(UNPACKED, { recursive: true });
  const bundled = await bundledChromium(UNPACKED);
  if (bundled) {
    const env = { ...process.env, LD_LIBRARY_PATH: bundled.libraries };
    return { executablePath: bundled.executable, args, env };
  }
  const system = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find((file) => existsSync(file));
  if (!system)
    throw new Error('no browser to test with: set PAVIS_CHROMIUM to the path of a Chromium');
  return { executablePath: system, args };
}

/**
 * Unpacks the browser that came with npm, once for all runs, and copies it to where data folders can link to it.
 * @returns where it is; undefined where there is none for this machine
 */
export async function provideBrowser(folder: string): Promise<string | undefined> {
  mkdirSync(UNPACKED, { recursive: true });
  const bundled = await bundledChromium(UNPACKED);
  if (!bundled) return undefined;
  const copy = join(folder, 'browser', basename(bundled.folder));
  cpSync(bundled.folder, copy, { recursive: true });
  return copy;
}

/** Puts the browser into a data folder, where the scanner looks before it spends seconds on unpacking it. */
export function linkBrowser(dataDir: string): void {
  const from = inject('browser');
  if (!from) return;
  for (const file of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const place = join(dataDir, 'browser', path.slice(dirname(from).length));
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    try {
      linkSync(path, place);
    } catch {
      // On another disk.
      copyFileSync(path, place);
    }
  }
}

/** The browser of this process, for all its test files: it ends with the process. */
let shared: Promise<Browser> | undefined;

/** A browser for contexts that know nothing of each other; closing it closes the contexts that it made. */
export async function launchBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launchOptions().then((at) => chromium.launch(at));
  const browser = await (shared as Promise<Browser>);
  const contexts: BrowserContext[] = [];
  const own: Pick<Browser, 'newContext' | 'newPage' | 'close'> = {
    async newContext(options) {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context;
    },
    newPage: async (options) => (await own.newContext(options)).newPage(),
    async close() {
      await Promise.all(contexts.map((each) => each.close()));
    },
  };
  return Object.assign(Object.create(browser) as Browser, own);
}

/** A browser with a profile of its own that keeps third parties' cookies, as many visitors' do. */
export async function openBrowser(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'pavis-browser-'));
  mkdirSync(join(profile, 'Default'));
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(profile, await launchOptions());
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
