import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';

const require = createRequire(import.meta.url);
const RULES = require('@duckduckgo/autoconsent/rules/rules.json');
const OURS = require('../../web/banner/autoconsent.json');
/** The content script for Playwright, which sends and receives messages as global functions. */
const SCRIPT = readFileSync(
  require
    .resolve('@duckduckgo/autoconsent')
    .replace('autoconsent.cjs.js', 'autoconsent.playwright.js'),
  'utf8',
);
const HELD = '<script type="text/plain" data-category="analytics" src="/held.js"></script>';

interface Message {
  type: string;
  /** Of an `eval`. */
  id?: string;
  code?: string;
  /** Of a `report`. */
  state?: { lifecycle: string; prehideOn: boolean };
}

/** Runs autoconsent with its own rules and ours on the pages that are opened from now on. */
async function addAutoconsent(page: Page, autoAction: 'optOut' | 'optIn') {
  const messages: Message[] = [];
  const config = { enabled: true, autoAction, enablePrehide: true, detectRetries: 20 };
  const rules = { ...RULES, autoconsent: [...RULES.autoconsent, OURS] };
  const send = (message: object) =>
    page.evaluate(`void autoconsentReceiveMessage(${JSON.stringify(message)})`);
  await page.exposeFunction('autoconsentSendMessage', async (message: Message) => {
    messages.push(message);
    const { type, id, code } = message;
    if (type === 'init') void send({ type: 'initResp', config, rules });
    if (type === 'eval' && code)
      void send({ type: 'evalResp', id, result: await page.evaluate(code) });
  });
  await page.addInitScript(SCRIPT);
  const wait = async (type: string) => {
    const find = () => messages.find((message) => message.type === type);
    await expect.poll(find, { message: type }).toBeTruthy();
    return find();
  };
  return { messages, send, wait };
}

describe('@duckduckgo/autoconsent with the rule of the banner', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit.page.context().close());

  const records = async () => {
    const id = await visit.page.evaluate('pavis.visitorId');
    return (await site.records()).filter(({ visitor_id }) => visitor_id === id);
  };
  const isAsking = () => visit.page.getByRole('dialog').isVisible();

  it.each(['bottom', 'center'])(
    'rejects in a banner at the position %s, and the rejection is recorded',
    async (position) => {
      visit = await site.visit({ body: HELD, banner: `data-position="${position}"` });
      const { send, wait } = await addAutoconsent(visit.page, 'optOut');
      await visit.page.reload();
      for (const type of ['cmpDetected', 'popupFound'])
        expect(await wait(type)).toMatchObject({ cmp: 'Pavis' });
      expect(await wait('optOutResult')).toMatchObject({ cmp: 'Pavis', result: true });
      expect(await wait('autoconsentDone')).toMatchObject({ cmp: 'Pavis', isCosmetic: false });
      await send({ type: 'selfTest' });
      expect(await wait('selfTestResult')).toMatchObject({ cmp: 'Pavis', result: true });
      await visit.page.evaluate('pavis.sent');
      expect(await isAsking()).toBe(false);
      expect(await records()).toMatchObject([
        { consent_action: 'reject_all', categories_accepted: ['functional'] },
      ]);
      expect(await visit.page.evaluate('window.ran ?? []')).toEqual([]);
      expect(visit.faults).toEqual([]);
    },
  );

  it('accepts for visitors who have asked for that', async () => {
    visit = await site.visit({ body: HELD });
    const { send, wait } = await addAutoconsent(visit.page, 'optIn');
    await visit.page.reload();
    expect(await wait('optInResult')).toMatchObject({ cmp: 'Pavis', result: true });
    await send({ type: 'selfTest' });
    expect(await wait('selfTestResult')).toMatchObject({ result: false });
    await visit.page.evaluate('pavis.sent');
    expect(await records()).toMatchObject([{ consent_action: 'accept_all' }]);
  });

  it('finds no popup after a choice', async () => {
    visit = await site.visit({ body: HELD });
    await visit.page.getByRole('button', { name: 'Accept all' }).click();
    const { messages } = await addAutoconsent(visit.page, 'optOut');
    await visit.page.reload();
    // It shows the page again when it has stopped looking for popups.
    await expect
      .poll(() => messages.findLast(({ type }) => type === 'report')?.state)
      .toMatchObject({ lifecycle: 'cmpDetected', prehideOn: false });
    expect(messages.map(({ type }) => type)).not.toContain('popupFound');
    expect(await visit.page.evaluate('pavis.has("analytics")')).toBe(true);
  });
});
