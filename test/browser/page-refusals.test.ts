import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { launchBrowser } from '../support/browser.ts';
import { useTestApp } from '../support/test-app.ts';

describe('Error responses of public forms', () => {
  const app = useTestApp('sqlite', {
    PAVIS_DEMO: 'on',
    PAVIS_RATE_LIMIT_DSAR: '1',
    PAVIS_RATE_LIMIT_MAGIC_LINK: '1',
    PAVIS_RATE_LIMIT_CHECKOUT: '1',
  });
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ reducedMotion: 'reduce' });
  });
  afterAll(() => browser?.close());

  /** Fills in and submits a form. Returns the status of the response. */
  async function send(path: string, fields: Record<string, string> = {}): Promise<number> {
    await page.goto(app.url + path);
    for (const first of await page.locator('#type-access').all()) await first.check();
    for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value);
    const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await page.locator('main form button').first().click();
    return (await answered).status();
  }
  const ask = { email: 'ada@example.com' };
  const buy = () => app.http.post('/checkout/session', { body: {} });

  it.each([
    { what: 'a request', path: '/privacy/', fields: ask, first: () => send('/privacy/', ask) },
    { what: 'a link', path: '/account/', fields: ask, first: () => send('/account/', ask) },
    { what: 'a purchase', path: '/account/buy', fields: {}, first: buy },
  ])('returns 429 and keeps the form values: $what', async ({ path, fields, first }) => {
    await first();
    expect(await send(path, fields)).toBe(429);
    await page.getByRole('alert').waitFor();
    for (const [name, value] of Object.entries(fields)) {
      expect(await page.inputValue(`#${name}`)).toBe(value);
    }
    await isForEverybody(page);
  });

  it.each([
    { path: '/privacy/', table: 'dsar_cases' },
    { path: '/account/', table: 'magic_links' },
  ])('shows an accessible error page after a server error: $path', async ({ path, table }) => {
    app.clock.advance(3_600_000);
    await app.platform.datastore.db.schema.alterTable(table).renameTo(`${table}_gone`).execute();
    expect(await send(path, ask)).toBe(500);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await isForEverybody(page);
  });
});
