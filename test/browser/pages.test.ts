import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderMail } from '../../src/mail/template.ts';
import { axeFinds, listsWithoutRole } from '../support/accessible.ts';
import { openBrowser } from '../support/browser.ts';
import { createDsarClient, tokenIn } from '../support/dsar.ts';
import { createBearerHeader, makeLicence } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const WIDTHS = [1440, 320];
/** Elements that scroll sideways. */
const CUT_OFF = `[...document.querySelectorAll('main *:not(input)')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX))
  .map((each) => each.outerHTML.slice(0, 80))`;
const REFERENCE = /DSR-\d{8}-[A-Z0-9]{6}/;

// Dozens of axe runs, which are slow on a busy machine.
describe('Public pages in a browser', { timeout: 120_000 }, () => {
  const app = useTestApp('sqlite');
  const dsarClient = createDsarClient(app);
  let browser: { context: BrowserContext; close(): Promise<void> };
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    page = await browser.context.newPage();
    complaints.length = 0;
    page.on('console', (message) => {
      // The browser also logs 4xx responses to invalid forms.
      if (!message.text().includes('the server responded with a status of 4')) {
        complaints.push(message.text());
      }
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== app.url) complaints.push(request.url());
    });
  });
  afterEach(() => page.close());
  afterAll(() => browser?.close());

  const open = (path: string) => page.goto(app.url + path);
  const click = (what: string) => Promise.all([page.waitForEvent('load'), page.click(what)]);
  const press = () => click('main form button');

  /** No axe violation in light or dark mode, and no content beyond the viewport. */
  async function isFlawless(state: string): Promise<void> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFinds(page), `${state} at ${width}`).toEqual([]);
      const beside = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(beside, `${state} at ${width}`).toBeLessThanOrEqual(0);
      expect(await page.evaluate(CUT_OFF), `${state} at ${width}`).toEqual([]);
    }
    expect(await listsWithoutRole(page), state).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFinds(page, ['color-contrast']), `${state} in dark mode`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    const headings = await page.locator('h1').count();
    expect([state, headings, complaints]).toEqual([state, 1, []]);
  }

  it.each(['en', 'de'])('shows accessible request pages in each state, in %s', async (language) => {
    const email = `${language}@example.com`;
    await open(`/privacy/?lang=${language}`);
    await isFlawless('form');
    await page.fill('#email', 'nobody');
    await press();
    await isFlawless('form with errors');
    expect(await page.evaluate('document.activeElement.className')).toBe('summary');
    await page.click('.summary a >> nth=0');
    expect(await page.evaluate('document.activeElement.id')).toBe('type-access');
    await page.click('label[for="type-deletion"]');
    await page.fill('#email', email);
    await press();
    const reference = REFERENCE.exec(await page.innerText('main'))?.[0] ?? '';
    await isFlawless('sent');

    await open(`/privacy/status?lang=${language}`);
    await isFlawless('status form');
    await page.fill('#reference', 'DSR-20261121-ZZZZZZ');
    await page.fill('#email', email);
    await press();
    await isFlawless('status of an unknown request');
    await page.fill('#reference', reference);
    await press();
    await isFlawless('status');

    const mail = (await dsarClient.mails()).find(({ to }) => to === email);
    await open(`/privacy/confirm?lang=${language}&token=${tokenIn(mail ?? { text: '' })}`);
    await isFlawless('confirm');
    await press();
    await isFlawless('confirmed');
    await open(`/privacy/download?lang=${language}&token=none`);
    await isFlawless('invalid link');
    await open(`/privacy/nothing?lang=${language}`);
    await isFlawless('page not found');
  });

  it('tell screen readers of no invalid field before something was entered', async () => {
    for (const path of ['/privacy/', '/privacy/status', '/account/']) {
      await open(path);
      expect(await page.locator('[aria-required=true]').count(), path).toBeGreaterThan(0);
      // Firefox says "invalid entry" of these.
      expect(await page.locator('form:invalid').count(), path).toBe(0);
    }
  });

  it('sends a request with the keyboard only, without focus on the honeypot', async () => {
    await open('/privacy/');
    const seen: string[] = [];
    for (let tabs = 0; tabs < 12; tabs++) {
      await page.keyboard.press('Tab');
      seen.push(
        String(
          await page.evaluate(
            'document.activeElement.id || document.activeElement.className || document.activeElement.tagName',
          ),
        ),
      );
    }
    expect(seen).toEqual(
      expect.arrayContaining([
        'skip',
        'type-access',
        'email',
        'first_name',
        'additional_info',
        'BUTTON',
      ]),
    );
    const box = await page.locator('[name=pv_hp_check]').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(0);
    expect(seen).not.toContain('INPUT');
    await page.focus('#type-access');
    await page.keyboard.press('ArrowDown');
    expect(await page.isChecked('#type-deletion')).toBe(true);
    await page.fill('#email', 'keys@example.com');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/privacy\/sent/);
  });

  it.each([
    '/',
    '/nowhere',
    '/privacy/?lang=de',
    '/privacy/status?lang=de',
    '/account/',
    '/account/buy',
    '/docs/',
  ])('%s fits a phone whose reader has doubled the text size', async (path) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await open(path);
    const fontSizes = { standard: 32, fixed: 26 };
    await (await browser.context.newCDPSession(page)).send('Page.setFontSizes', { fontSizes });
    const measure = `(({ scrollWidth }) => [
      getComputedStyle(document.documentElement).fontSize,
      scrollWidth,
    ])(document.documentElement)`;
    await expect.poll(() => page.evaluate(measure)).toEqual(['32px', 320]);
  });

  it('shows an accessible start page and 404 page', async () => {
    await open('/');
    await isFlawless('start page');
    for (const link of await page.getByRole('link').all()) {
      const address = new URL((await link.getAttribute('href')) ?? '', page.url());
      expect((await page.request.get(address.href)).status(), address.pathname).toBe(200);
    }
    await open('/somewhere/else');
    await isFlawless('page not found');
    await page.getByRole('link', { name: /^Documentation/ }).click();
    await page.waitForURL(/\/docs\/$/);
    const asJson = await page.request.get(`${app.url}/somewhere/else`);
    expect(await asJson.json()).toMatchObject({ error: 'not_found' });
    await open('/wp-json/svc/v1/nothing');
    expect(await page.innerText('body')).toContain('rest_no_route');
    await open('/');
    // The file is mentioned only if the first run created it.
    expect(await page.getByText('first-run.json').count()).toBe(0);
  });

  it('renders accessible emails in light and dark mode', async () => {
    const { html } = renderMail({
      language: 'en',
      subject: 'Your sign-in link',
      parts: [
        'Hello,\nwe received a request for a sign-in link.',
        { facts: [['Reference', 'DSR-20261121-ABCDEF']] },
        { link: `https://example.com/account/sign-in?token=${'t'.repeat(80)}`, label: 'Sign in' },
        {
          link: `https://example.com/privacy/${'p'.repeat(80)}`,
          label: 'Check the status of your request',
        },
      ],
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 600 });
      await page.setContent(html);
      expect(await axeFinds(page, ['color-contrast', 'html-has-lang']), colorScheme).toEqual([]);
      const beside = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(beside, colorScheme).toBeLessThanOrEqual(0);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('shows accessible customer pages in each state', async () => {
    const { key, email } = await makeLicence(app.platform);
    await makeLicence(app.platform, { email, expiresAt: app.clock.now() - 1, tier: 'agency' });
    for (const site of [
      'https://example.com',
      `https://${'long-name-'.repeat(5)}.example.com/${'path'.repeat(40)}`,
    ]) {
      expect((await app.http.site('activate', key, site)).status).toBe(200);
    }
    await open('/account/');
    await isFlawless('sign-in form');
    await page.fill('#email', 'nobody');
    await press();
    await isFlawless('sign-in form with errors');
    await page.fill('#email', email);
    await press();
    await isFlawless('sign-in link sent');
    await open('/account/sign-in?token=none');
    await isFlawless('sign-in link');
    await press();
    await isFlawless('invalid link');

    const { authorization = '' } = await createBearerHeader(app.platform, email);
    const value = authorization.replace('Bearer ', '');
    await browser.context.addCookies([
      { name: 'pavis_account', value, domain: '127.0.0.1', path: '/account', httpOnly: true },
    ]);
    await open('/account/');
    for (const summary of await page.locator('summary').all()) await summary.click();
    await isFlawless('licences');
    await click('text="Deactivate site" >> nth=0');
    expect(await page.innerText('[role=status]')).toContain('Site deactivated.');
    await isFlawless('licences after a deactivation');
    await click('text="Sign out everywhere"');
    await isFlawless('signed out');
    await open('/account/nothing');
    await isFlawless('page not found');
  });
});
