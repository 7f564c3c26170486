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

/** Folder of the unpacked npm browser, shared by all test files and runs. */
const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/pavis');

/** Pages of tests live for seconds, in which optimised code costs more time than it saves. */
const NO_OPTIMISATION = '--js-flags=--no-opt --no-maglev';
/** Pages of a context share a process with what it has compiled. */
const SHARED_PROCESS = '--process-per-site';

/** Options for the Chromium of the tests: `PAVIS_CHROMIUM`, the one installed by npm, or the system's. */
async function launchOptions(isOptimised = false): Promise<LaunchOptions> {
  const args = ['--no-sandbox', '--disable-gpu', SHARED_PROCESS];
  if (!isOptimised) args.push(NO_OPTIMISATION);
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
 * Unpacks the npm browser once for all runs, and copies it to a folder that data folders can link to.
 * @returns the path of the copy; undefined if npm has no browser for this platform
 */
export async function provideBrowser(folder: string): Promise<string | undefined> {
  mkdirSync(UNPACKED, { recursive: true });
  const bundled = await bundledChromium(UNPACKED);
  if (!bundled) return undefined;
  const copy = join(folder, 'browser', basename(bundled.folder));
  cpSync(bundled.folder, copy, { recursive: true });
  return copy;
}

/** Links the browser into a data folder, so that the scanner does not unpack it, which takes seconds. */
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
      // Hard links do not work across file systems.
      copyFileSync(path, place);
    }
  }
}

/** One browser for all test files of this process; it ends with the process. */
let shared: Promise<Browser> | undefined;

/** A browser for isolated contexts; closing it closes the contexts it created. */
export async function launchBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launchOptions().then((at) => chromium.launch(at));
  return withOwnContexts(await (shared as Promise<Browser>));
}

/** A browser that optimises scripts, for checks that compute for seconds per page. Closing it ends it. */
export const launchOptimisedBrowser = async (): Promise<Browser> =>
  chromium.launch(await launchOptions(true));

function withOwnContexts(browser: Browser): Browser {
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

/** A browser with its own profile that accepts third-party cookies. */
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
