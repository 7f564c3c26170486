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

/** Targets below 44 pixels. Links within a sentence are as high as its lines and are excluded. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('.skip'))
    .filter((each) => !(each.matches('p > a') && each.parentElement.textContent.trim() !== each.textContent.trim()))
    .map((each) => [each.getBoundingClientRect(), each.outerHTML.slice(0, 90)])
    .filter(([{ width, height }]) => width < 43.5 || height < 43.5)
    .map(([{ width, height }, html]) => Math.round(width) + ' x ' + Math.round(height) + ' ' + html)`);

it.each(PAGES)('has touch targets of at least 44 pixels on a phone: %s', async (name) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 780 } });
  await page.goto(`${app.url}/demo/${name === 'home' ? '' : `${name}/`}`);
  await page.waitForLoadState('networkidle');
  expect(await tooSmall(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.close();
});
