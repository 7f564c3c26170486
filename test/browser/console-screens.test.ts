import { beforeAll, describe, expect, it } from 'vitest';
import { DESK, isForEverybody } from '../support/accessible.ts';
import { fill } from '../support/filled.ts';
import { useStates } from '../support/states.ts';

/** The address of every page; the records that they show are created before the tests. */
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
  '/consent/log',
  '/banner',
  '/banner?language=de',
  '/banner/versions',
  '/banner/origins',
  '/banner/import',
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
  '/requests/new',
  '/requests/1',
  '/retention',
  '/retention?view=holds',
  '/retention?view=run',
  '/retention?view=history',
  '/retention?view=changes',
  '/requests/deleted',
  '/retention/new',
  '/retention/1',
  '/licences',
  '/licences?search=nobody-at-all',
  '/licences/new',
  '/licences/statistics',
  '/licences/api-tokens',
  '/licences/LICENCE',
  '/products',
  '/branding',
  '/products/new',
  '/products/pavis',
  '/products/pavis/plans/new',
  '/products/pavis/plans/2',
  '/products/pavis/releases',
  '/products/pavis/releases/new',
  '/users',
  '/users?view=log',
  '/users/new',
  '/users/1',
  '/webhooks',
  '/webhooks/new',
  '/profile',
  '/developer',
  '/settings',
  '/security-log',
  '/system',
];

describe('Every page of the console', () => {
  const on = useStates();
  const { app, at } = on;
  let licence: string;
  beforeAll(async () => {
    ({ licence } = await fill(app));
  });
  const load = async (screen: string) => {
    // As a browser does: other clients reach the Administration API at /admin/licences.
    const headers = { accept: 'text/html' };
    const { status, text } = await app.http.get(`/admin${screen}`, { headers });
    return { status, text: text.replace(/nonce="[^"]+"/, '') };
  };

  it.each(SCREENS)(
    '%s is accessible on a desktop, on a phone and at 400 % zoom',
    async (screen) => {
      const { page } = on;
      await page.setViewportSize(DESK);
      const address = screen.replace('LICENCE', licence);
      // The same document for every address, so each can be opened from the page before, without another load.
      expect(await load(address)).toEqual(await load('/'));
      await at(address);
      await isForEverybody(page);
      // Firefox says "invalid entry" of these, before the user has entered anything.
      expect(await page.locator('form :invalid').count()).toBe(0);
      // Orca names these by the last part of the address of their link.
      const icons = page.locator('svg.tabler-icon:not([aria-hidden=true], [aria-label])');
      expect(await icons.count()).toBe(0);
    },
  );

  it('an unknown address is accessible on a desktop, on a phone and at 400 % zoom', async () => {
    await on.waitingAt('/nowhere');
    await on.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await isForEverybody(on.page);
  });

  it('prints whole URLs of findings, and no navigation', async () => {
    const { page } = on;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${app.url}/admin/scanner/1?view=findings`);
    const url = page.getByText(/^http:\/\/\S+$/).first();
    await url.waitFor();
    const countCut = ({
      scrollHeight,
      clientHeight,
    }: Record<'scrollHeight' | 'clientHeight', number>) => scrollHeight - clientHeight;
    for (const each of await page.getByText(/^http:\/\/\S+$/).all())
      await expect.poll(() => each.evaluate(countCut)).toBeLessThanOrEqual(1);
    for (const viewport of [DESK, { width: 360, height: 740 }]) {
      await page.setViewportSize(viewport);
      const rail = page.locator('.rail').filter({ visible: true });
      await rail.waitFor();
      await page.emulateMedia({ media: 'print' });
      await rail.waitFor({ state: 'detached' });
      expect((await page.locator('h1').boundingBox())?.x).toBeLessThan(1);
      await page.emulateMedia({ media: null });
    }
  });
});
