import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFinds, DESK, isForEverybody } from '../support/accessible.ts';
import { launchBrowser } from '../support/browser.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { useTestApp } from '../support/test-app.ts';

describe('The search of the documentation', () => {
  const app = useTestApp('sqlite', { PAVIS_CHROMIUM: 'off' });
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage({ reducedMotion: 'reduce', viewport: DESK });
  });
  afterAll(() => browser?.close());

  const open = (path = '') => page.goto(`${app.url}/docs/${path}`);
  const search = async (text: string) => {
    await page.keyboard.press('/');
    await page.keyboard.type(text);
  };
  const results = () => page.locator('.found');

  it('finds a guide with the keyboard', async () => {
    const keys = atKeyboard(page);
    await open('guides/banner');
    await search('webhook');
    await results()
      .getByText(/^\d+ results$/)
      .waitFor();
    const groups = results().locator('section');
    expect(await groups.first().getByRole('heading').innerText()).toBe('Extend');
    await page.keyboard.press('ArrowDown');
    await keys.isAt(
      groups
        .first()
        .getByRole('link', { name: /^Webhooks/ })
        .first(),
    );
    await page.keyboard.press('ArrowUp');
    await keys.isAt(page.getByRole('searchbox'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  it('finds a section, and jumps to it', async () => {
    await open();
    await search('pause the deadline');
    await results()
      .getByRole('link', { name: /^Subject requests: Pause the deadline/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Subject requests' }).waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#pause-the-deadline/);
  });

  it('finds an operation by its path, and a setting by its name', async () => {
    await open('guides/banner');
    await search('consent/records/export');
    const operation = results().getByRole('link', { name: /Export consent records/ });
    await operation.waitFor();
    expect(await operation.getAttribute('href')).toBe(
      `${app.url}/docs/plugin/consent#getConsentRecordsExport`,
    );
    await page.getByRole('searchbox').fill('PAVIS_SMTP_URL');
    await results()
      .getByRole('link', { name: /^Settings/ })
      .first()
      .waitFor();
    // One word that is misspelt.
    await page.getByRole('searchbox').fill('retenton');
    await results()
      .getByRole('link', { name: /^Retention/ })
      .first()
      .waitFor();
  });

  it('says when there is nothing, and shows a query as it was typed', async () => {
    await open();
    await search('<img src=x> zzzzqqq');
    await results().getByText('No results for “<img src=x> zzzzqqq”.').waitFor();
    expect(await results().locator('section, img').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await results().isVisible()).toBe(false);
    expect(await page.locator('input:focus').count()).toBe(1);
  });

  it('is accessible, on a phone and in the dark too', async () => {
    await open('reference/settings');
    await search('consent');
    await results()
      .getByText(/results$/)
      .waitFor();
    await isForEverybody(page);
    await page.setViewportSize(DESK);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFinds(page)).toEqual([]);
  }, 120_000);

  it('says when it cannot be loaded, and works again later', async () => {
    await page.route('**/search.json', (route) => route.abort());
    await open();
    await search('banner');
    await results().getByText('The search could not be loaded.').waitFor();
    await page.unroute('**/search.json');
    await page.keyboard.type('s');
    await results()
      .getByText(/results?$/)
      .waitFor();
  });

  it('is not shown without scripts, and the pages are complete', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: DESK });
    const plain = await context.newPage();
    await plain.goto(`${app.url}/docs/guides/banner`);
    await plain.getByRole('heading', { level: 1, name: 'Banner' }).waitFor();
    expect(await plain.getByRole('searchbox').isVisible()).toBe(false);
    await plain.locator('.menu summary').filter({ hasText: 'Operate' }).click();
    await plain.locator('.menu').getByRole('link', { name: 'Commands' }).click();
    await plain.getByRole('heading', { level: 1, name: 'Commands' }).waitFor();
    await context.close();
  });
});
