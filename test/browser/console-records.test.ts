import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { makeBannerPicture } from '../support/banner-pictures.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { atKeyboard, type Keyboard } from '../support/keyboard.ts';

const WHOLE = '7d3e2c1b-4f5a-4b6c-8d7e-9f0a1b2c3d4e';
const SHORT = '7d3e2c1b…3d4e';

describe('Visitor IDs in consent records', () => {
  const { app, openSignedIn } = useConsole();
  const dsarClient = createDsarClient(app);
  let page: Page;
  beforeAll(async () => {
    const visitors = [WHOLE, WHOLE, WHOLE.replace('7', '8'), 'somebody'];
    for (const visitor_id of visitors) {
      await dsarClient.admin('POST', '/consent', {
        visitor_id,
        consent_action: 'manage',
        categories_accepted: ['analytics'],
        categories_rejected: ['marketing', 'personalisation'],
        language: 'pt-BR',
      });
    }
    page = await openSignedIn('/consent');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  const row = (visitor: string) =>
    page.getByRole('row').filter({ has: page.getByText(visitor, { exact: true }) });

  async function copy(keys: Keyboard): Promise<void> {
    const record = row(WHOLE).first();
    const button = record.getByRole('button', { name: `Copy ${WHOLE}` });
    await keys.press(button);
    await page.getByRole('status').getByText(`Copied ${SHORT}`).waitFor();
    expect(await page.getByRole('status').count()).toBe(1);
    await keys.isAt(button);
  }

  it('shows a short ID on one line, with the full ID as tooltip and for screen readers', async () => {
    const cell = row(WHOLE).first().getByRole('cell').first();
    const seen = cell.getByTitle(WHOLE, { exact: true });
    await seen.getByText(SHORT).waitFor();
    expect(await cell.ariaSnapshot()).not.toContain('…');
    await row('somebody').getByTitle('somebody').waitFor();
    for (const width of [1440, 1024, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await cell.getByText(SHORT).boundingBox())?.height, `${width} px`).toBeLessThan(20);
      const cut = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table-card'))`;
      // The table becomes cards after the resize.
      await expect.poll(() => page.evaluate(cut), { message: `${width} px` }).toBe(0);
    }
    expect(await row('somebody').innerText()).toContain('Brazilian Portuguese');
    await row('somebody').getByRole('img', { name: 'Marketing: rejected' }).waitFor();
    await row('somebody').getByRole('img', { name: 'Strictly necessary: accepted' }).waitFor();
    await isForEverybody(page);
  });

  it('copies the ID by keyboard, confirms it, and finds records by the copied ID', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const keys = atKeyboard(page);
    await copy(keys);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(WHOLE);
    await keys.tabTo(page.getByLabel('Visitor ID (starts with)'));
    await page.keyboard.type(' ');
    await page.keyboard.press('ControlOrMeta+V');
    await keys.sees('2 records');
    expect(await row(WHOLE).count()).toBe(2);
    expect(await row('somebody').count()).toBe(0);
  });

  it('copies the ID where the browser has no clipboard, as on plain HTTP', async () => {
    await page.addInitScript('delete Navigator.prototype.clipboard');
    await page.goto(`${app.url}/admin/consent`);
    expect(await page.evaluate('navigator.clipboard?.readText')).toBeUndefined();
    const keys = atKeyboard(page);
    await copy(keys);
    const search = page.getByLabel('Visitor ID (starts with)');
    await keys.tabTo(search);
    await page.keyboard.press('ControlOrMeta+V');
    expect(await search.inputValue()).toBe(WHOLE);
  });
});

describe('Banner versions in consent records', () => {
  const { app, openSignedIn, heading } = useConsole();
  const dsarClient = createDsarClient(app);

  it('links to the version that was shown, or shows "Not stated"', async () => {
    const consent_action = 'reject_all';
    const { version } = (await app.http.get('/wp-json/svc/v1/consent/status')).json;
    const stated = { visitor_id: 'stated', consent_action, config_version: version };
    await dsarClient.admin('POST', '/consent', stated);
    await dsarClient.admin('POST', '/consent', { visitor_id: 'unstated', consent_action });
    const page = await openSignedIn('/consent');
    const row = (visitor: string) =>
      page.getByRole('row').filter({ has: page.getByText(visitor, { exact: true }) });
    await row('unstated').getByText('Not stated').waitFor();
    expect(
      await row('unstated')
        .getByRole('link', { name: /Version/ })
        .count(),
    ).toBe(0);
    // Without pictures nothing claims that there are some.
    expect(await page.getByRole('button', { name: 'Show banner' }).count()).toBe(0);
    await makeBannerPicture(app.platform, version);
    await page.reload();
    const show = row('stated').getByRole('button', { name: /^Show banner of record \d+$/ });
    await page.setViewportSize({ width: 768, height: 1024 });
    const shown = await row('stated')
      .getByRole('link', { name: /Version/ })
      .boundingBox();
    await expect.poll(async () => (await show.boundingBox())?.x).toBeCloseTo(shown?.x ?? 0, 0);
    await show.click();
    const dialog = page.getByRole('dialog', { name: `Banner version ${version}` });
    await dialog.getByRole('button', { name: 'Banner, phone, light' }).click();
    const picture = page.getByRole('img', {
      name: /^Banner, phone, light: version \d+ in English$/,
    });
    await expect
      .poll(() =>
        picture.evaluate(
          (image) =>
            'complete' in image && image.complete && 'naturalWidth' in image && image.naturalWidth,
        ),
      )
      .toBe(1);
    await isForEverybody(page);
    for (const _ of ['picture', 'pictures']) await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await row('stated')
      .getByRole('link', { name: `Version ${version}` })
      .click();
    await heading(page, 'Versions').waitFor();
  });
});
