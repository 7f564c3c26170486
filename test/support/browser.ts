import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** The Chromium that tests look at pages with: `PAVIS_CHROMIUM`, else `chromium` on the PATH. */
function browserPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found =
    process.env.PAVIS_CHROMIUM ??
    folders.map((folder) => join(folder, 'chromium')).find((file) => existsSync(file));
  if (!found)
    throw new Error('no browser to test with: set PAVIS_CHROMIUM to the path of a Chromium');
  return found;
}

/** A browser with a profile of its own that keeps third parties' cookies, as many visitors' do. */
export async function openBrowser(): Promise<{ context: BrowserContext; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'pavis-browser-'));
  mkdirSync(join(profile, 'Default'));
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** A browser that makes contexts, each a visitor of their own. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
}
