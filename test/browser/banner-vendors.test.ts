import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFinds, isForPhones } from '../support/accessible.ts';
import { openPreferences, useBannerSite, type Visit, waitForVendors } from '../support/banner.ts';

const VENDORS = '/consent/vendors';

describe('The vendors and the consent id in the preferences', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit?.page.context().close());
  beforeAll(async () => {
    const register = (label: string, category: string, script_url: string) => {
      const handle = label.toLowerCase().replace(' ', '-');
      return site.register({ handle, label, category, script_url });
    };
    await register('ga', 'analytics', 'https://www.googletagmanager.com/gtag/js?id=G-ABCDEFG');
    await register('hotjar', 'analytics', 'https://static.hotjar.com/c/hotjar-1.js');
    await register('Our pixel', 'marketing', 'https://pixel.nobody.example/px.js');
  });

  const expand = async () => {
    await waitForVendors(visit.page);
    await visit.page.evaluate(`document.querySelector('pavis-banner').shadowRoot
      .querySelectorAll('details').forEach((each) => { each.open = true; })`);
  };
  const summary = (name: string) => visit.page.locator('summary').filter({ hasText: name });

  it('are requested once the preferences open, and expanded with the keyboard', async () => {
    visit = await site.visit();
    const { page } = visit;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('dialog').waitFor();
    expect(asked.filter((url) => url.includes(VENDORS))).toEqual([]);
    await openPreferences(page);
    expect(asked.filter((url) => url.includes(VENDORS))).toHaveLength(1);
    await waitForVendors(page);

    const analytics = page.getByText('Services and cookies (2)');
    expect(await page.getByText('Google Analytics').isVisible()).toBe(false);
    expect(await page.locator('summary').first().getAttribute('aria-label')).toBe(
      'Analytics: Services and cookies (2)',
    );
    await page.getByRole('switch', { name: 'Analytics' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await analytics.isVisible()).toBe(true);
    expect(await page.getByText('Counts visits, page views').isVisible()).toBe(true);
    const policy = page.getByRole('link', { name: 'Privacy policy: Google Analytics' });
    expect(await policy.getAttribute('href')).toBe('https://policies.google.com/privacy');
    const cookies = await page.locator('dl').first().innerText();
    expect(cookies).toMatch(/^_ga\s+2 years \(typical\)/);
    expect(await summary('Hotjar').isVisible()).toBe(true);
    expect(await page.getByRole('term').filter({ hasText: '_hj' }).first().isVisible()).toBe(false);

    await page.getByRole('switch', { name: 'Marketing' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.getByText('Our pixel').isVisible()).toBe(true);
    expect(visit.faults).toEqual([]);
  });

  it('are accessible when all are expanded, in both themes and from 320 px', async () => {
    visit = await site.visit({ lang: 'en' }, { colorScheme: 'light' });
    await visit.page.evaluate('pavis.accept().then(() => pavis.open())');
    await expand();
    expect(await axeFinds(visit.page)).toEqual([]);
    await isForPhones(visit.page, { isOurs: false });
    const small = await visit.page.evaluate(`[...document.querySelector('pavis-banner').shadowRoot
      .querySelectorAll('summary, a, button, textarea')].filter((each) => each.clientHeight
        && each.getBoundingClientRect().height < 44).map((each) => each.outerHTML)`);
    expect(small).toEqual([]);
  });

  it('do not delay a choice if they cannot be read', async () => {
    visit = await site.visit();
    await visit.page.route(`**${VENDORS}*`, () => {});
    await openPreferences(visit.page);
    expect(await visit.page.locator('summary').count()).toBe(0);
    await visit.page.getByRole('button', { name: 'Save preferences' }).click();
    await visit.page.waitForFunction('pavis.state.action === "manage"');
  });

  it('are in the preferences when these are opened again from the first layer, if they arrive late', async () => {
    visit = await site.visit();
    const { page } = visit;
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**${VENDORS}*`, async (route) => {
      await isReleased;
      await route.continue();
    });
    await openPreferences(page);
    const analytics = page.getByRole('switch', { name: 'Analytics' });
    await analytics.check();
    const arrived = page.waitForResponse(`**${VENDORS}*`);
    release();
    await (await arrived).finished();
    // No switch moves while the preferences are open.
    expect(await summary('Services and cookies').count()).toBe(0);
    await page.keyboard.press('Escape');
    await openPreferences(page);
    await summary('Services and cookies').first().waitFor();
    expect(await analytics.isChecked()).toBe(true);
  });

  it('come with the receipt and the withdrawal after a choice', async () => {
    visit = await site.visit();
    const { page } = visit;
    await openPreferences(page);
    expect(await page.getByLabel('Consent ID').count()).toBe(0);
    await page.getByRole('switch', { name: 'Analytics' }).click();
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await page.evaluate('pavis.open()');
    const id = await page.evaluate<string>('pavis.visitorId');
    const field = page.getByLabel('Consent ID');
    expect(await field.inputValue()).toBe(id);
    await field.focus();
    expect(await page.evaluate('getSelection().toString()')).toBe(id);
    const receipt = page.getByRole('link', { name: 'Download my consent receipt' });
    expect(await receipt.getAttribute('href')).toContain(`/consent/receipt?visitor_id=${id}`);

    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Withdraw consent' }).click();
    await reloaded;
    await page.evaluate('pavis.ready.then(() => pavis.open())');
    expect(await page.evaluate('[pavis.state.action, pavis.state.accepted.join()]')).toEqual([
      'reject_all',
      'functional',
    ]);
    // Sent again if the page was reloaded before the server had answered.
    const newest = async () => (await site.records())[0];
    await expect.poll(newest).toMatchObject({
      visitor_id: id,
      consent_action: 'reject_all',
      source: 'preferences',
    });
    expect(await field.inputValue()).toBe(id);
    // There is nothing left to withdraw.
    expect(await page.getByRole('button', { name: 'Withdraw consent' }).count()).toBe(0);
  });

  it('lose their cookies with the category of their script, and keep them with another', async () => {
    const url = 'https://connect.facebook.net/en_US/fbevents.js';
    await site.register({ handle: 'meta', label: 'Meta', category: 'analytics', script_url: url });
    visit = await site.visit();
    const { page } = visit;
    await page.getByRole('button', { name: 'Accept all' }).click();
    await visit.untilAnswered();
    await page.evaluate('document.cookie = "_fbp=1;path=/"');
    const set = async (...accepted: string[]) => {
      const reloaded = page.waitForEvent('load');
      await page.evaluate(`void pavis.set(${JSON.stringify(['functional', ...accepted])})`);
      await reloaded;
      return page.evaluate<string>('document.cookie');
    };
    expect(await set('analytics', 'personalisation')).toContain('_fbp');
    expect(await set('personalisation')).not.toContain('_fbp');
  });
});
