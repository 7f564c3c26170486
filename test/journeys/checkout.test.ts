import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFinds } from '../support/accessible.ts';
import { openBrowser } from '../support/browser.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const SITE = 'https://shop.example.org';

describe('the test checkout', () => {
  const folder = dataFolder();
  const env = { PAVIS_DATA_DIR: folder.path };
  let server: ServerProcess;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;

  beforeAll(async () => {
    server = await startServer(env);
    browser = await openBrowser();
    page = await browser.context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop('SIGKILL');
    folder.remove();
  });
  async function assertAccessible(): Promise<void> {
    expect(await axeFinds(page)).toEqual([]);
  }

  it('sells a licence with one click, whose key works and is sent by email', async () => {
    const { json } = await server.http.post('/checkout/session');
    await page.goto(json.url);
    await assertAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await assertAccessible();
    await page.getByLabel('Email address for the licence key').fill('buyer@example.org');
    await page.getByRole('button', { name: 'Pay with test money' }).click();
    await expect.poll(() => page.getByRole('heading').textContent()).toBe('Thank you');
    await assertAccessible();
    const key = (await page.locator('.copy').textContent()) ?? '';
    expect(key).toMatch(/^pv_test_[A-Za-z0-9]{32}$/);
    expect((await server.http.site('activate', key, SITE)).json.success).toBe(true);
    expect((await server.http.site('validate', key, SITE)).json.valid).toBe(true);

    const mailed = join(folder.path, 'mail');
    const files = () => readdirSync(mailed).filter((name) => name.endsWith('.eml'));
    await expect.poll(() => files().length).toBe(1);
    const mail = await PostalMime.parse(readFileSync(join(mailed, files()[0] ?? '')));
    expect(mail.to?.[0]?.address).toBe('buyer@example.org');
    expect(mail.text).toContain(key);

    await page.goto(json.url);
    await assertAccessible();
    expect(await page.getByRole('heading').textContent()).toBe('This checkout is already paid');
    expect(await page.content()).not.toContain(key);

    const { licences } = await pavisJson(['licence', 'list'], env);
    expect(licences).toMatchObject([{ email: 'buyer@example.org', tier: 'pro', sites_used: 1 }]);
    const body = key.slice('pv_test_'.length);
    for (const name of readdirSync(folder.path).filter((each) => each.startsWith('pavis.db'))) {
      expect(readFileSync(join(folder.path, name), 'latin1').includes(body)).toBe(false);
    }
    expect(server.log()).not.toContain(body);
    expect(server.log()).not.toContain('buyer@');
  });
});
