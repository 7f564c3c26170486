import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';
import { DESK, isForEverybody } from '../support/accessible.ts';
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

  it.each(SCREENS)(
    '%s is for everybody, on a desk, on a phone, and at four times the size',
    async (screen) => {
      await page.setViewportSize(DESK);
      await page.goto(`${app.url}/admin${screen.replace('LICENCE', licence)}`);
      await page.waitForLoadState('networkidle');
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await isForEverybody(page);
    },
  );
});
