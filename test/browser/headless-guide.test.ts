import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/headless.md'), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(GUIDE)?.[1] ?? '';

describe('The page of docs/guides/headless.md', () => {
  const env: Record<string, string> = {};
  /** Serves the code of the guide and the client package. */
  const shop = createServer((request, response) => {
    const path = request.url ?? '/';
    const isPage = path === '/';
    response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
    if (isPage) {
      const imports = { imports: { 'pavis/client': '/client/index.ts' } };
      const page = block('html').replace('https://example.com/wp-json', `${app.url}/wp-json`);
      response.end(
        `<!doctype html><script type="importmap">${JSON.stringify(imports)}</script>${page}`,
      );
    } else if (path === '/consent.js') response.end(block('js'));
    else if (/^\/client\/[\w-]+\.ts$/.test(path)) {
      response.end(stripTypeScriptTypes(readFileSync(join(ROOT, 'packages', path), 'utf8')));
    } else response.writeHead(404).end();
  });
  let origin: string;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    env.PAVIS_ALLOWED_ORIGINS = origin;
    browser = await openBrowser();
  });
  const app = useTestApp('sqlite', env);
  afterAll(async () => {
    await browser?.close();
    shop.closeAllConnections();
    await new Promise((resolve) => shop.close(resolve));
  });

  it('asks, records the choice and does not ask again', async () => {
    const page = await browser.context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(origin);
    await page.getByRole('dialog').waitFor();
    await page.getByLabel('Analytics').check();
    await page.getByRole('button', { name: 'Save my choice' }).click();
    const { db } = app.platform.datastore;
    const records = () => db.selectFrom('consent_records').selectAll().execute();
    await expect.poll(async () => (await records()).length).toBe(1);
    expect((await records())[0]).toMatchObject({ consent_action: 'manage' });
    expect(JSON.stringify(await records())).toContain('analytics');

    const asked = page.waitForResponse((response) => response.url().endsWith('/consent/status'));
    await page.reload();
    await (await asked).finished();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
