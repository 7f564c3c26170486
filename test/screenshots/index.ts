import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { dataFolder } from '../support/process.ts';
import { startInstallation } from './installation.ts';

/*
 * Makes the screenshots of the guides from the real console: `npm run screenshots`. Look at them before you commit.
 */

const IMAGES = join(import.meta.dirname, '../../docs/images');
const SIZE = { width: 1440, height: 900 };
const QUALITY = 82;
/** Some pages ask again and again, so there is no last request to wait for. */
const DRAWN_MS = 3_000;

async function save(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(DRAWN_MS);
  // Playwright itself writes PNG and JPEG only.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  });
  writeFileSync(join(IMAGES, `${name}.webp`), Buffer.from(data, 'base64'));
  process.stderr.write(`${name}.webp\n`);
}

const data = dataFolder();
const installation = await startInstallation(data.path);
const { server, login, password, scan, request } = installation;
const browser = await launchBrowser();
try {
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  const status = await server.http.get('/health');
  await page.clock.setFixedTime(new Date(status.headers.get('date') ?? Date.now()));
  await page.goto(`${server.url}/demo/`);
  await save(page, 'banner');
  await context.request.post(`${server.url}/console/session`, { data: { login, password } });
  const shots: [name: string, path: string][] = [
    ['overview', '/'],
    ['scan', `/scanner/${scan}`],
    ['consent-records', '/consent'],
    ['banner-settings', '/banner'],
    ['requests', '/requests'],
    ['request', `/requests/${request}`],
    ['retention', '/retention'],
    ['data-map', '/data-map'],
    ['licences', '/licences'],
  ];
  for (const [name, path] of shots) {
    await page.goto(`${server.url}/admin${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await save(page, name);
  }
} finally {
  await browser.close();
  await server.stop();
  data.remove();
}
process.exit();
