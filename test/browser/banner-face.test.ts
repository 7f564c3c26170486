import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyReceipt } from '../../src/privacy/consent-log/index.ts';
import { axeFinds, isForEverybody } from '../support/accessible.ts';
import { openPreferences, useBannerSite, type Visit } from '../support/banner.ts';
import { logAll } from '../support/consent-log.ts';
import { basicAuth } from '../support/makers.ts';

const WORDS = `${'<p>Bread takes its time, and so do we: every loaf rests for a night.</p>'.repeat(12)}
  <iframe data-src="/frame.html" data-category="marketing" title="Map" width="300" height="200"></iframe>`;
const WATCH = `<script>
  window.shifts = 0; window.paints = [];
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('layout-shift', ({ value }) => (window.shifts += value));
  watch('largest-contentful-paint', ({ element }) => window.paints.push(element?.tagName ?? 'in a shadow'));
</script>`;
/** Scripts that blocked the main thread for more than 50 ms. */
const SLOW = `<script>
  window.slow = [];
  new PerformanceObserver((list) => list.getEntries().forEach(({ scripts }) => scripts.forEach(({ duration, sourceURL, sourceCharPosition, invoker }) => {
    if (duration >= 50) window.slow.push([sourceURL, sourceCharPosition, invoker].join());
  }))).observe({ type: 'long-animation-frame', buffered: true });
</script>`;
interface Language {
  language: string;
  direction: string;
}
const POSITIONS = [
  'bottom',
  'top',
  'bottom-left',
  'bottom-right',
  'top-left',
  'top-right',
  'center',
];

