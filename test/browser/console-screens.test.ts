import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { dsarDesk } from '../support/dsar.ts';
import { makeLicence } from '../support/makers.ts';

/** Where every screen is; the things that they show are made before. */
const SCREENS = [
  '/',
  '/scanner',
  '/scanner/1',
  '/scanner/1?view=findings',
  '/scanner/1?view=unknown',
  '/scanner/1?view=pages',
  '/scanner/1?view=changes',
  '/consent',
  '/consent/figures',
  '/banner',
  '/banner?language=de',
  '/banner/versions',
  '/vendors',
  '/vendors?search=nobody-at-all',
  '/vendors/new',
  '/vendors/1',
  '/data-map',
  '/data-map?view=picture',
  '/data-map/new',
  '/data-map/1',
  '/scripts',
  '/scripts/new',
  '/scripts/1',
  '/requests',
  '/requests/1',
  '/retention',
  '/retention?view=holds',
  '/retention?view=run',
  '/retention?view=history',
  '/retention/new',
  '/retention/1',
  '/licences',
  '/licences?search=nobody-at-all',
  '/licences/new',
  '/licences/LICENCE',
  '/users',
  '/users?view=log',
  '/users/new',
  '/users/1',
  '/profile',
  '/developer',
  '/system',
  '/nowhere',
];
/** What is two-dimensional by its nature, and the knobs of switches, which are drawn beyond them. */
const PICTURES = '.scroll, .preview-place, .mantine-Switch-track';
const TARGET_PX = 44;
/** Its border counts for the finger. */
const WITHIN_A_FIELD = '.mantine-PasswordInput-innerInput';

describe('Every screen of the console', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_DEMO: 'on', PAVIS_CHROMIUM: 'off' });
  let licence: string;
  let page: Page;
  beforeAll(async () => {
    const { key, id: its } = await makeLicence(app.platform);
    licence = its;
    await app.http.site('activate', key, 'https://one.example.com');
    const desk = dsarDesk(app);
    const { id } = await desk.request({ first_name: 'Ada', additional_info: 'What do you have?' });
    await desk.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    const { json: scan } = await desk.admin('POST', '/scanner/start', { scan_depth: 1 });
    for (const url of scan.urls) {
      await desk.admin('POST', '/scanner/scan-page', { scan_id: scan.scan_id, url });
    }
    await desk.admin('POST', '/scanner/complete', { scan_id: scan.scan_id });
    await desk.admin('POST', '/scripts', {
      handle: 'lumen',
      label: 'Lumen',
      category: 'analytics',
      script_url: 'https://lumen.example/lumen.js',
    });
    await desk.admin('POST', '/retention/holds', {
      data_category: 'consent_records',
      reason: 'An audit',
    });
    await desk.admin('POST', '/retention/run', { dry_run: false });
    await desk.admin('POST', '/consent', { visitor_id: 'somebody', consent_action: 'accept_all' });
    await desk.admin('PUT', '/settings', {
      consent: { languages: ['en', 'de'], translations: [{ language: 'de', title: 'Wahl' }] },
    });
    page = await openSignedIn('/');
  }, 60_000);

  const axeFinds = async () =>
    (await new AxeBuilder({ page }).analyze()).violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html}`,
    );
  const tooSmallForAFinger = () =>
    page.evaluate(`[...document.querySelectorAll(
        'button, select, textarea, input:not([type=checkbox], ${WITHIN_A_FIELD}), nav a, .way a, label:has(+ input), .mantine-Button-root')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.unseen'))
      .filter((each) => each.getBoundingClientRect().height < ${TARGET_PX} - 0.5)
      .map((each) => each.getBoundingClientRect().height + ' ' + each.outerHTML.slice(0, 140))`);
  const scrollsSideways = () =>
    page.evaluate(`[...document.querySelectorAll('html, html *:not(.unseen)')]
      .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
      .filter((each) => getComputedStyle(each).overflowX !== 'visible' || each.tagName === 'HTML')
      .filter((each) => !each.closest('${PICTURES}') && !/^(INPUT|SELECT)$/.test(each.tagName))
      .filter((each) => each.clientWidth > 2)
      .map((each) => each.outerHTML.slice(0, 120))`);

  it.each(SCREENS)(
    '%s is for everybody, on a desk, on a phone, and at four times the size',
    async (screen) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${app.url}/admin${screen.replace('LICENCE', licence)}`);
      await page.waitForLoadState('networkidle');
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      expect(await axeFinds(), '1440 px, light').toEqual([]);
      await page.setViewportSize({ width: 360, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFinds(), '360 px, dark').toEqual([]);
      expect(await tooSmallForAFinger(), '360 px').toEqual([]);
      await page.setViewportSize({ width: 320, height: 256 });
      expect(await scrollsSideways(), '320 px').toEqual([]);
    },
  );
});
