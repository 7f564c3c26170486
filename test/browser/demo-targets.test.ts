import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { useTestApp } from '../support/test-app.ts';

const PAGES = 'home rooms story journal film booking thanks winter privacy nowhere'.split(' ');

const app = useTestApp('sqlite', { PAVIS_DEMO: 'on', PAVIS_CHROMIUM: 'off' });
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** What is pressed, but for links within a sentence, which are as high as its lines. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.skip'))
    .filter((each) => !(each.matches('p > a') && each.parentElement.textContent.trim() !== each.textContent.trim()))
    .map((each) => [each.getBoundingClientRect(), each.outerHTML.slice(0, 90)])
    .filter(([{ width, height }]) => width < 43.5 || height < 43.5)
    .map(([{ width, height }, html]) => Math.round(width) + ' x ' + Math.round(height) + ' ' + html)`);

it.each(PAGES)('What can be pressed on a phone is large enough for a finger: %s', async (name) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 780 } });
  await page.goto(`${app.url}/demo/${name === 'home' ? '' : `${name}/`}`);
  await page.waitForLoadState('networkidle');
  expect(await tooSmall(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.close();
});
