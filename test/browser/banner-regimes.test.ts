import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFinds } from '../support/accessible.ts';
import { useBannerSite, type Visit } from '../support/banner.ts';

const SIGNAL = `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })`;
const BODY =
  '<script type="text/plain" data-category="analytics" src="/analytics.js"></script>' +
  '<script type="text/plain" data-category="marketing" src="/marketing.js"></script>';

describe('The banner under the rules of a country', () => {
  const site = useBannerSite({
    PAVIS_COUNTRY_HEADER: 'CF-IPCountry',
    PAVIS_TRUSTED_PROXIES: '127.0.0.1',
  });
  let visit: Visit;
  beforeAll(() => site.save({ regimes: { mode: 'by_country' } }));
  afterEach(() => visit?.page.context().close());

  const open = async (country: string, others?: Record<string, string>) => {
    visit = await site.visit({
      body: BODY,
      bannerHeaders: { 'CF-IPCountry': country, ...others },
    });
  };
  const reload = async () => {
    await visit.untilAnswered();
    visit.sent.length = 0;
    await visit.page.reload();
    await visit.page.evaluate('pavis.ready.then(() => undefined)');
  };
  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const press = (name: string) => visit.page.getByRole('button', { name }).click();
  const dialog = () => visit.page.getByRole('dialog');
  const optional = async () =>
    (await ask<string[]>('pavis.state.accepted')).filter((id) => id !== 'functional').join(' ');
  const link = () => visit.page.getByRole('button', { name: 'Your Privacy Choices' });
  const confirmation = () =>
    visit.page.getByText('Opt-out request honored').filter({ visible: true });
  const waitForRecord = () => expect.poll(() => visit.sent.length).toBe(1);

  it('asks visitors from the EU first, without a link to opt out', async () => {
    await open('DE');
    await dialog().waitFor();
    expect([await optional(), await link().count()]).toEqual(['', 0]);
    expect(await ask('window.ran ?? null')).toBeNull();
  });

  it.each(['bottom-left', 'bottom-right', 'top-left', 'top-right'])(
    'shows the link to opt out at the %s',
    async (reopen_button) => {
      await site.save({ appearance: { reopen_button } });
      for (const lang of ['en', 'ar']) {
        visit = await site.visit({ lang, bannerHeaders: { 'CF-IPCountry': 'US' } });
        await link().waitFor();
        const [x, y, right, bottom] = await ask<[number, number, number, number]>(`(() => {
          const { shadowRoot } = document.querySelector('pavis-banner');
          const box = shadowRoot.querySelector('.choices button').getBoundingClientRect();
          return [box.x, box.y, innerWidth - box.right, innerHeight - box.bottom];
        })()`);
        expect(`${y < bottom ? 'top' : 'bottom'}-${x < right ? 'left' : 'right'}`).toBe(
          reopen_button,
        );
        expect([x, right]).toContain(12);
        await visit.page.context().close();
      }
      await site.save({ appearance: { reopen_button: 'bottom-left' } });
    },
  );

  it('leaves room for the link to opt out at the end of the page', async () => {
    const end = async () => {
      await visit.page.locator('#imprint').focus();
      await ask('scrollTo(0, 99999)');
      const below = await ask<number>(
        `document.getElementById('imprint').getBoundingClientRect().bottom`,
      );
      return ((await link().boundingBox())?.y as number) - below;
    };
    const body = '<div style="height: 200vh"></div><a id="imprint" href="#x">Imprint</a>';
    visit = await site.visit({ body, bannerHeaders: { 'CF-IPCountry': 'US' } });
    await link().waitFor();
    await expect.poll(end).toBeGreaterThan(0);
    await link().click();
    await dialog().waitFor();
    await press('Accept all');
    await link().waitFor();
    await expect.poll(end).toBeGreaterThan(0);
    await visit.page.context().close();
    await site.save({ appearance: { reopen_button: 'top-left' } });
    visit = await site.visit({ body, bannerHeaders: { 'CF-IPCountry': 'US' } });
    await link().waitFor();
    await site.save({ appearance: { reopen_button: 'bottom-left' } });
    expect(await ask('getComputedStyle(document.documentElement).paddingBottom')).toBe('0px');
  });

  it('gives the WP Consent API plugin the consent type of the rules', async () => {
    await site.save({ signals: ['wordpress'] });
    const types: unknown[] = [];
    for (const [country, signal] of [['DE'], ['US'], ['US', '1']] as const) {
      await open(country, signal && { 'Sec-GPC': signal });
      types.push(await ask('wp_consent_type'));
      await visit.page.context().close();
    }
    await site.save({ signals: ['google'] });
    expect(types).toEqual(['optin', 'optout', 'optin']);
  });

  it('asks no one in the United States, and has a link to opt out that stays', async () => {
    await open('US');
    await visit.page.waitForFunction('window.ran?.length === 2');
    await link().waitFor();
    expect(await dialog().isVisible()).toBe(false);
    expect([visit.sent, await visit.page.context().cookies()]).toMatchObject([[], [{}, {}]]);
    await link().click();
    await dialog().getByText('You can opt out at any time').waitFor();
    expect(await dialog().getByText('With your consent').count()).toBe(0);
    expect(await visit.page.getByRole('switch', { name: 'Analytics' }).isChecked()).toBe(true);
    expect(await axeFinds(visit.page)).toEqual([]);
    await press('Reject all');
    await waitForRecord();
    await visit.page.waitForFunction('!window.ran && window.pavis?.state.action');
    await link().waitFor();
    expect(await optional()).toBe('');
    expect(await axeFinds(visit.page)).toEqual([]);
    // An opt-out does not end with the lifetime of consent.
    await visit.page.clock.setFixedTime(Date.now() + 399 * 86_400_000);
    await reload();
    expect([await optional(), await dialog().isVisible()]).toEqual(['', false]);
    const { until } = JSON.parse(
      decodeURIComponent(
        (await ask<string>('document.cookie')).match(/pavis_consent=([^;]*)/)?.[1] ?? '',
      ),
    );
    expect(until).toBeGreaterThan(Date.now() / 1_000 + 700 * 86_400);
  });

  it.each(['Accept all', 'Reject all'])(
    'asks visitors in the United States once more if "%s" came too late for a banner that was changed',
    async (answer) => {
      await open('US');
      await link().click();
      const title = `Changed: ${answer}`;
      await site.save({ title });
      const reloaded = visit.page.waitForEvent('load');
      await press(answer);
      await reloaded;
      await visit.page.getByRole('heading', { name: title }).waitFor();
      expect(await optional()).toBe('');
      visit.sent.length = 0;
      await press(answer);
      await waitForRecord();
      await reload();
      expect([await dialog().isVisible(), (await optional()) !== '']).toEqual([
        false,
        answer === 'Accept all',
      ]);
      expect(visit.faults).toEqual([]);
    },
  );

  it('shows the link to opt out while deferred scripts of the page are loading', async () => {
    visit = await site.visit({
      head: '<script defer src="/slow.js"></script>',
      bannerHeaders: { 'CF-IPCountry': 'US' },
    });
    await visit.page.route('**/slow.js', () => {});
    await visit.page.reload({ waitUntil: 'commit' });
    await link().waitFor({ timeout: 5_000 });
    expect(await ask('document.readyState')).toBe('interactive');
  });

  it('returns the focus to the link to opt out when the preferences are closed', async () => {
    await open('US');
    await link().waitFor();
    const isFocused = () => link().evaluate((each) => each.matches(':focus'));
    await visit.page.keyboard.press('Tab');
    expect(await isFocused()).toBe(true);
    for (const close of [() => visit.page.keyboard.press('Escape'), () => press('Accept all')]) {
      await visit.page.keyboard.press('Enter');
      await dialog().waitFor();
      expect(await link().count()).toBe(0);
      await close();
      await dialog().waitFor({ state: 'hidden' });
      expect(await isFocused()).toBe(true);
    }
  });

  it('shows the link to opt out where the page refuses texts as HTML, in the direction of its language', async () => {
    visit = await site.visit({
      headers: { 'content-security-policy': "require-trusted-types-for 'script'" },
      beforeBanner: '<script>document.dir = "rtl"</script>',
      bannerHeaders: { 'CF-IPCountry': 'US' },
    });
    await link().waitFor();
    expect(visit.faults).toEqual([]);
    const [icon, text] = await ask<number[]>(
      `[...document.querySelector('pavis-banner').shadowRoot.querySelector('.choices button').childNodes]
        .map((node) => {
          const range = document.createRange();
          range.selectNode(node);
          return range.getBoundingClientRect().x;
        })`,
    );
    expect(icon).toBeLessThan(text as number);
  });

  it.each(['property', 'header'])(
    'records Global Privacy Control as an opt-out once and confirms it (%s)',
    async (kind) => {
      visit = await site.visit({
        body: BODY,
        bannerHeaders: { 'CF-IPCountry': 'US', ...(kind === 'header' && { 'Sec-GPC': '1' }) },
        ...(kind === 'property' && { beforeBanner: `<script>${SIGNAL}</script>` }),
      });
      await confirmation().waitFor();
      // Playwright takes a clipped text for visible.
      expect(
        await ask(`(() => {
          const each = document.querySelector('pavis-banner').shadowRoot.querySelector('.choices p');
          const { position, clipPath } = getComputedStyle(each);
          const { right, bottom, height } = each.getBoundingClientRect();
          return [position, clipPath, right <= innerWidth && bottom <= innerHeight, height >= 44];
        })()`),
      ).toEqual(['static', 'none', true, true]);
      expect(await dialog().isVisible()).toBe(false);
      await waitForRecord();
      expect(visit.sent[0]?.body).toMatchObject({
        consent_action: 'reject_all',
        gpc: true,
        source: 'gpc',
      });
      expect([await optional(), await ask('window.ran ?? null')]).toEqual(['', null]);
      await reload();
      await confirmation().waitFor();
      expect(visit.sent).toEqual([]);
      expect(await axeFinds(visit.page)).toEqual([]);
    },
  );

  it('honours a signal that contradicts earlier consent, and asks which of the two counts', async () => {
    await open('US');
    await link().click();
    await press('Accept all');
    await waitForRecord();
    await visit.page.addInitScript(SIGNAL);
    await reload();
    await dialog().getByText('Opt-out request honored').waitFor();
    await waitForRecord();
    expect(visit.sent[0]?.body).toMatchObject({ consent_action: 'reject_all', gpc: true });
    expect(await optional()).toBe('');
    // Until they answer, without another record.
    await reload();
    await dialog().waitFor();
    expect([visit.sent, await optional()]).toEqual([[], '']);
    await press('Accept all');
    await visit.page.waitForFunction('window.ran?.length === 2');
    await reload();
    await visit.page.waitForFunction('window.ran?.length === 2');
    expect([await dialog().isVisible(), await confirmation().isVisible()]).toEqual([false, false]);
  });

  it('asks visitors from the EU which counts, too, and records nothing until they answer', async () => {
    await open('DE');
    await press('Accept all');
    await waitForRecord();
    await visit.page.addInitScript(SIGNAL);
    await reload();
    await dialog().waitFor();
    expect([visit.sent, await optional()]).toEqual([[], '']);
    await press('Reject all');
    await waitForRecord();
    await reload();
    expect(await dialog().isVisible()).toBe(false);
  });

  it('has statistics for own use on in the United Kingdom, with notice, until visitors object', async () => {
    const { consent } = await site.settings();
    const categories = consent.categories.map((each: { id: string }) =>
      each.id === 'analytics' ? { ...each, own_use: 'statistics' } : each,
    );
    await site.save({ categories });
    await open('GB');
    await dialog().getByText('Already on: Analytics.').waitFor();
    await visit.page.waitForFunction('window.ran?.length === 1');
    expect([await optional(), visit.sent]).toEqual(['analytics', []]);
    expect(await axeFinds(visit.page)).toEqual([]);
    await press('Reject all');
    await waitForRecord();
    await visit.page.waitForFunction('!window.ran && window.pavis?.state.action');
    expect(await optional()).toBe('');
    await visit.page.context().close();
    await open('DE');
    expect([await optional(), await dialog().getByText('Already on').count()]).toEqual(['', 0]);
    await site.save({ categories: consent.categories });
  });

  it.each([
    ['placeholder', 'GB', 'analytics marketing'],
    ['placeholder', 'DE', 'marketing'],
    ['wp_set_consent', 'GB', 'analytics marketing'],
    ['wp_set_consent', 'DE', 'marketing'],
  ])(
    'records the category of a single choice only, and leaves the others as they are (%s, %s)',
    async (kind, country, on) => {
      const { consent } = await site.settings();
      const categories = consent.categories.map((each: { id: string }) =>
        each.id === 'analytics' ? { ...each, own_use: 'statistics' } : each,
      );
      await site.save({ categories, signals: ['wordpress'] });
      const frame =
        '<iframe data-category="marketing" data-src="/one.html" width="400" height="300"></iframe>';
      visit = await site.visit({
        body: BODY + frame,
        bannerHeaders: { 'CF-IPCountry': country },
      });
      const accept = () =>
        kind === 'placeholder'
          ? press('Always allow Marketing')
          : ask(`wp_set_consent('marketing', 'allow')`);
      await accept();
      await waitForRecord();
      expect(visit.sent[0]?.body).toMatchObject({
        consent_action: 'manage',
        categories_accepted: ['functional', 'marketing'],
        categories_rejected: [],
      });
      expect(await optional()).toBe(on);
      await reload();
      expect([await optional(), await dialog().isVisible()]).toEqual([on, false]);
      // What was decided before is part of the next record.
      await ask(`void pavis.set(['marketing'])`);
      await waitForRecord();
      if (on !== 'marketing') await visit.page.waitForEvent('load');
      await ask(`void pavis.reject()`);
      await visit.page.waitForEvent('load');
      await reload();
      await accept();
      await waitForRecord();
      expect(visit.sent[0]?.body).toMatchObject({
        categories_accepted: ['functional', 'marketing'],
        categories_rejected: ['analytics', 'personalisation'],
      });
      expect(await optional()).toBe('marketing');
      await site.save({ categories: consent.categories, signals: consent.signals });
    },
  );

  it('keeps an opt-out in the tab where the browser stores no cookies', async () => {
    visit = await site.visit({
      body: BODY,
      beforeBanner: `<script>Object.defineProperty(document, 'cookie', { get: () => '', set() {} })</script>`,
      bannerHeaders: { 'CF-IPCountry': 'US' },
    });
    await link().click();
    const reloaded = visit.page.waitForEvent('load');
    await press('Reject all');
    await reloaded;
    await waitForRecord();
    for (let page = 0; page < 2; page++) {
      await reload();
      expect([await optional(), await ask('window.ran ?? null')]).toEqual(['', null]);
    }
    await link().click();
    await press('Accept all');
    await reload();
    await visit.page.waitForFunction('window.ran?.length === 2');
  });

  it('leaves categories on that a single opt-out does not name', async () => {
    const { consent } = await site.settings();
    await site.save({ signals: ['wordpress'] });
    await open('US');
    const reloaded = visit.page.waitForEvent('load');
    await ask(`wp_set_consent('marketing', 'deny')`);
    await reloaded;
    expect(visit.sent[0]?.body).toMatchObject({
      categories_accepted: ['functional'],
      categories_rejected: ['marketing'],
    });
    await expect.poll(optional).toBe('analytics personalisation');
    await site.save({ signals: consent.signals });
  });

  it('asks again after a refusal when six months are over, not before', async () => {
    await open('IT');
    await press('Reject all');
    await waitForRecord();
    const now = Date.now();
    for (const [days, isAsked] of [
      [183, false],
      [184, true],
    ] as const) {
      await visit.page.clock.setFixedTime(now + days * 86_400_000 + 60_000);
      await reload();
      expect([days, await dialog().isVisible()]).toEqual([days, isAsked]);
    }
  });

  it('asks everywhere by default, and keeps the link and the confirmation of the country', async () => {
    await site.save({ regimes: { mode: 'opt_in_everywhere' } });
    await open('US');
    await dialog().getByText('With your consent').waitFor();
    await press('Reject all');
    await link().waitFor();
    await visit.page.context().close();
    await open('US', { 'Sec-GPC': '1' });
    await confirmation().waitFor();
    expect([await dialog().isVisible(), visit.sent]).toEqual([false, []]);
    await site.save({ regimes: { mode: 'by_country' } });
  });

  it('is kept by no shared cache', async () => {
    const { headers } = await site.app.http.get('/banner.js', {
      headers: { 'CF-IPCountry': 'US' },
    });
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Sec-GPC, Accept-Encoding');
  });
});
