import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFinds } from '../support/accessible.ts';
import { openPreferences, useBannerSite, type Visit, waitForVendors } from '../support/banner.ts';

/** What the page loads of each vendor, and the category of its scripts. */
const LOADED = {
  hotjar: ['static.hotjar.com/c/hotjar-1.js', 'script.hotjar.com/prepared.js'],
  matomo: ['cdn.matomo.cloud/site/matomo.js'],
  youtube: ['www.youtube-nocookie.com/embed/1', 'www.youtube.com/embed/prepared'],
} as const;
type Slug = keyof typeof LOADED;
const SLUGS = Object.keys(LOADED) as Slug[];
const CATEGORIES: Record<Slug, string> = {
  hotjar: 'analytics',
  matomo: 'analytics',
  youtube: 'marketing',
};

/** Keeps the browser from requesting scripts ahead, see the guide. */
const NO_PRELOAD = '<meta http-equiv="Content-Security-Policy" content="">';
/** Tags that stand unchanged, and prepared ones with addresses that are not registered. */
const BODY = `
  <script src="https://static.hotjar.com/c/hotjar-1.js"></script>
  <script src="https://cdn.matomo.cloud/site/matomo.js"></script>
  <script type="text/plain" data-category="analytics" src="https://script.hotjar.com/prepared.js"></script>
  <iframe src="https://www.youtube-nocookie.com/embed/1" title="One" width="400" height="320"></iframe>
  <iframe data-category="marketing" data-src="https://www.youtube.com/embed/prepared" title="Two" width="400" height="320"></iframe>
  <iframe data-category="marketing" data-src="https://films.example/1" title="Three" width="400" height="320"></iframe>`;

