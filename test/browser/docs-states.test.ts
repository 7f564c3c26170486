import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TAGS } from '../../src/apis/plugin-tags.ts';
import { axeFinds, DESK, isForEverybody, isForPhones } from '../support/accessible.ts';
import { launchOptimisedBrowser } from '../support/browser.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { useTestApp } from '../support/test-app.ts';

const CHAPTERS = [
  ...[
    'licence',
    'releases',
    'sign-in',
    'customer',
    'trials',
    'checkout',
    'administration',
    'service',
  ].map((name) => `licence/${name}`),
  ...TAGS.map(({ name }) => `plugin/${name}`),
];
const GUIDES = ['guides/banner', 'guides/consent-log', 'reference/settings', 'subject-requests'];
const PHONE = { width: 360, height: 800 };
const OPEN_ALL = `document.querySelectorAll('details').forEach((each) => { each.open = true })`;

describe('The documentation, in every state', () => {
  const app = useTestApp('sqlite', { PAVIS_CHROMIUM: 'off' });
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchOptimisedBrowser();
    page = await browser.newPage({ reducedMotion: 'reduce' });
  });
  afterAll(() => browser?.close());

  const open = (path = '') => page.goto(`${app.url}/docs/${path}`);

  it.each(['', 'api', ...GUIDES, ...CHAPTERS])(
    '/docs/%s, with everything expanded',
    async (at) => {
      await open(at);
      await page.evaluate(OPEN_ALL);
      await isForEverybody(page);
    },
    120_000,
  );

  it.each(['', 'guides/banner', 'licence/licence'])(
    '/docs/%s, with everything collapsed',
    async (at) => {
      await open(at);
      await isForEverybody(page);
    },
    120_000,
  );

  it('fits tables with many columns in narrow windows', async () => {
    for (const at of ['guides/banner', 'guides/scanner', 'scale', 'extensions', 'retention']) {
      await open(at);
      for (const width of [481, 560, 640, 720, 800]) {
        await page.setViewportSize({ width, height: 800 });
        const beside = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(beside, `${at} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
    await page.setViewportSize(DESK);
  });

  it('links to exactly these chapters', async () => {
    await open();
    const links = await page.locator('.menu a').all();
    const addresses = await Promise.all(links.map((each) => each.getAttribute('href')));
    const chapters = addresses.filter((address) => /^\.\/(?:licence|plugin)\//.test(address ?? ''));
    expect(chapters).toEqual(CHAPTERS.map((at) => `./${at}`));
  });

  it('is accessible in dark mode on a desktop and in light mode on a phone', async () => {
    for (const at of ['plugin/consent', 'guides/sell-your-plugin']) {
      await open(at);
      await page.evaluate(OPEN_ALL);
      await page.setViewportSize(DESK);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFinds(page)).toEqual([]);
      await page.setViewportSize(PHONE);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await axeFinds(page)).toEqual([]);
    }
  }, 120_000);

  it('shows the menu beside the text on wide screens and collapses it on phones', async () => {
    const link = page.locator('.menu').getByRole('link', { name: 'Vendors' });
    const fold = page.locator('.menu > details > summary');
    await page.setViewportSize(DESK);
    await open('plugin/consent');
    expect([await link.isVisible(), await fold.isVisible()]).toEqual([true, false]);
    await page.setViewportSize(PHONE);
    expect([await link.isVisible(), await fold.isVisible()]).toEqual([false, true]);
    await fold.click();
    await link.waitFor();
    await isForPhones(page);
  }, 120_000);

  it('is navigated by keyboard from the menu to the deepest field of a response', async () => {
    const keys = atKeyboard(page);
    await page.setViewportSize(DESK);
    await open();
    await page.keyboard.press('Tab');
    await keys.isAt(keys.link('Skip to the content'));
    await keys.press(page.locator('.menu summary').filter({ hasText: 'Pavis plugin REST API' }));
    const api = page.locator('.menu details details').filter({ hasText: 'Pavis plugin REST API' });
    await keys.press(api.getByRole('link', { name: 'Settings' }));
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await page.locator('.menu [aria-current=page]').innerText()).toBe('Settings');
    await keys.press(page.getByRole('link', { name: /^Get the settings/ }));
    await page.waitForURL((url) => url.hash === '#getSettings');
    // After a jump to a fragment, Tab continues from its target.
    await page.keyboard.press('Tab');
    const operation = page.getByRole('article', { name: 'Get the settings' });
    const part = (name: string) => operation.locator('summary').filter({ hasText: name }).first();
    await keys.isAt(part('Content, as application/json'));
    await page.keyboard.press('Enter');
    await keys.press(part('Fields of consent'), 'Space');
    await keys.press(part('Fields of translations'));
    await keys.sees(operation.getByText('placeholder_text').nth(1));
    await keys.press(part('Content, as application/json'));
    await part('Fields of consent').waitFor({ state: 'hidden' });
    await keys.press(part('Errors: 400'));
    await keys.sees(operation.getByText('rest_invalid_param'));
    await keys.press(part('Example with curl'));
    await keys.sees(operation.getByText(/^curl '/));
  }, 120_000);

  it('skips the menu by keyboard, and opens it on a phone to navigate', async () => {
    const keys = atKeyboard(page);
    await page.setViewportSize(PHONE);
    await open('licence/licence');
    await keys.press(keys.link('Skip to the content'));
    await keys.isAt(page.locator('main'));
    await page.keyboard.press('Tab');
    await keys.isAt(page.getByRole('link', { name: /^Validate a licence for a site/ }));
    await open('licence/licence');
    await keys.press(page.locator('.menu > details > summary'));
    await keys.press(page.locator('.menu').getByRole('link', { name: 'Checkout' }));
    await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
  }, 120_000);

  it('lists the headings of a guide beside it on wide screens, and above it on others', async () => {
    const link = page.locator('.toc').getByRole('link', { name: 'JavaScript API' });
    await page.setViewportSize({ width: 1600, height: 900 });
    await open('guides/banner');
    await link.click();
    await page.waitForURL((url) => url.hash === '#javascript-api');
    await page.setViewportSize(DESK);
    await page.setViewportSize(PHONE);
    expect(await link.isVisible()).toBe(false);
    await page.locator('.toc summary').click();
    await link.waitFor();
  }, 120_000);
});
