import { afterEach, describe, expect, it } from 'vitest';
import { openPreferences, useBannerSite, type Visit } from '../support/banner.ts';

const CHOICE = 'pavis_consent';
const HELD = '<script type="text/plain" data-category="analytics" src="/held.js"></script>';

describe('A banner that is changed while it is open', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit.page.context().close());

  let edits = 0;
  const changeLooks = () =>
    site.save({ accept_text: 'Accept all', position: edits++ % 2 ? 'bottom' : 'top' });
  const changeQuestion = async () => {
    const title = `Question ${++edits}`;
    await site.save({ title });
    return title;
  };
  const press = (name: string) => visit.page.getByRole('button', { name }).click();
  const asking = (title: string) => visit.page.getByRole('heading', { name: title }).waitFor();
  const ask = (expression: string): Promise<unknown> => visit.page.evaluate(expression);
  const version = async () =>
    (await site.app.http.get('/wp-json/svc/v1/consent/status')).json.version;
  async function choice() {
    const cookie = (await visit.page.context().cookies()).find(({ name }) => name === CHOICE);
    return cookie && JSON.parse(decodeURIComponent(cookie.value));
  }
  /** The records of this visitor, newest first. */
  async function records() {
    const id = (await choice())?.visitor_id;
    return (await site.records()).filter(({ visitor_id }) => visitor_id === id);
  }
  const open = async (...args: Parameters<typeof site.visit>) => {
    visit = await site.visit(...args);
    await visit.page.getByRole('dialog').waitFor();
  };

  it('records the version that was shown if consent to it is valid', async () => {
    await open({ body: HELD });
    const shown = await version();
    await changeLooks();
    await press('Accept all');
    await ask('pavis.sent');
    expect(await version()).toBe(shown + 1);
    expect(await records()).toMatchObject([
      { config_version: shown, consent_action: 'accept_all' },
    ]);
    expect((await choice()).version).toBe(shown);
    await visit.page.reload();
    await visit.page.waitForFunction('window.ran?.includes("held")');
    expect(await ask('pavis.mustAsk')).toBe(false);
  });

  it('shows the newer version that another tab has shown, before it records a choice on it', async () => {
    await open();
    await ask('pavis.open()');
    await visit.page.keyboard.press('Escape');
    await visit.page.keyboard.press('Escape');
    await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
    const title = await changeQuestion();
    const tab = await visit.page.context().newPage();
    await tab.goto(visit.page.url());
    await tab.getByRole('button', { name: 'Accept all' }).click();
    await tab.evaluate('pavis.sent');
    // Pages of the test browser are visible at all times.
    await ask("void document.dispatchEvent(new Event('visibilitychange'))");
    await visit.page.waitForFunction('pavis.state.action');
    await ask('pavis.open()');
    await asking(title);
    expect(await visit.page.locator('pavis-banner').count()).toBe(1);
    await press('Save preferences');
    await ask('pavis.sent');
    const latest = await version();
    expect((await records()).map(({ config_version }) => config_version)).toEqual([latest, latest]);
    expect(visit.faults).toEqual([]);
  });

  it('shows the texts of the version that it sends', async () => {
    await changeQuestion();
    // The banner requests the texts only for a page in another language than its file.
    await site.save({
      languages: ['en', 'de'],
      translations: [{ language: 'de', title: 'Frage' }],
    });
    const texts = Promise.withResolvers<void>();
    visit = await site.visit({ withoutBanner: true, lang: 'de' });
    const shown = await version();
    await visit.page.route('**/consent/texts?*', async (route) => {
      await texts.promise;
      await route.continue();
    });
    const asked = visit.page.waitForRequest('**/consent/texts?*');
    await ask(
      `document.head.append(Object.assign(document.createElement('script'), { src: '${site.app.url}/banner.js' }))`,
    );
    await asked;
    await site.save({ reject_text: 'No, thank you' });
    texts.resolve();
    await press('Reject all');
    await ask('pavis.sent');
    expect(await records()).toMatchObject([{ config_version: shown }]);
    await site.save({ reject_text: 'Reject all', languages: ['en'], translations: [] });
  });

  it('shows and records the language of its file if it cannot get the texts of the page', async () => {
    await site.save({
      languages: ['en', 'de'],
      translations: [{ language: 'de', title: 'Frage' }],
    });
    visit = await site.visit({ withoutBanner: true, lang: 'de' });
    await visit.page.route('**/consent/texts?*', (route) => route.abort());
    await ask(
      `document.head.append(Object.assign(document.createElement('script'), { src: '${site.app.url}/banner.js' }))`,
    );
    await press('Reject all');
    await ask('pavis.sent');
    expect(await records()).toMatchObject([{ language: 'en' }]);
    await site.save({ languages: ['en'], translations: [] });
  });

  it.each(['Accept all', 'Reject all'])(
    'asks again with the new texts after "%s" and discards the choice',
    async (answer) => {
      await open({ body: HELD });
      const title = await changeQuestion();
      const reloaded = visit.page.waitForEvent('load');
      await press(answer);
      await reloaded;
      await asking(title);
      expect(await ask('[pavis.has("analytics"), pavis.mustAsk, window.ran ?? []]')).toEqual([
        false,
        true,
        [],
      ]);
      expect(await records()).toEqual([]);
      expect((await choice()).categories_accepted).toEqual([]);
      const id = (await choice()).visitor_id;
      await press('Accept all');
      await ask('pavis.sent');
      await visit.page.waitForFunction('window.ran?.includes("held")');
      expect(await records()).toMatchObject([{ config_version: await version(), visitor_id: id }]);
      expect(visit.faults).toEqual([]);
    },
  );

  it('opens the preferences of a banner of which a category was removed', async () => {
    const { consent } = await site.settings();
    await open();
    await site.save({
      categories: consent.categories.filter(({ id }: { id: string }) => id !== 'personalisation'),
    });
    await openPreferences(visit.page);
    await visit.page.getByRole('switch', { name: 'Analytics' }).click();
    const reloaded = visit.page.waitForEvent('load');
    await press('Save preferences');
    await reloaded;
    await visit.page.getByRole('dialog').waitFor();
    await openPreferences(visit.page);
    expect(await visit.page.getByRole('switch').count()).toBe(consent.categories.length - 1);
    expect(visit.faults).toEqual([]);
    await site.save({ categories: consent.categories });
  });

  it('asks again with Global Privacy Control if the visitor has chosen', async () => {
    visit = await site.visit({
      beforeBanner: `<script>Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })</script>`,
    });
    expect(await ask('pavis.mustAsk')).toBe(false);
    await press('Privacy choices');
    const title = await changeQuestion();
    const reloaded = visit.page.waitForEvent('load');
    await press('Accept all');
    await reloaded;
    await asking(title);
    await press('Reject all');
    await ask('pavis.sent');
    expect(await records()).toMatchObject([{ consent_action: 'reject_all' }]);
  });

  it('keeps content blocked if the server cannot be reached after it rejected a choice', async () => {
    await open({ body: HELD });
    await changeQuestion();
    await visit.page.route('**/consent/status', (route) => route.abort());
    const reloaded = visit.page.waitForEvent('load');
    await press('Accept all');
    await reloaded;
    await ask('pavis.ready');
    expect(await ask('[pavis.has("analytics"), window.ran ?? []]')).toEqual([false, []]);
    await visit.page.unroute('**/consent/status');
    await visit.page.reload();
    await visit.page.getByRole('dialog').waitFor();
  });

  it('notifies the headless module to ask again without a reload', async () => {
    visit = await site.visit({ withoutBanner: true });
    await ask(`import('${site.app.url}/banner.headless.js').then(async ({ createConsent }) => {
      window.consent = createConsent();
      await consent.ready;
      window.heard = [];
      consent.onChange(({ action, accepted }) => heard.push([action, accepted.length]));
    })`);
    await changeQuestion();
    await ask('consent.accept("headless")');
    expect(await ask('[consent.mustAsk, consent.state.action, consent.has("analytics")]')).toEqual([
      true,
      null,
      false,
    ]);
    expect(await ask('window.heard')).toEqual([
      ['accept_all', 4],
      [null, 1],
    ]);
    expect(await records()).toEqual([]);
    await ask('consent.accept("headless")');
    expect(await records()).toMatchObject([
      { config_version: await version(), source: 'headless' },
    ]);
  });
});
