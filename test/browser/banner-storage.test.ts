import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { openPreferences, useBannerSite, type Visit } from '../support/banner.ts';

const BLOCKED = '<script type="text/plain" data-category="analytics" src="/one.js"></script>';

/** As Chromium does where the visitor has blocked the data of sites. */
const DENIES = `<script>
  const get = () => { throw new DOMException('denied', 'SecurityError'); };
  Object.defineProperty(window, 'localStorage', { get });
  Object.defineProperty(document, 'cookie', { get: () => '', set() {} });
</script>`;

/** Leaves no place for another character. */
const FULL = `<script>
  for (let text = 'x'.repeat(4194304), at = 0; text; at++) {
    try { localStorage['used' + at] = text; } catch { text = text.slice(text.length / 2 + 1); }
  }
</script>`;

describe('A choice', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit?.page.context().close());

  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
  const ran = (page: Page) => page.evaluate('window.ran ?? []');
  const isAsking = (page: Page) => page.getByRole('dialog').isVisible();
  const state = (page: Page) => page.evaluate('({ ...pavis.state, id: pavis.visitorId })');
  /** Waits for the response. Chromium stores a cookie a moment after a page has set it: other tabs can miss it until then. */
  const sent = (page: Page) => page.evaluate('pavis.sent');
  // Pages of the test browser are visible at all times.
  const comeBack = (page: Page) =>
    page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
  /** A second tab with the page of the first. */
  const openTab = async () => {
    const tab = await visit.page.context().newPage();
    await tab.goto(visit.page.url());
    await tab.evaluate('pavis.ready.then(() => undefined)');
    return tab;
  };

  it('stops what runs when it is withdrawn, also where nothing can be stored', async () => {
    visit = await site.visit({ body: BLOCKED, beforeBanner: DENIES });
    const { page } = visit;
    await press(page, 'Accept all');
    await page.waitForFunction('window.ran');
    await press(page, 'Privacy choices');
    const reloaded = page.waitForEvent('load');
    await press(page, 'Withdraw consent');
    await reloaded;
    await page.getByRole('dialog').waitFor();
    expect(await ran(page)).toEqual([]);
    expect(visit.faults).toEqual([]);
    // A request of the page before can still be on its way.
    await expect
      .poll(() => site.records())
      .toMatchObject([{ consent_action: 'reject_all' }, { consent_action: 'accept_all' }]);
  });

  it('is sent if the storage of the site is full', async () => {
    visit = await site.visit({ beforeBanner: FULL });
    await press(visit.page, 'Accept all');
    await press(visit.page, 'Privacy choices');
    await press(visit.page, 'Reject all');
    await expect.poll(() => visit.sent.length).toBe(2);
    const id = visit.sent[0]?.body.visitor_id;
    const listActions = async () =>
      (await site.records())
        .filter(({ visitor_id }) => visitor_id === id)
        .map(({ consent_action }) => consent_action);
    await expect.poll(listActions).toEqual(['reject_all', 'accept_all']);
  });

  it('applies in the other tabs when the visitor comes back to them', async () => {
    visit = await site.visit({ body: BLOCKED });
    const [one, two] = [visit.page, await openTab()];
    await openPreferences(one);
    await press(two, 'Accept all');
    await sent(two);
    await comeBack(one);
    await one.waitForFunction('window.ran');
    expect(await isAsking(one)).toBe(false);
    expect(await state(one)).toEqual(await state(two));

    await press(two, 'Privacy choices');
    const reloadedTwo = two.waitForEvent('load');
    await press(two, 'Reject all');
    await reloadedTwo;
    const reloaded = one.waitForEvent('load');
    await comeBack(one);
    await reloaded;
    expect(await ran(one)).toEqual([]);
    expect(await state(one)).toMatchObject({ action: 'reject_all' });
    expect(visit.sent).toEqual([]);
  });

  it('is the later one of two tabs that choose within a second', async () => {
    visit = await site.visit();
    const [one, two] = [visit.page, await openTab()];
    for (const page of [one, two]) await page.clock.setFixedTime(new Date());
    await press(one, 'Accept all');
    await sent(one);
    await comeBack(two);
    const reloaded = two.waitForEvent('load');
    await two.evaluate('void pavis.reject()');
    await reloaded;
    const left = one.waitForEvent('load');
    await comeBack(one);
    await left;
    expect(await state(one)).toMatchObject({ action: 'reject_all' });
  });

  it('is the last one of three that alternate between two tabs within a second', async () => {
    visit = await site.visit();
    const [one, two] = [visit.page, await openTab()];
    for (const page of [one, two]) await page.clock.setFixedTime(new Date());
    await one.evaluate('pavis.set([])');
    await two.evaluate("pavis.set(['functional'])");
    await one.evaluate('pavis.accept()');
    await comeBack(two);
    expect(await state(two)).toMatchObject({ action: 'accept_all' });
    const { id } = (await state(one)) as { id: string };
    const [latest] = (await site.records()).filter(({ visitor_id }) => visitor_id === id);
    expect(latest).toMatchObject({ consent_action: 'accept_all' });
  });

  it('of two tabs at the same time has one visitor id', async () => {
    visit = await site.visit();
    const two = await openTab();
    await press(visit.page, 'Accept all');
    await sent(visit.page);
    await press(two, 'Reject all');
    expect(await two.evaluate('pavis.visitorId')).toBe(
      await visit.page.evaluate('pavis.visitorId'),
    );
  });
});