describe('Appearance of the banner', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit?.page.context().close());

  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const press = (name: string) => visit.page.getByRole('button', { name }).click();
  const settle = () => visit.page.waitForTimeout(350);
  const focused = () =>
    ask<string>(
      `(document.querySelector('pavis-banner').shadowRoot.activeElement ?? document.activeElement).textContent.trim()`,
    );
  const styleOf = (selector: string, name: string) =>
    ask(
      `getComputedStyle(document.querySelector('pavis-banner').shadowRoot.querySelector('${selector}')).${name}`,
    );
  const getRoom = () =>
    ask(
      '(({ paddingBottom, scrollPaddingBottom }) => [paddingBottom, scrollPaddingBottom])(getComputedStyle(document.documentElement))',
    );
  const findings = () => axeFinds(visit.page);

  describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
    it.each(['bottom', 'center'])(
      'has no accessibility violations in any state: %s',
      async (position) => {
        const css =
          '<style>@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>';
        visit = await site.visit(
          { head: css, body: WORDS, banner: `data-position="${position}"` },
          { colorScheme },
        );
        await visit.page.getByRole('dialog').waitFor();
        await settle();
        expect(await findings()).toEqual([]);
        await openPreferences(visit.page);
        expect(await findings()).toEqual([]);
        await visit.page.getByRole('switch', { name: 'Analytics' }).click();
        await press('Save preferences');
        await settle();
        expect(await findings()).toEqual([]);
        await press('Privacy choices');
        await settle();
        expect(await findings()).toEqual([]);
      },
    );
  });

  it('shows three buttons of the same size and colour on the first layer', async () => {
    visit = await site.visit();
    await visit.page.getByRole('dialog').waitFor();
    const buttons = visit.page.getByRole('dialog').getByRole('button');
    expect(await buttons.allTextContents()).toEqual(
      ['Reject all', 'Accept all', 'Manage preferences', 'Save preferences'].slice(
        0,
        await buttons.count(),
      ),
    );
    expect(await buttons.count()).toBe(3);
    const looks = await ask<
      string[]
    >(`[...document.querySelector('pavis-banner').shadowRoot.querySelectorAll('dialog button:not([hidden])')]
      .map((each) => { const { color, backgroundColor, fontSize, fontWeight, width, height } = getComputedStyle(each);
        return [color, backgroundColor, fontSize, fontWeight, width, height].join(); })`);
    expect(new Set(looks).size).toBe(1);
  });

  it.each(POSITIONS)(
    'causes no layout shift and is not the largest contentful paint: %s',
    async (position) => {
      visit = await site.visit(
        {
          beforeBanner: WATCH,
          body: '<p>Short.</p>',
          banner: `data-position="${position}"`,
        },
        { reducedMotion: 'no-preference' },
      );
      await visit.page.getByRole('dialog').waitFor();
      await visit.page.waitForFunction('window.paints.length > 0');
      await visit.page.waitForTimeout(600);
      expect(await ask('window.paints.includes("in a shadow")')).toBe(false);
      await openPreferences(visit.page);
      await press('Reject all');
      await settle();
      expect(await ask('window.shifts')).toBe(0);
    },
  );

  // WCAG 2.2, 2.4.11. An imprint has to be within reach all the time.
  it.each(['bottom', 'bottom-left', 'bottom-right'])(
    'lets visitors scroll the end of the page above it until they choose: %s',
    async (position) => {
      const body = `${WORDS}<footer><a href="#top">Back</a> <a id="imprint" href="#imprint">Imprint</a></footer>`;
      visit = await site.visit(
        { body, banner: `data-position="${position}"` },
        { viewport: { width: 360, height: 800 } },
      );
      await visit.page.getByRole('dialog').waitFor();
      const seesImprint = () =>
        ask(`(() => {
          const { left, right, top, bottom } = imprint.getBoundingClientRect();
          return document.elementFromPoint((left + right) / 2, bottom - 1) === imprint && top > 0;
        })()`);
      const height = () => ask<number>('document.documentElement.scrollHeight');
      // The page becomes longer when the banner has been laid out.
      const seesImprintAtEnd = async () => {
        await ask('scrollTo(0, document.documentElement.scrollHeight)');
        return seesImprint();
      };
      await expect.poll(seesImprintAtEnd).toBe(true);
      const asking = await height();
      await ask('scrollTo(0, 0)');
      await visit.page.getByRole('link', { name: 'Imprint' }).focus();
      await expect.poll(seesImprint).toBe(true);
      await visit.page.setViewportSize({ width: 320, height: 800 });
      await expect.poll(seesImprintAtEnd).toBe(true);
      await visit.page.setViewportSize({ width: 360, height: 800 });
      await press('Reject all');
      await expect.poll(height).toBeLessThan(asking - 100);
      expect(await getRoom()).toEqual(['0px', 'auto']);
    },
  );

  it('adds no room to the page at the top or in the centre', async () => {
    for (const position of ['top', 'center']) {
      visit = await site.visit({ body: WORDS, banner: `data-position="${position}"` });
      await visit.page.getByRole('dialog').waitFor();
      await settle();
      expect(await getRoom()).toEqual(['0px', 'auto']);
      await visit.page.context().close();
    }
  });

  it('animates only its opacity', async () => {
    visit = await site.visit();
    await visit.page.getByRole('dialog').waitFor();
    const changing = await ask(`(() => {
      const [sheet] = document.querySelector('pavis-banner').shadowRoot.adoptedStyleSheets;
      const rules = [...sheet.cssRules];
      const steps = rules.filter((each) => each instanceof CSSKeyframesRule).flatMap(({ cssRules }) => [...cssRules]);
      const moving = rules.filter(({ style }) => !['', 'initial'].includes(style?.transition ?? ''));
      return [...steps.flatMap(({ style }) => [...style]), ...moving.map(({ cssText }) => cssText)];
    })()`);
    expect(changing).toEqual(['opacity']);
  });

  it('causes no long task', async () => {
    let slow: string[] | undefined;
    // On a busy machine any task can be delayed. A long task of ours is long in each visit.
    for (let times = 0; times < 5 && slow?.length !== 0; times++) {
      visit = await site.visit({ beforeBanner: SLOW, body: WORDS.repeat(10) });
      await visit.page.getByRole('dialog').waitFor();
      await openPreferences(visit.page);
      await press('Accept all');
      await visit.page.frameLocator('[title=Map] >> nth=0').getByText('embedded').waitFor();
      await settle();
      const found = await ask<string[]>(
        'window.slow.filter((each) => each.includes("/banner.js"))',
      );
      slow = slow?.filter((each) => found.includes(each)) ?? found;
      await ask(`document.body.append(Object.assign(document.createElement('script'),
        { text: 'const end = performance.now() + 120; while (performance.now() < end);' }))`);
      await visit.page.waitForFunction('window.slow.length > 0');
      await visit.page.context().close();
    }
    expect(slow).toEqual([]);
  });

  it('exposes name, message and switches to screen readers', async () => {
    visit = await site.visit();
    const dialog = visit.page.getByRole('dialog');
    await dialog.waitFor();
    const heard = async () => (await dialog.ariaSnapshot()).replace(/http\S+/, 'ADDRESS');
    expect(await heard()).toMatchInlineSnapshot(`
      "- dialog "Your privacy":
        - heading "Your privacy" [level=2]
        - paragraph: This website uses cookies and similar technologies. Some are strictly necessary for it to work. With your consent, this website and third-party services may also use them to measure how the website is used (analytics), to show you relevant advertising (marketing) and to adapt content to your interests (personalisation). You can change or withdraw your consent at any time.
        - link "Privacy policy":
          - /url: ADDRESS
        - button "Reject all"
        - button "Accept all"
        - button "Manage preferences""
    `);
    await openPreferences(visit.page);
    expect(await heard()).toMatchInlineSnapshot(`
      "- dialog "Your privacy":
        - heading "Your privacy" [level=2]
        - paragraph: This website uses cookies and similar technologies. Some are strictly necessary for it to work. With your consent, this website and third-party services may also use them to measure how the website is used (analytics), to show you relevant advertising (marketing) and to adapt content to your interests (personalisation). You can change or withdraw your consent at any time.
        - link "Privacy policy":
          - /url: ADDRESS
        - list:
          - listitem:
            - text: Strictly necessary Always active
            - switch "Strictly necessary Always active" [checked] [disabled]
            - paragraph: Required for the website to work, for example to remember your privacy choices or to keep you signed in. This category cannot be switched off.
          - listitem:
            - text: Analytics
            - switch "Analytics"
            - paragraph: Measures visits and how the website is used, so that it can be improved.
          - listitem:
            - text: Marketing
            - switch "Marketing"
            - paragraph: Shows you relevant advertising and measures its effect. Providers may combine this data across websites.
          - listitem:
            - text: Personalisation
            - switch "Personalisation"
            - paragraph: Remembers your preferences and adapts content to your interests.
        - button "Reject all"
        - button "Accept all"
        - button "Save preferences""
    `);
    await press('Reject all');
    await visit.page.getByRole('button', { name: 'Privacy choices' }).waitFor();
  });

  it('shows placeholders without layout shift', async () => {
    const body = `${WORDS}<p>And after.</p>`;
    visit = await site.visit(
      { beforeBanner: WATCH, body },
      { viewport: { width: 900, height: 1400 } },
    );
    await visit.page.getByRole('dialog').waitFor();
    await settle();
    await ask('pavis.accept()');
    await visit.page.frameLocator('[title=Map]').getByText('embedded').waitFor();
    await settle();
    expect(await ask('window.shifts')).toBe(0);
  });

  it('cuts no text at half the width of a phone', async () => {
    visit = await site.visit({ lang: 'de' }, { viewport: { width: 195, height: 422 } });
    const dialog = visit.page.getByRole('dialog');
    await dialog.waitFor();
    const overflow = () => dialog.evaluate((each) => each.scrollWidth - each.clientWidth);
    expect(await overflow()).toBe(0);
    await visit.page.getByRole('button', { name: 'Einstellungen verwalten' }).click();
    await visit.page.getByRole('switch').first().waitFor();
    expect(await overflow()).toBe(0);
  });

  it.each(POSITIONS)(
    'fits a width of 320 pixels (1280 pixels at 400 % zoom): %s',
    async (position) => {
      visit = await site.visit(
        { body: WORDS, banner: `data-position="${position}"` },
        { viewport: { width: 320, height: 256 } },
      );
      const dialog = visit.page.getByRole('dialog');
      await dialog.waitFor();
      await openPreferences(visit.page);
      const box = await dialog.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(256);
      expect(await ask('document.documentElement.scrollWidth')).toBe(320);
      const wide = `(() => { const { scrollWidth, clientWidth } = document.querySelector('pavis-banner').shadowRoot.querySelector('dialog'); return scrollWidth - clientWidth; })()`;
      expect(await ask(wide)).toBe(0);
      for (const target of await dialog.locator('button:visible, label, a').all()) {
        await target.scrollIntoViewIfNeeded();
        expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
      const always = await dialog.getByText('Always active').boundingBox();
      expect(always?.height, 'two lines').toBeLessThanOrEqual(48);
      await press('Reject all');
      await dialog.waitFor({ state: 'hidden' });
    },
  );

  it('can be used with the keyboard and moves the focus only on request', async () => {
    visit = await site.visit({ body: '<button id="way" data-pavis-open>My privacy</button>' });
    const { keyboard } = visit.page;
    await visit.page.getByRole('dialog').waitFor();
    expect(await ask('document.activeElement.tagName')).toBe('BODY');
    expect(await visit.page.getByRole('status').textContent()).toBe('Your privacy');
    const stops: string[] = [];
    for (let stop = 0; stop < 4; stop++) {
      await keyboard.press('Tab');
      stops.push(await focused());
    }
    expect(stops).toEqual(['Privacy policy', 'Reject all', 'Accept all', 'Manage preferences']);
    await keyboard.press('Enter');
    await visit.page.getByRole('switch', { name: 'Analytics' }).waitFor();
    expect(
      await ask(
        `document.querySelector('pavis-banner').shadowRoot.activeElement.getAttribute('aria-describedby')`,
      ),
    ).toBe('about-analytics');
    await keyboard.press('Space');
    await keyboard.press('Escape');
    expect(await focused()).toBe('Manage preferences');
    await keyboard.press('Escape');
    expect(await visit.page.getByRole('dialog').isVisible()).toBe(false);
    expect(visit.sent).toEqual([]);

    await visit.page.locator('#way').focus();
    await keyboard.press('Enter');
    await visit.page.getByRole('switch', { name: 'Analytics' }).waitFor();
    expect(await focused()).toBe('Your privacy');
    await keyboard.press('Escape');
    expect(await visit.page.getByRole('dialog').isVisible()).toBe(true);
    await visit.page.getByRole('button', { name: 'Reject all' }).focus();
    await keyboard.press('Enter');
    await expect.poll(focused).toBe('My privacy');
    await expect.poll(() => visit.sent.length).toBe(1);
    await settle();
    expect(visit.sent).toHaveLength(1);
  });

  it('offers a receipt in the preferences after a choice, and a page while there is none', async () => {
    visit = await site.visit(
      { beforeBanner: WATCH, lang: 'de' },
      { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 360, height: 640 } },
    );
    const { page } = visit;
    const link = page.getByRole('link', { name: 'Einwilligungsbeleg herunterladen' });
    await press('Einstellungen verwalten');
    expect(await link.count()).toBe(0);
    await ask('pavis.accept()');
    await press('Datenschutz-Einstellungen');
    await link.focus();
    expect(await findings()).toEqual([]);
    const target = await link.boundingBox();
    expect(target?.height).toBeGreaterThanOrEqual(44);
    expect((target?.x ?? 0) + (target?.width ?? 0)).toBeLessThanOrEqual(360);
    expect(await ask('window.shifts')).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ihr Beleg ist noch nicht fertig' }).waitFor();
    await isForEverybody(page);
    await logAll(site.app);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Noch einmal versuchen' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^consent-receipt-\d+\.html$/);
    const { facts } = verifyReceipt(readFileSync(await download.path(), 'utf8'), []);
    expect(facts).toMatchObject({ consent_action: 'accept_all' });
  });

  it('traps the focus in the centre position', async () => {
    visit = await site.visit({ banner: 'data-position="center"', body: '<a href="#x">Behind</a>' });
    await visit.page.getByRole('dialog').waitFor();
    expect(await focused()).toBe('Your privacy');
    expect(await styleOf('h2', 'outlineStyle')).toBe('none');
    for (let stop = 0; stop < 6; stop++) {
      await visit.page.keyboard.press('Tab');
      expect(await focused()).not.toBe('Behind');
    }
  });

  const languages = async (path = '') => {
    const headers = await basicAuth(site.app.platform);
    return (await site.app.http.get(`/wp-json/svc/v1/consent/languages${path}`, { headers })).json;
  };
  /** What is wider than the banner, or the banner than the page. */
  const overflow = () =>
    ask<string[]>(`(() => {
      const dialog = document.querySelector('pavis-banner').shadowRoot.querySelector('dialog');
      return [document.documentElement, dialog, ...dialog.querySelectorAll('*')]
        .filter(({ scrollWidth, clientWidth, localName }) =>
          localName !== 'input' && clientWidth > 0 && scrollWidth > clientWidth)
        .map(({ localName, textContent }) => localName + ': ' + textContent.slice(0, 80));
    })()`);

  it.each(['ar-EG', 'he'])(
    'is shown from right to left on a phone: page in %s',
    async (pageLanguage) => {
      const tag = pageLanguage.slice(0, 2);
      const texts = await languages(`/${tag}`);
      await site.save({ translations: [texts] });
      visit = await site.visit(
        { lang: pageLanguage, body: WORDS },
        { viewport: { width: 360, height: 640 } },
      );
      const dialog = visit.page.getByRole('dialog', { name: texts.title });
      await dialog.waitFor();
      expect([await dialog.getAttribute('dir'), await dialog.getAttribute('lang')]).toEqual([
        'rtl',
        tag,
      ]);
      await settle();
      expect([await findings(), await overflow()]).toEqual([[], []]);
      await press(texts.manage_text);
      for (const { label } of texts.categories.slice(1)) {
        const text = await dialog.getByText(label, { exact: true }).boundingBox();
        const control = await visit.page.getByRole('switch', { name: label }).boundingBox();
        expect(control?.x).toBeLessThan((text?.x ?? 0) + (text?.width ?? 0) / 2);
        expect(control?.x).toBeGreaterThanOrEqual(0);
      }
      expect(await styleOf('h2', 'direction')).toBe('rtl');
      expect([await findings(), await overflow()]).toEqual([[], []]);
      await press(texts.reject_text);
      await visit.page.getByRole('button', { name: texts.reopen_text }).waitFor();
      await expect.poll(() => visit.sent[0]?.body.language).toBe(tag);
      await site.save({ translations: [] });
    },
  );

  it('fits a phone in every language and gives both choices the same size', async () => {
    const tags: string[] = (await languages()).map(({ language }: Language) => language);
    const translations = await Promise.all(tags.map((tag) => languages(`/${tag}`)));
    await site.save({ translations: translations.filter(({ language }) => language !== 'en') });
    visit = await site.visit({ lang: 'en' }, { viewport: { width: 360, height: 640 } });
    const dialog = visit.page.getByRole('dialog');
    for (const { language, direction } of (await languages()) as Language[]) {
      await ask(`(async () => {
        document.querySelector('pavis-banner').remove();
        window.pavis = undefined;
        const script = document.createElement('script');
        script.src = ${JSON.stringify(`${site.app.url}/banner.js`)};
        script.dataset.language = ${JSON.stringify(language)};
        document.head.append(script);
        await new Promise((done) => { script.onload = done; });
        await window.pavis.ready;
      })()`);
      await visit.page.locator(`dialog[lang="${language}"][dir=${direction}]`).waitFor();
      const [reject, accept] = await Promise.all(
        [0, 1].map((nth) => dialog.getByRole('button').nth(nth).boundingBox()),
      );
      expect([language, reject?.width, reject?.height]).toEqual([
        language,
        accept?.width,
        accept?.height,
      ]);
      expect([language, await overflow()]).toEqual([language, []]);
      await ask('pavis.open()');
      await dialog.getByRole('switch').first().waitFor();
      expect([language, await overflow()]).toEqual([language, []]);
      expect([language, visit.faults]).toEqual([language, []]);
    }
    await site.save({ translations: [] });
  });

  it('applies custom properties and the theme of the tag', async () => {
    visit = await site.visit(
      {
        banner: 'data-theme="light"',
        head: '<style>:root { --pavis-accent: rgb(1, 100, 2) }</style>',
      },
      { colorScheme: 'dark' },
    );
    const dialog = visit.page.getByRole('dialog');
    await dialog.waitFor();
    expect(await styleOf('button', 'color')).toBe('rgb(1, 100, 2)');
    expect(await styleOf('dialog', 'backgroundColor')).toBe('rgb(255, 255, 255)');
  });

  it('ignores styles of the site for all elements', async () => {
    const PROPERTIES = ['letterSpacing', 'fontSize', 'lineHeight', 'fontStyle', 'fontFamily'];
    const looks: unknown[] = [];
    for (const head of [
      '',
      '<style>* { letter-spacing: 0.3em; font: italic 30px/3 serif }</style>',
    ]) {
      visit = await site.visit({ head, body: WORDS });
      await visit.page.getByRole('dialog').waitFor();
      const texts = [];
      for (const selector of ['h2', '#message', 'button', 'a']) {
        for (const name of PROPERTIES) texts.push(await styleOf(selector, name));
      }
      looks.push(texts);
    }
    expect(looks[1]).toEqual(looks[0]);
  });

  it.each(['light', 'dark'] as const)(
    'shows placeholders in the theme of the tag: %s',
    async (theme) => {
      const colorScheme = theme === 'dark' ? 'light' : 'dark';
      visit = await site.visit({ banner: `data-theme="${theme}"`, body: WORDS }, { colorScheme });
      await visit.page.getByRole('button', { name: 'Load once' }).waitFor();
      await visit.page.getByRole('dialog').waitFor();
      const ground = (selector: string, host: string) =>
        ask(
          `getComputedStyle(document.querySelector('${host}').shadowRoot.querySelector('${selector}')).backgroundColor`,
        );
      const banner = await ground('dialog', 'pavis-banner');
      expect(banner).toBe(theme === 'dark' ? 'rgb(24, 28, 36)' : 'rgb(255, 255, 255)');
      expect(await ground('.slot', 'div:has(+ iframe[title=Map])')).toBe(banner);
    },
  );

  it('places the reopen button as set by data-button, or hides it', async () => {
    visit = await site.visit(
      { banner: 'data-button="top-right"' },
      { viewport: { width: 400, height: 700 } },
    );
    await press('Reject all');
    const box = await visit.page.getByRole('button', { name: 'Privacy choices' }).boundingBox();
    expect([box?.width, box?.height, (box?.x ?? 0) > 340, (box?.y ?? 99) < 20]).toEqual([
      44,
      44,
      true,
      true,
    ]);
    await visit.page.context().close();
    visit = await site.visit({ banner: 'data-button="off"' });
    await press('Reject all');
    await settle();
    expect(await visit.page.getByRole('button').count()).toBe(0);
    await ask('pavis.open()');
    expect(await visit.page.getByRole('dialog').isVisible()).toBe(true);
  });
});
