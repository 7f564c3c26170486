import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { dsarDesk } from '../support/dsar.ts';
import { atKeyboard, type Keyboard } from '../support/keyboard.ts';

const ALL = 'Let all wait that came before consent';

describe('All that came before consent', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_DEMO: 'on' });
  const desk = dsarDesk(app);
  let page: Page;
  let keys: Keyboard;
  beforeAll(async () => {
    const { json: scan } = await desk.admin('POST', '/scanner/start', { scan_depth: 0 });
    for (const path of ['/demo/', '/demo/film/', '/demo/rooms/']) {
      const url = app.url + path;
      await desk.admin('POST', '/scanner/scan-page', { scan_id: scan.scan_id, url });
    }
    page = await openSignedIn('/scanner/1?view=findings');
    keys = atKeyboard(page);
  }, 90_000);

  const scripts = async (): Promise<Record<string, string>[]> =>
    (await desk.admin('GET', '/scripts?per_page=100')).json;
  const panel = () => page.getByRole('region', { name: 'What does not wait yet' });

  it('is listed, and asked about once, before anything is done', async () => {
    await keys.press(keys.button(ALL));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('listitem').first().waitFor();
    const listed = (await dialog.getByRole('listitem').allInnerTexts()).join('\n');
    // What another brought goes with it, and what waits anyway is not named.
    for (const path of ['/vendor/matomo.js', '/gtm.js', '/embed/marsh-at-dawn', '/replay.js']) {
      expect(listed.split(path), path).toHaveLength(2);
    }
    expect(listed).not.toContain('lumen.js');
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await keys.press(keys.button('Cancel'));
    await keys.isAt(keys.button(ALL));
    expect(await scripts()).toEqual([]);
  });

  it('waits one after the other, but for what is registered already and what is refused', async () => {
    await desk.admin('POST', '/scripts', {
      handle: 'matomo',
      label: 'Ours',
      category: 'analytics',
      script_url: `${app.url}/demo/vendor/matomo.js`,
    });
    const { json: settings } = await desk.admin('GET', '/settings');
    const { categories } = settings.consent;
    const kept = categories.filter(({ id }: { id: string }) => id !== 'analytics');
    await desk.admin('PUT', '/settings', { consent: { categories: kept } });
    const flow: string[] = [];
    const isAdding = (url: string, method: string) => method === 'POST' && url.endsWith('/scripts');
    page.on('request', (request) => {
      if (isAdding(request.url(), request.method())) flow.push(request.postDataJSON().script_url);
    });
    page.on('response', (answer) => {
      if (isAdding(answer.url(), answer.request().method())) flow.push('answered');
    });
    await page.evaluate(`(() => {
      const status = document.querySelector('main section [role=status]');
      window.said = [];
      new MutationObserver(() => window.said.push(status.textContent))
        .observe(status, { subtree: true, childList: true, characterData: true });
    })()`);

    await keys.press(keys.button(ALL));
    await keys.sure('Let all wait');
    await keys.sees(/could not be added/);
    const status = await panel().getByRole('status').innerText();
    expect(status).toMatch(/^\d scripts added to the registry\. 2 scripts could not be added:/);
    expect(status).toMatch(/Google Analytics: .*category/);
    const asked = flow.filter((_, at) => at % 2 === 0);
    expect(flow.filter((_, at) => at % 2 === 1)).toEqual(asked.map(() => 'answered'));
    expect(asked).not.toContain('answered');
    expect(asked).not.toContain(`${app.url}/demo/vendor/matomo.js`);
    const said = await page.evaluate<string[]>('window.said');
    expect(said).toContainEqual(expect.stringMatching(new RegExp(`^1 of ${asked.length}: `)));
    const registered = (await scripts()).map(({ script_url }) => script_url);
    expect(registered).toHaveLength(asked.length - 2 + 1);
    expect(registered).toContainEqual(expect.stringMatching(/\/gtm\.js$/));
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await desk.admin('PUT', '/settings', { consent: { categories } });
  });

  it('is told where the registry was filled meanwhile, and leaves the focus somewhere', async () => {
    await keys.press(keys.button(ALL));
    const dialog = page.getByRole('dialog', { name: 'Let 2 things wait?' });
    await dialog.waitFor();
    const path = '/gtag/js';
    const [url = ''] = (await dialog.getByRole('listitem').allInnerTexts())
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.endsWith(path));
    await desk.admin('POST', '/scripts', {
      handle: 'meanwhile',
      label: 'Meanwhile',
      category: 'analytics',
      script_url: url,
    });
    await keys.sure('Let all wait');
    await keys.sees('1 script added to the registry.');
    await keys.button(ALL).waitFor({ state: 'detached' });
    await keys.sees('1 script added to the registry.');
    expect((await scripts()).filter(({ script_url }) => script_url === url)).toHaveLength(1);
    await isForEverybody(page);
    await page.reload();
    await page.getByRole('table', { name: 'Findings' }).waitFor();
    expect(await panel().count()).toBe(0);
  });
});
