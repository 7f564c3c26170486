import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite } from '../support/banner.ts';
import { hasWebKit, startWebKit, type WebKit } from '../support/webkit.ts';

/** Room around the banner and its content, in pixels. */
const ROOM = 80;
const BANNER = `const root = document.querySelector('pavis-banner').shadowRoot;
  const dialog = root.querySelector('dialog');
  const press = (name) => [...root.querySelectorAll('button')].find((each) => each.textContent === name).click();`;

// Not part of a new machine, and no package of npm has it.
describe.skipIf(!hasWebKit)('In WebKit, the engine of Safari, the banner', () => {
  const site = useBannerSite();
  let webkit: WebKit;
  beforeAll(async () => {
    webkit = await startWebKit();
  });
  afterAll(() => webkit?.[Symbol.asyncDispose]());

  const ask = <T>(expression: string) => webkit.run<T>(`${BANNER} return ${expression}`);
  const until = (expression: string) =>
    expect.poll(() => ask<boolean>(expression).catch(() => false)).toBe(true);

  async function open(page: Parameters<typeof site.visit>[0] = {}): Promise<void> {
    const made = await site.visit(page);
    const url = made.page.url();
    await made.page.context().close();
    await webkit.open(url);
    await until('dialog.open');
  }

  it.each(['bottom', 'top', 'center', 'bottom-left', 'top-right'])(
    'is as high as its content at the position %s',
    async (position) => {
      await site.save({ position });
      await open();
      const { height, content } = await ask<{ height: number; content: number }>(`{
        height: dialog.offsetHeight,
        content: [...dialog.children].reduce((sum, each) => sum + each.offsetHeight, 0)
      }`);
      expect(height).toBeGreaterThan(100);
      expect(height).toBeLessThan(content + ROOM);
    },
  );

  it('loads blocked content after consent only, and saves the choice', async () => {
    await site.save({ position: 'bottom' });
    await open({
      body: '<script type="text/plain" data-category="analytics" src="/one.js"></script>',
    });
    expect(await ask('window.ran ?? []')).toEqual([]);
    await webkit.run(`${BANNER} press('Accept all')`);
    await until('window.ran?.includes("one")');
    expect(await ask('document.cookie')).toContain('pavis_consent=');
    await expect
      .poll(async () => (await site.records())[0])
      .toMatchObject({ consent_action: 'accept_all' });
  });

  it('shows the preferences on a narrow screen without a way to scroll sideways', async () => {
    await webkit.run('document.cookie = "pavis_consent=; Path=/; Max-Age=0"');
    await webkit.resize(420, 900);
    await open();
    await webkit.run(`${BANNER} press('Manage preferences')`);
    await until('root.querySelectorAll("[role=switch]").length === 4');
    await webkit.run(`${BANNER} dialog.scrollLeft = 50`);
    expect(
      await ask('[getComputedStyle(dialog).overflowX, innerWidth >= dialog.offsetWidth]'),
    ).toEqual(['hidden', true]);
    await webkit.run(`${BANNER} press('Save preferences')`);
    await until('!dialog.open');
  });
});
