import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { dsarDesk } from '../support/dsar.ts';

describe('What a scan found before consent', () => {
  const { app, openSignedIn, heading } = useConsole({ PAVIS_DEMO: 'on' });
  const desk = dsarDesk(app);
  let page: Page;
  beforeAll(async () => {
    const { json: scan } = await desk.admin('POST', '/scanner/start', { scan_depth: 0 });
    for (const path of ['/demo/', '/demo/film/']) {
      const url = app.url + path;
      await desk.admin('POST', '/scanner/scan-page', { scan_id: scan.scan_id, url });
    }
    page = await openSignedIn('/scanner/1?view=findings&only=before');
  }, 60_000);

  /** The row of a thing, by what its own address ends in or its cookie's name. */
  const row = (what: string) => page.getByRole('row').filter({ hasText: what }).first();
  const gateOf = (what: string) => row(what).getByRole('link');

  it('is held back by what brought it', async () => {
    await gateOf('/vendor/matomo.js').waitFor();
    expect(await gateOf('/vendor/matomo.js').innerText()).toBe('Let it wait');
    expect(await row('/vendor/matomo.js').innerText()).not.toContain('Brought by');
    expect(await row('_pk_id').innerText()).toContain('Brought by Matomo');
    // By the container’s script, though another stood in between.
    expect(await row('_ga_HER0NDEM0').innerText()).toContain('Brought by tags.localhost');
    expect(await row('clip_volume').innerText()).toContain('Brought by clipframe.localhost');
    await gateOf('clip_volume').click();
    await heading(page, 'New script').waitFor();
    const address = await page.getByLabel('Address').inputValue();
    expect(new URL(address).pathname).toBe('/embed/marsh-at-dawn');
    expect(await page.getByLabel('Held back by').inputValue()).toBe('iframe_placeholder');
  });

  it('leads to the registry where that has it, on or off', async () => {
    await page.goto(`${app.url}/admin/scanner/1?view=findings&only=before`);
    await gateOf('/vendor/matomo.js').click();
    await page.getByRole('button', { name: 'Add script' }).click();
    await heading(page, 'Matomo').waitFor();
    await page.goBack();
    await page.goBack();
    await row('/vendor/matomo.js')
      .getByRole('link', { name: /^In the registry:/ })
      .waitFor();
    expect(await gateOf('_pk_id').innerText()).toBe('In the registry');
    expect(await gateOf('/gtm.js').innerText()).toBe('Let it wait');
    const [script] = (await desk.admin('GET', '/scripts')).json;
    await desk.admin('PUT', `/scripts/${script.id}`, { is_active: 0 });
    await page.reload();
    await gateOf('_pk_id').click();
    await heading(page, 'Matomo').waitFor();
    expect(await page.getByRole('switch', { name: 'On' }).isChecked()).toBe(false);
  });

  it('is another thing where the id in the address is another', async () => {
    const container = `${new URL(app.url).port}/gtm.js?id=GTM-`;
    const register = (handle: string, id: string) =>
      desk.admin('POST', '/scripts', {
        handle,
        label: handle,
        category: 'marketing',
        script_url: `http://tags.localhost:${container}${id}`,
      });
    await register('another', 'AN0THER');
    await page.goto(`${app.url}/admin/scanner/1?view=findings&only=before`);
    await gateOf('/gtm.js').waitFor();
    expect(await gateOf('/gtm.js').innerText()).toBe('Let it wait');
    await register('ours', 'PV1SDEM0');
    await page.reload();
    await gateOf('/gtm.js').click();
    await heading(page, 'ours').waitFor();
  });
});