describe('Switches for vendors', () => {
  const site = useBannerSite({
    PAVIS_COUNTRY_HEADER: 'CF-IPCountry',
    PAVIS_TRUSTED_PROXIES: '127.0.0.1',
  });
  let visit: Visit;
  let loaded: string[];
  afterEach(() => visit?.page.context().close());
  beforeAll(async () => {
    const register = (handle: string, category: string, script_url: string, more: object = {}) =>
      site.register({ handle, label: handle, category, script_url, ...more });
    await register('hotjar', 'analytics', 'https://static.hotjar.com/c/hotjar-');
    await register('matomo', 'analytics', 'https://cdn.matomo.cloud/site/matomo.js');
    await register('youtube', 'marketing', 'https://www.youtube-nocookie.com/embed/', {
      blocking_method: 'iframe_placeholder',
    });
    await site.save({ vendor_choices: true });
  });

  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const press = (name: string) => visit.page.getByRole('button', { name }).click();
  const switchOf = (name: string) => visit.page.getByRole('switch', { name, exact: true });
  const expand = async () => {
    await waitForVendors(visit.page);
    await ask(`document.querySelector('pavis-banner').shadowRoot
      .querySelectorAll('ul > li > details').forEach((each) => { each.open = true; })`);
  };
  /** Opens the page with the third parties, which the network answers. */
  const visitPage = async (country = '') => {
    const bannerHeaders = { 'CF-IPCountry': country };
    visit = await site.visit({ head: NO_PRELOAD, body: BODY, ...(country && { bannerHeaders }) });
    loaded = [];
    await visit.page.route(/hotjar|matomo|youtube|films\.example/, (route) => {
      const { host, pathname } = new URL(route.request().url());
      loaded.push(host + pathname);
      return route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    await visit.page.reload();
    await ask('pavis.ready.then(() => undefined)');
  };
  /** The last choice, when the server has answered it. */
  const lastSent = async () => {
    await ask('pavis.sent');
    return visit.sent.at(-1)?.body;
  };
  const expectLoaded = async (slugs: Slug[], others: string[] = []) => {
    const wanted = [...slugs.flatMap((slug) => LOADED[slug]), ...others].sort();
    await expect.poll(() => [...new Set(loaded)].sort()).toEqual(wanted);
  };

  it('record only what differs from its category, and block by vendor first', async () => {
    await visitPage();
    await openPreferences(visit.page);
    await expand();
    expect(await axeFinds(visit.page)).toEqual([]);
    await switchOf('Analytics').click();
    expect(await switchOf('Hotjar').isChecked()).toBe(true);
    await switchOf('Hotjar').click();
    // A target of 44 pixels.
    const box = await visit.page
      .locator('label')
      .filter({ has: switchOf('YouTube') })
      .boundingBox();
    expect([box && box.height >= 44, box && box.width >= 44]).toEqual([true, true]);
    await press('Save preferences');
    await expectLoaded(['matomo']);
    const first = await lastSent();
    expect(first).toMatchObject({
      categories_accepted: ['functional', 'analytics'],
      vendors_rejected: ['hotjar'],
    });
    expect(first).not.toHaveProperty('vendors_accepted');
    expect(
      await ask('[pavis.has("analytics"), pavis.hasVendor("hotjar"), pavis.hasVendor("matomo")]'),
    ).toEqual([true, false, true]);
    expect((await site.records())[0]).toMatchObject({ vendors_rejected: ['hotjar'] });

    // As stored, before the status is known.
    loaded = [];
    await visit.page.reload();
    await expectLoaded(['matomo']);
    await ask('pavis.open()');
    await expand();
    expect(await switchOf('Hotjar').isChecked()).toBe(false);
    expect(await switchOf('Matomo').isChecked()).toBe(true);
    // By hand, the category resets its vendors.
    await switchOf('Analytics').click();
    await switchOf('Analytics').click();
    expect(await switchOf('Hotjar').isChecked()).toBe(true);
    await press('Save preferences');
    await expectLoaded(['matomo', 'hotjar']);
    expect(await lastSent()).not.toHaveProperty('vendors_rejected');
    expect(visit.faults).toEqual([]);
  });

  it('accept one vendor from its placeholder, and the category for unknown content', async () => {
    await visitPage();
    await press('Reject all');
    const always = visit.page.getByRole('button', { name: 'Always allow YouTube' });
    await expect.poll(() => always.count()).toBe(2);
    expect(loaded).toEqual([]);
    await always.first().click();
    await expectLoaded(['youtube']);
    expect(await lastSent()).toMatchObject({
      consent_action: 'manage',
      categories_accepted: ['functional'],
      vendors_accepted: ['youtube'],
      source: 'placeholder',
    });
    expect(await ask('[pavis.has("marketing"), pavis.hasVendor("youtube")]')).toEqual([
      false,
      true,
    ]);
    await press('Always allow Marketing');
    await expectLoaded(['youtube'], ['films.example/1']);
  });

  it('reload the page and delete the cookies of a vendor that is rejected later', async () => {
    await visitPage();
    await ask('pavis.accept()');
    await expectLoaded(SLUGS, ['films.example/1']);
    await ask('document.cookie = "_hjSession_1=1"; document.cookie = "_pk_id.1.1=1"');
    await ask('pavis.open()');
    await expand();
    await switchOf('Hotjar').click();
    const reloaded = visit.page.waitForEvent('load');
    loaded = [];
    await press('Save preferences');
    await reloaded;
    await expectLoaded(['matomo', 'youtube'], ['films.example/1']);
    const names = (await visit.page.context().cookies()).map(({ name }) => name);
    expect(names).toContain('_pk_id.1.1');
    expect(names).not.toContain('_hjSession_1');
  });

  it('keep the cookies of a vendor that stays accepted when its category is withdrawn', async () => {
    await visitPage();
    await ask('pavis.set(["analytics", "marketing"], "api", { vendors_accepted: ["matomo"] })');
    await expectLoaded(SLUGS, ['films.example/1']);
    await ask('document.cookie = "_hjSession_1=1"; document.cookie = "_pk_id.1.1=1"');
    const reloaded = visit.page.waitForEvent('load');
    loaded = [];
    await ask('void pavis.set(["marketing"])');
    await reloaded;
    await expectLoaded(['matomo', 'youtube'], ['films.example/1']);
    const names = (await visit.page.context().cookies()).map(({ name }) => name);
    expect(names).toContain('_pk_id.1.1');
    expect(names).not.toContain('_hjSession_1');
  });

  it('never let a vendor through that is rejected, or whose category is rejected and that is not accepted itself', async () => {
    await visitPage();
    const die = (sides: number) => Math.floor(Math.random() * sides);
    for (let round = 0; round < 8; round++) {
      const categories = ['analytics', 'marketing'].filter(() => die(2));
      const own = SLUGS.map((slug) => [slug, die(3)] as const);
      const vendors_accepted = own.filter(([, side]) => side === 1).map(([slug]) => slug);
      const vendors_rejected = own.filter(([, side]) => side === 2).map(([slug]) => slug);
      const choice = JSON.stringify([categories, { vendors_accepted, vendors_rejected }]);
      const allowed = SLUGS.filter(
        (slug) =>
          vendors_accepted.includes(slug) ||
          (!vendors_rejected.includes(slug) && categories.includes(CATEGORIES[slug])),
      );
      // On a page of its own, so that no script of the choice before is left.
      await visit.page.context().clearCookies();
      await visit.page.reload();
      loaded = [];
      await ask(`pavis.ready.then(() => pavis.set(...${choice.replace('],{', '],"api",{')}))`);
      const others = categories.includes('marketing') ? ['films.example/1'] : [];
      await expectLoaded(allowed, others);
      loaded = [];
      await visit.page.reload();
      await ask('pavis.ready.then(() => undefined)');
      await expectLoaded(allowed, others);
      await visit.page.waitForTimeout(100);
      await expectLoaded(allowed, others);
    }
    expect(visit.faults).toEqual([]);
  });

  it('keep an objection to a vendor for own use when visitors are asked again', async () => {
    const { consent } = await site.settings();
    const categories = consent.categories.map((each: { id: string }) =>
      each.id === 'analytics' ? { ...each, own_use: 'statistics' } : each,
    );
    await site.save({ categories, regimes: { mode: 'by_country' } });
    await visitPage('GB');
    await expectLoaded(['hotjar', 'matomo']);
    await ask(`void pavis.set(['analytics'], 'api', { vendors_rejected: ['hotjar'] })`);
    await visit.page.waitForEvent('load');
    await ask('pavis.ready.then(() => undefined)');
    for (const [mustAsk, change] of [
      [false, undefined],
      [true, () => site.save({ title: 'Asked again' })],
    ] as const) {
      await change?.();
      loaded = [];
      await visit.page.reload();
      await ask('pavis.ready.then(() => undefined)');
      await expectLoaded(['matomo']);
      await visit.page.waitForTimeout(200);
      await expectLoaded(['matomo']);
      expect(await ask('[pavis.mustAsk, pavis.hasVendor("hotjar")]')).toEqual([mustAsk, false]);
    }
    const { categories: before, regimes, title } = consent;
    await site.save({ categories: before, regimes, title });
  });

  it('are gone with the setting, and so is what they decided', async () => {
    await visitPage();
    await ask('pavis.set(["analytics"], "api", { vendors_rejected: ["hotjar"] })');
    await expectLoaded(['matomo']);
    await site.save({ vendor_choices: false });
    loaded = [];
    await visit.page.reload();
    await expectLoaded(['matomo', 'hotjar']);
    await ask('pavis.open()');
    await expand();
    expect(await visit.page.getByRole('switch').count()).toBe(4);
    expect(await ask('pavis.hasVendor ?? null')).toBeNull();
    await site.save({ vendor_choices: true });
  });
});
