import { afterEach, describe, expect, it } from 'vitest';
import { axeFinds } from '../support/accessible.ts';
import { openPreferences, useBannerSite, type Visit } from '../support/banner.ts';
import { FIREFOX, launchFirefox } from '../support/firefox.ts';

const HELD = '<script type="text/plain" data-category="analytics" src="/held.js"></script>';
/** Of the tag that the guide recommends. */
const META = '<meta http-equiv="Content-Security-Policy" content="">';

describe.runIf(FIREFOX)('The banner in Firefox', () => {
  const site = useBannerSite({}, launchFirefox);
  let visit: Visit;
  afterEach(() => visit?.page.context().close());

  const open = async (...args: Parameters<typeof site.visit>) => {
    visit = await site.visit(...args);
    await visit.page.getByRole('dialog', { name: 'Your privacy' }).waitFor();
  };
  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const isAsking = () => visit.page.getByRole('dialog').isVisible();
  /** The direction of the open dialog; otherwise whether the banner's script ran. */
  const openDialog = () =>
    ask(
      `document.querySelector('pavis-banner')?.shadowRoot?.querySelector('dialog[open]')?.dir ?? 'no dialog, pavis: ' + typeof window.pavis`,
    );
  const button = (name: string) => visit.page.getByRole('button', { name });
  const focused = () =>
    ask<string>(
      `(document.querySelector('pavis-banner').shadowRoot.activeElement ?? document.activeElement).textContent.trim()`,
    );
  const lastRecord = async () => {
    await ask('pavis.sent.then(() => {})');
    const id = await ask('pavis.visitorId');
    return (await site.records()).find(({ visitor_id }) => visitor_id === id);
  };

  it('takes one request, stores nothing and loads no blocked content before a choice', async () => {
    const asked: string[] = [];
    visit = await site.visit({ withoutBanner: true, body: HELD });
    visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await ask(
      `void document.head.append(Object.assign(document.createElement('script'), { src: '${site.app.url}/banner.js' }))`,
    );
    await visit.page.getByRole('dialog', { name: 'Your privacy' }).waitFor();
    await visit.page.waitForTimeout(300);
    expect(asked).toEqual(['/banner.js']);
    expect(await visit.page.context().cookies()).toEqual([]);
    expect(visit.faults).toEqual([]);
  });

  it('records a rejection that was made with the keyboard', async () => {
    await open({ body: HELD });
    const stops: string[] = [];
    while (!stops.includes('Reject all') && stops.length < 10) {
      await visit.page.keyboard.press('Tab');
      stops.push(await focused());
    }
    // Firefox also stops at the dialog, because its content can scroll.
    expect(stops.slice(-2)).toEqual(['Privacy policy', 'Reject all']);
    await visit.page.keyboard.press('Enter');
    await expect.poll(isAsking).toBe(false);
    expect(await lastRecord()).toMatchObject({ consent_action: 'reject_all' });
    await visit.page.reload();
    await ask('pavis.ready.then(() => {})');
    expect([await isAsking(), await ask('window.ran ?? []')]).toEqual([false, []]);
  });

  it('records the choice of the preferences, and loads the content of accepted categories', async () => {
    await open({ body: HELD });
    await openPreferences(visit.page);
    expect(await axeFinds(visit.page)).toEqual([]);
    await visit.page.getByRole('switch', { name: 'Analytics' }).click();
    await button('Save preferences').click();
    await visit.page.waitForFunction('window.ran?.includes("held")');
    expect(await lastRecord()).toMatchObject({
      consent_action: 'manage',
      categories_accepted: ['functional', 'analytics'],
    });
  });

  it('runs no script and loads no frame of a vendor before consent, and both after it', async () => {
    const [script_url, frame] = [`${site.origin()}/ads/`, `${site.origin()}/maps/`];
    await site.register({ handle: 'ads', label: 'Ads', category: 'marketing', script_url });
    await site.register({
      handle: 'maps',
      label: 'Maps',
      category: 'marketing',
      script_url: frame,
      blocking_method: 'iframe_placeholder',
    });
    const frames = () => visit.asked.filter((each) => each.includes('maps'));
    const ran = () => ask('window.ran ?? []');
    const insert = `document.head.append(Object.assign(document.createElement('script'), { src: '/ads/two.js' }))`;
    await open({
      head: META,
      body: `<script src="/ads/one.js"></script><script>${insert}</script>
        <iframe title="Map" src="/maps/one.html" width="300" height="200"></iframe>`,
    });
    await visit.page.waitForTimeout(300);
    // Firefox requests a script of the HTML ahead, before the banner can block it, and does not run it.
    expect([await ran(), frames(), visit.asked.includes('GET /ads/two.js')]).toEqual([
      [],
      [],
      false,
    ]);
    await button('Accept all').click();
    // In the order of the page: the inserted one is in the head.
    await expect.poll(ran).toEqual(['ads/two', 'ads/one']);
    await expect.poll(frames).toEqual(['GET /maps/one.html']);
    expect(await lastRecord()).toMatchObject({ consent_action: 'accept_all' });
  });

  it.each([
    ['light', 'en', 'ltr'],
    ['dark', 'en', 'ltr'],
    ['light', 'ar', 'rtl'],
    ['dark', 'ar', 'rtl'],
  ])(
    'has no accessibility violations in the %s theme and the direction of %s',
    async (theme, lang, direction) => {
      const arabic = { title: 'خصوصيتك', message: 'نستخدم ملفات تعريف الارتباط.' };
      await site.save({ translations: [{ language: 'ar', ...arabic }] });
      for (const position of ['bottom', 'bottom-right', 'center']) {
        visit = await site.visit({
          banner: `data-position="${position}" data-theme="${theme}"`,
          lang,
        });
        await expect.poll(openDialog).toBe(direction);
        expect([position, await axeFinds(visit.page)]).toEqual([position, []]);
        // As at 400 % zoom.
        await visit.page.setViewportSize({ width: 320, height: 256 });
        expect([position, await axeFinds(visit.page)]).toEqual([position, []]);
        expect(await ask('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
        await visit.page.context().close();
      }
    },
  );
});

describe.runIf(FIREFOX)('The banner in Firefox with the colours of the visitor', () => {
  const site = useBannerSite({}, () => launchFirefox({ 'browser.display.document_color_use': 2 }));

  it('shows buttons with borders and without accessibility violations', async () => {
    const { page } = await site.visit();
    await page.getByRole('dialog', { name: 'Your privacy' }).waitFor();
    expect(await page.evaluate('matchMedia("(forced-colors: active)").matches')).toBe(true);
    expect(await axeFinds(page)).toEqual([]);
    const border = (name: string) =>
      page.getByRole('button', { name }).evaluate('(at) => getComputedStyle(at).borderTopWidth');
    for (const name of ['Reject all', 'Accept all']) expect(await border(name)).not.toBe('0px');
  });
});
