import { afterEach, describe, expect, it } from 'vitest';
import { axeFinds } from '../support/accessible.ts';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { makeUser } from '../support/users.ts';

/** Layouts and positions that look different. */
const LAYOUTS = [
  ['card', 'bottom'],
  ['card', 'top'],
  ['bar', 'bottom'],
  ['bar', 'top'],
  ['box', 'bottom'],
  ['box', 'top'],
  ['card', 'bottom-right'],
  ['card', 'top-left'],
  ['card', 'center'],
] as const;
const LANGUAGES = ['en', 'ar'] as const;
const WIDE = { width: 1280, height: 800 };
/** 1280 × 1024 pixels at 400 % zoom. */
const ZOOMED = { width: 320, height: 256 };
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30"/></svg>';
const WATCH = `<script>
  window.shifts = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifts += value)))
    .observe({ type: 'layout-shift', buffered: true });
</script>`;

describe('The studio’s banner', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit?.page.context().close());

  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const dialog = () => visit.page.getByRole('dialog');
  const root = `document.querySelector('pavis-banner').shadowRoot`;
  /** Replaces the banner by one with the current settings, in the same page. */
  async function showAgain(language: string): Promise<void> {
    await ask(`(async () => {
      document.querySelector('pavis-banner')?.remove();
      window.pavis = undefined;
      document.documentElement.lang = ${JSON.stringify(language)};
      const script = document.createElement('script');
      script.src = ${JSON.stringify(`${site.app.url}/banner.js?language=${language}`)};
      document.head.append(script);
      await new Promise((done) => { script.onload = done; });
      await window.pavis.ready;
    })()`);
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    await visit.page.locator(`dialog[lang="${language}"][dir=${direction}]`).waitFor();
  }
  /** What is wider than the banner, or the banner than the page. */
  const overflow = () =>
    ask<string[]>(`(() => {
      const dialog = ${root}.querySelector('dialog');
      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      const isOutside = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
      return [...(isOutside ? ['outside'] : []), ...[document.documentElement, dialog, ...dialog.querySelectorAll('*')]
        .filter(({ scrollWidth, clientWidth, localName }) =>
          localName !== 'input' && clientWidth > 0 && scrollWidth > clientWidth)
        .map(({ localName, textContent }) => localName + ': ' + textContent.slice(0, 60))];
    })()`);
  /** Of the buttons of the first layer: size and style. */
  const looks = () =>
    ask<string[]>(`[...${root}.querySelectorAll('dialog button')].map((each) => {
      const { color, backgroundColor, borderColor, fontSize, fontWeight, width, height } = getComputedStyle(each);
      return [color, backgroundColor, borderColor, fontSize, fontWeight, width, height].join();
    })`);

  it('is published with colours and German in the console, and shown by its snippet', async () => {
    visit = await site.visit();
    const { page } = visit;
    const { login, password } = await makeUser(site.app.platform);
    const { request } = page.context();
    await request.post(`${site.app.url}/console/session`, { data: { login, password } });
    await page.goto(`${site.app.url}/admin/banner`);
    await page.getByText('Plum', { exact: true }).click();
    await page.getByText('Colours, font, buttons and logo').click();
    const accent = page.getByRole('textbox', { name: 'Buttons and links, light', exact: true });
    await accent.fill('#a0007a');
    await page.getByLabel('Language of the preview').selectOption('German');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
    const head = await page.getByLabel('Banner snippet', { exact: true }).inputValue();
    await page.context().close();
    visit = await site.visit({ withoutBanner: true, head, lang: 'de' });
    await visit.page.getByRole('button', { name: 'Alle ablehnen' }).waitFor();
    const all = await looks();
    expect(all.filter((look) => look.startsWith('rgb(160, 0, 122)'))).toHaveLength(3);
  });

  it.each(LAYOUTS)(
    'is accessible in both directions, themes and forced colours, and at 400 % zoom: %s, %s',
    async (layout, position) => {
      await site.save({
        position,
        translations: [
          { language: 'ar', title: 'خصوصيتك', message: 'نستخدم ملفات تعريف الارتباط.' },
        ],
        appearance: {
          layout,
          radius: 6,
          font: 'serif',
          logo: { url: '/logo.svg', alt: 'A site', height: 28 },
          colors: {
            light: { background: '#fdf8ef', text: '#2b2118', muted: '#5d4f41', accent: '#8a3d12' },
            dark: { background: '#231c15', text: '#f5ebdd', muted: '#c8b8a4', accent: '#f0a878' },
          },
        },
      });
      visit = await site.visit(
        { body: '<p>Bread takes its time.</p>', withoutBanner: true },
        { viewport: WIDE },
      );
      for (const language of LANGUAGES) {
        await visit.page.setViewportSize(WIDE);
        await showAgain(language);
        for (const media of [
          { colorScheme: 'light', forcedColors: 'none' },
          { colorScheme: 'dark', forcedColors: 'none' },
          { colorScheme: 'dark', forcedColors: 'active' },
        ] as const) {
          await visit.page.emulateMedia(media);
          expect([language, media, await axeFinds(visit.page)]).toEqual([language, media, []]);
        }
        expect([language, await overflow()]).toEqual([language, []]);
        expect(new Set(await looks()).size).toBe(1);
        await visit.page.setViewportSize(ZOOMED);
        expect([language, await overflow()]).toEqual([language, []]);
        for (const button of await dialog().getByRole('button').all()) {
          await button.scrollIntoViewIfNeeded();
          expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
        }
      }
      expect(visit.faults).toEqual([]);
    },
  );

  it('reserves the height of the logo, takes the font of the page and causes no layout shift', async () => {
    await site.save({
      position: 'bottom',
      appearance: {
        layout: 'bar',
        font: 'inherit',
        logo: { url: '/logo.svg', alt: 'A site', height: 40 },
      },
    });
    visit = await site.visit(
      {
        beforeBanner: WATCH,
        head: '<style>body { font-family: Courier, monospace }</style>',
        body: '<p>Short.</p>',
      },
      { reducedMotion: 'no-preference' },
    );
    // The logo arrives late.
    await visit.page.route('**/logo.svg', async (route) => {
      await new Promise((done) => setTimeout(done, 300));
      await route.fulfill({
        contentType: 'image/svg+xml',
        body: LOGO,
      });
    });
    const logo = visit.page.waitForResponse('**/logo.svg');
    await visit.page.reload();
    await dialog().waitFor();
    await logo;
    await visit.page.waitForTimeout(400);
    expect(await ask('window.shifts')).toBe(0);
    expect(await ask(`getComputedStyle(${root}.querySelector('p')).fontFamily`)).toBe(
      'Courier, monospace',
    );
    expect(
      await ask(`getComputedStyle(${root}.querySelector('dialog > div'), '::before').height`),
    ).toBe('40px');
    const { x, width } = (await dialog().boundingBox()) ?? {};
    expect([x, width]).toEqual([0, await ask('document.documentElement.clientWidth')]);
  });

  it('has its buttons in the chosen order, also for the keyboard', async () => {
    await site.save({
      position: 'bottom',
      appearance: { logo: null, button_order: ['manage', 'accept', 'reject'] },
    });
    visit = await site.visit();
    await dialog().waitFor();
    const stops: unknown[] = [];
    for (let stop = 0; stop < 4; stop++) {
      await visit.page.keyboard.press('Tab');
      stops.push(await ask(`${root}.activeElement.textContent`));
    }
    expect(stops).toEqual(['Privacy policy', 'Manage preferences', 'Accept all', 'Reject all']);
    await dialog().getByRole('button', { name: 'Manage preferences' }).press('Enter');
    await visit.page.getByRole('switch').first().waitFor();
    const names = await dialog().getByRole('button').allTextContents();
    expect(names.filter((name) => name !== 'Manage preferences')).toEqual([
      'Save preferences',
      'Accept all',
      'Reject all',
    ]);
  });

  it('has no reopen button if the site has its own, and lets attributes of the tag win', async () => {
    await site.save({
      position: 'bottom',
      appearance: {
        reopen_button: 'off',
        theme: 'dark',
        layout: 'card',
        button_order: ['reject', 'accept', 'manage'],
      },
    });
    const body = '<button data-pavis-open>My privacy</button>';
    const background = () =>
      ask(`getComputedStyle(${root}.querySelector('dialog')).backgroundColor`);
    visit = await site.visit({ body }, { colorScheme: 'light' });
    await dialog().waitFor();
    expect(await background()).toBe('rgb(35, 28, 21)');
    await visit.page.getByRole('button', { name: 'Reject all' }).click();
    await dialog().waitFor({ state: 'hidden' });
    expect(await visit.page.getByRole('button', { name: 'Privacy choices' }).count()).toBe(0);
    await visit.page.getByRole('button', { name: 'My privacy' }).click();
    await visit.page.getByRole('switch').first().waitFor();
    await visit.page.context().close();

    const banner = 'data-theme="light" data-button="top-right" data-position="top-left"';
    visit = await site.visit({ body, banner }, { colorScheme: 'dark' });
    await dialog().waitFor();
    expect(await background()).toBe('rgb(253, 248, 239)');
    expect((await dialog().boundingBox())?.y).toBe(12);
    await visit.page.getByRole('button', { name: 'Accept all' }).click();
    const reopen = visit.page.getByRole('button', { name: 'Privacy choices' });
    await reopen.waitFor();
    const { x = 0, y } = (await reopen.boundingBox()) ?? {};
    expect([x > 600, y]).toEqual([true, 12]);
  });
});
