import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPreferences, useBannerSite, type Visit } from '../support/banner.ts';

const GPC = `<script>Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })</script>`;
const DENIED = {
  ad_storage: 'denied',
  ad_user_data: 'denied',
  ad_personalization: 'denied',
  analytics_storage: 'denied',
  functionality_storage: 'denied',
  personalization_storage: 'denied',
};
/** What the WP Consent API plugin has in the page (assets/js/wp-consent-api.js), at the end, as WordPress puts it. */
const PLUGIN = `<script>
  document.addEventListener('wp_consent_type_defined', () => { window.type = wp_consent_type; });
  var fallback = '';
  function wp_has_consent(category) {
    const type = window.wp_consent_type ?? fallback;
    const value = document.cookie.match('wp_consent_' + category + '=([a-z]+)')?.[1] ?? '';
    return !type || (type.includes('optout') && value === '') || value === 'allow';
  }
  function wp_set_consent(category, value) { document.cookie = 'wp_consent_' + category + '=' + value + ';path=/'; }
  window.first = wp_has_consent('marketing');
</script>`;
const TAG = '<script type="text/plain" data-category="analytics" src="/tag.js"></script>';

describe('Privacy signals of the banner', () => {
  const site = useBannerSite();
  let visit: Visit;
  beforeAll(() => site.save({ signals: ['google', 'wordpress'] }));
  afterEach(() => visit?.page.context().close());

  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const press = (name: string) => visit.page.getByRole('button', { name }).click();
  const settle = () => visit.page.waitForTimeout(300);
  const google = () => ask<unknown[][]>('window.dataLayer.map((each) => Array.from(each))');

  it('sends Consent Mode a denied default first and updates afterwards', async () => {
    const head = `<script>window.first = JSON.stringify(Array.from(window.dataLayer[0]));
      window.dataLayer.push(['js', 'their tag'])</script>`;
    visit = await site.visit({ head });
    const standard = { ...DENIED, security_storage: 'granted', wait_for_update: 500 };
    expect(JSON.parse(await ask<string>('window.first'))).toEqual(['consent', 'default', standard]);
    await openPreferences(visit.page);
    await visit.page.getByRole('switch', { name: 'Analytics' }).click();
    await press('Save preferences');
    const granted = { analytics_storage: 'granted', functionality_storage: 'granted' };
    await expect.poll(google).toEqual([
      ['consent', 'default', standard],
      ['js', 'their tag'],
      ['consent', 'update', { ...DENIED, ...granted }],
    ]);
    // Google reads `arguments` objects, not arrays.
    expect(await ask('Array.isArray(window.dataLayer[0])')).toBe(false);
    await visit.page.reload();
    await settle();
    expect((await google()).map(([, kind]) => kind)).toEqual(['default', 'update', 'their tag']);
  });

  it('sends nothing to Consent Mode with data-consent-mode="off"', async () => {
    visit = await site.visit({ banner: 'data-consent-mode="off"' });
    await press('Accept all');
    expect(await ask('window.dataLayer ?? null')).toBeNull();
  });

  it('treats Global Privacy Control as a rejection without a record; a later choice takes precedence', async () => {
    visit = await site.visit({
      banner: '',
      head: '<script>document.addEventListener("pavis:consent", ({ detail }) => (window.heard ??= []).push(detail))</script>',
      body: TAG,
      beforeBanner: GPC,
    });
    await settle();
    expect(await visit.page.getByRole('dialog').isVisible()).toBe(false);
    expect(visit.sent).toEqual([]);
    expect(await visit.page.context().cookies()).toEqual([]);
    expect(await ask('window.heard')).toEqual([
      {
        accepted: ['functional'],
        rejected: ['analytics', 'marketing', 'personalisation'],
        action: 'gpc',
        version: expect.any(Number),
      },
    ]);
    await press('Privacy choices');
    await press('Accept all');
    await visit.page.waitForFunction('window.ran');
    await ask('pavis.sent');
    expect(visit.sent[0]?.body).toMatchObject({ consent_action: 'accept_all', gpc: true });
    await visit.page.reload();
    await visit.page.waitForFunction('window.ran');
    expect((await site.records())[0]).toMatchObject({ gpc: true, consent_action: 'accept_all' });
  });

  it('applies Global Privacy Control over an earlier choice', async () => {
    visit = await site.visit({ body: TAG });
    await press('Accept all');
    await visit.page.waitForFunction('window.ran');
    await visit.page.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })`,
    );
    visit.asked.length = 0;
    await visit.page.reload();
    await settle();
    expect(visit.asked).not.toContain('GET /tag.js');
    expect(await ask('pavis.state.action')).toBe('gpc');
  });

  it('fires an event for each choice and for a stored one', async () => {
    visit = await site.visit({
      head: '<script>document.addEventListener("pavis:consent", ({ detail }) => (window.heard ??= []).push(detail.action))</script>',
    });
    await ask(`(window.calls = [], window.stop = pavis.onChange((now, before) =>
      window.calls.push([before.action, now.action, now.accepted.length])),
      pavis.onChange(() => { throw new Error('of a listener'); }))`);
    expect(await ask('window.heard ?? null')).toBeNull();
    await ask(`(document.body.onclick = pavis.accept, document.body.click())`);
    await visit.page.waitForFunction('window.heard');
    await ask('window.stop()');
    await ask('pavis.set(["analytics", "marketing", "personalisation", "nonsense"])');
    expect(await ask('window.calls')).toEqual([[null, 'accept_all', 4]]);
    expect(await ask('window.heard')).toEqual(['accept_all', 'manage']);
    expect(await ask('pavis.state.rejected')).toEqual([]);
    expect(visit.sent.map(({ body }) => body.source)).toEqual(['api', 'api']);
    await visit.page.reload();
    await visit.page.waitForFunction('window.heard');
    expect(await ask('window.heard')).toEqual(['manage']);
  });

  it('takes categories that are set one after another by the WP Consent API as one choice', async () => {
    visit = await site.visit();
    await ask('pavis.accept()');
    // The page is reloaded without what it has loaded.
    const reloaded = visit.page.waitForEvent('load');
    await ask('(wp_set_consent("statistics", "deny"), wp_set_consent("marketing", "deny"))');
    await reloaded;
    await ask('pavis.ready.then(() => undefined)');
    expect(visit.sent).toHaveLength(2);
    expect(await ask('pavis.state.accepted')).toEqual(['functional', 'personalisation']);
    await ask(
      '(wp_set_consent("statistics", "allow"), wp_set_consent("marketing", "allow"), wp_set_consent("marketing", "deny"))',
    );
    await expect.poll(() => visit.sent.length).toBe(3);
    expect(await ask('pavis.state.accepted')).toEqual([
      'functional',
      'analytics',
      'personalisation',
    ]);
  });

  it('provides the WP Consent API and denies before a choice', async () => {
    visit = await site.visit({
      banner: 'data-wp-consent="cookies"',
      head: '<script>document.addEventListener("wp_listen_for_consent_change", ({ detail }) => Object.assign(window.told ??= {}, detail))</script>',
      body: TAG,
    });
    expect(await ask('wp_has_consent("statistics")')).toBe(false);
    await ask('wp_set_consent("statistics", "allow")');
    await visit.page.waitForFunction('window.ran');
    const told = {
      functional: 'allow',
      statistics: 'allow',
      'statistics-anonymous': 'allow',
      marketing: 'deny',
      preferences: 'deny',
    };
    expect(await ask('window.told')).toEqual(told);
    expect(await ask('[wp_has_consent("statistics"), wp_has_consent("marketing")]')).toEqual([
      true,
      false,
    ]);
    const cookies = await visit.page.context().cookies();
    for (const [name, value] of Object.entries(told)) {
      expect(cookies).toContainEqual(
        expect.objectContaining({ name: `wp_consent_${name}`, value }),
      );
    }
    await expect
      .poll(() => visit.sent[0]?.body)
      .toMatchObject({ consent_action: 'manage', source: 'api' });
  });

  it('gives the WP Consent API plugin its consent type and each choice', async () => {
    visit = await site.visit({ body: PLUGIN });
    const has = () => ask('[wp_has_consent("functional"), wp_has_consent("marketing")]');
    await settle();
    expect(await ask('[first, type, document.cookie]')).toEqual([false, 'optin', '']);
    await press('Reject all');
    await visit.untilAnswered();
    expect(await has()).toEqual([true, false]);
    expect(await ask('document.cookie')).toContain('wp_consent_marketing=deny');
    await ask('pavis.accept()');
    expect(await has()).toEqual([true, true]);
  });

  it('passes what applies at the start of a page to the WP Consent API plugin', async () => {
    visit = await site.visit({ body: PLUGIN });
    const context = visit.page.context();
    await press('Accept all');
    await visit.untilAnswered();
    await context.clearCookies({ name: /^wp_consent_/ });
    await visit.page.reload();
    await expect.poll(() => ask('wp_has_consent("marketing")')).toBe(true);
    // Consent that has ended.
    await context.clearCookies({ name: 'pavis_consent' });
    await visit.page.reload();
    await expect.poll(() => ask('wp_has_consent("marketing")')).toBe(false);
  });

  it('reads, stores and sends consent with the headless module', async () => {
    visit = await site.visit({
      withoutBanner: true,
      head: `<script type="module">
        import { createConsent } from '${site.app.url}/banner.headless.js';
        window.consent = createConsent();
        await consent.ready;
        window.asks = consent.mustAsk && Object.keys(consent.status.categories).length;
      </script>`,
    });
    await visit.page.waitForFunction('window.asks');
    expect(await ask('window.asks')).toBe(4);
    expect(await ask('consent.texts().then((texts) => texts.manage_text)')).toBe(
      'Manage preferences',
    );
    await ask('consent.set(["marketing"], "headless")');
    expect(await ask('consent.has("marketing")')).toBe(true);
    expect((await site.records())[0]).toMatchObject({
      source: 'headless',
      categories_accepted: ['functional', 'marketing'],
    });
    await visit.page.reload();
    await visit.page.waitForFunction('window.asks === false');
    expect(await visit.page.locator('pavis-banner').count()).toBe(0);
  });

  it('sends signals as a module', async () => {
    visit = await site.visit({
      withoutBanner: true,
      head: `<script type="module">
        import { startBanner } from '${site.app.url}/banner.esm.js';
        window.pavis = startBanner({ position: 'top-left', button: 'off' });
      </script>`,
    });
    await press('Reject all');
    await expect.poll(() => ask('pavis.state.action')).toBe('reject_all');
    await settle();
    expect(await visit.page.getByRole('button').count()).toBe(0);
  });
});
