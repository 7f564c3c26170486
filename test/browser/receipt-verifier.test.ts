import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../src/platform/project-root.ts';
import { isForEverybody } from '../support/accessible.ts';
import { launchBrowser } from '../support/browser.ts';
import { logAll } from '../support/consent-log.ts';
import { basicAuth } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = '/wp-json/svc/v1/consent';
const FILE = pathToFileURL(
  join(PROJECT_ROOT, 'web/dist/receipt-verifier/receipt-verifier.html'),
).href;

describe('The page that verifies receipts', () => {
  const app = useTestApp('sqlite');
  const faults: string[] = [];
  let browser: Browser;
  let page: Page;
  let receipt: string;
  let key: string;
  let bundle: Buffer;

  const choose = (text: string | Buffer, name = 'receipt.html') =>
    page.locator('#file').setInputFiles({
      name,
      mimeType: 'text/html',
      buffer: Buffer.from(text as string),
    });
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const result = () => page.locator('#result').innerText();

  beforeAll(async () => {
    const visitor_id = randomUUID();
    const { version } = (await app.http.get(`${ROOT}/status`)).json;
    const body = { visitor_id, consent_action: 'reject_all', config_version: version };
    await app.http.post(ROOT, { body });
    await logAll(app);
    receipt = (await app.http.get(`${ROOT}/receipt?visitor_id=${visitor_id}`)).text;
    key = /<code>(\S+\/pavis-consent\+\S+)<\/code>/.exec(receipt)?.[1] ?? '';
    const headers = await basicAuth(app.platform);
    const day = new Date(app.clock.now()).toISOString().slice(0, 10);
    const query = `date_from=${day}&date_to=${day}`;
    const answer = await fetch(`${app.url}${ROOT}/log/bundle?${query}`, { headers });
    bundle = Buffer.from(await answer.arrayBuffer());
    browser = await launchBrowser();
    page = await browser.newPage({
      ...{ locale: 'en-US', timezoneId: 'America/New_York' },
      colorScheme: 'light',
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) faults.push(request.url());
    });
    await page.goto(FILE);
  });
  afterAll(() => browser.close());

  it('works from a disk, and says that the key in the receipt is no reason for trust', async () => {
    await choose(receipt);
    await heading('The proof in the file is intact');
    const text = await result();
    expect(text).toContain('The readable text of an HTML receipt is not checked.');
    expect(text).toContain('Anyone can make such a receipt with a key of their own');
    expect(text).toContain('Analytics, Marketing, Personalisation');
    expect(text).toContain(key);
  });

  it('names the message for visitors who can object apart from the one that asks', async () => {
    const visitor_id = randomUUID();
    const headers = await basicAuth(app.platform);
    const settings = { consent: { regimes: { mode: 'by_country' } } };
    const save = { headers, body: settings };
    const { consent } = (await app.http.request('PUT', '/wp-json/svc/v1/settings', save)).json;
    const { version } = (await app.http.get(`${ROOT}/status`)).json;
    const body = { visitor_id, consent_action: 'accept_all', config_version: version };
    await app.http.post(ROOT, { body });
    await logAll(app);
    await choose((await app.http.get(`${ROOT}/receipt?visitor_id=${visitor_id}`)).text);
    const term = page.locator('dt', { hasText: 'Instead, where visitors are not asked first' });
    expect(await term.locator('+ dd').innerText()).toBe(consent.opt_out_message);
    await choose(receipt);
    await term.waitFor({ state: 'detached' });
    await heading('The proof in the file is intact');
  });

  it('says of a page only that its proof is intact, whatever the page begins with', async () => {
    await choose(`\n${receipt}`);
    await page.getByText('The readable text of an HTML receipt is not checked.').waitFor();
    const proof = /<pre id="proof">([^<]*)</.exec(receipt)?.[1] ?? '';
    await choose(proof, 'receipt.tlog-proof');
    await heading('The receipt is intact');
    expect(await result()).not.toContain('The readable text');
    await choose(receipt);
    await heading('The proof in the file is intact');
  });

  it('shows moments in UTC with the month as a word, whatever the country of the reader', async () => {
    const recorded = /datetime="([^"]+)"/.exec(receipt)?.[1] ?? '';
    const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
    const day = `${Number(recorded.slice(8, 10))} ${month.format(Date.parse(recorded))} ${recorded.slice(0, 4)}`;
    expect(await result()).toContain(`${day}, ${recorded.slice(11, 16)} UTC`);
  });

  it('checks against the key that is entered, by keyboard', async () => {
    await page.getByLabel('2. Enter the keys that you trust').fill(key);
    // What was shown is the result with other keys.
    expect(await result()).toBe('');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The signature is by the key that you entered.').waitFor();
    expect(await page.locator('#result h2:focus').textContent()).toContain('intact');
    await isForEverybody(page);
  });

  it('refuses a damaged receipt, another file and a wrong key, in German as well', async () => {
    await choose(receipt.replace('index ', 'index 1'));
    await heading('The receipt is not valid');
    await choose('something else', 'receipt.tlog-proof');
    await page.getByText('The file is not a receipt').waitFor();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await heading('Der Beleg ist nicht gültig');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByLabel('2. Schlüssel eingeben').fill(key.replace('+', '+0'));
    await page.getByRole('button', { name: 'Prüfen' }).click();
    await page.getByText('Ein Schlüssel ist ungültig.').waitFor();
    await isForEverybody(page);
  });

  it('checks the bundle of an auditor, and names the file that was changed', async () => {
    await page.getByLabel('2. Schlüssel eingeben').fill(key);
    await choose(bundle, 'bundle.zip');
    await heading('Das Paket ist unversehrt');
    expect(await result()).toContain('1 von 1 Aufzeichnungen');
    await page.getByRole('button', { name: 'English' }).click();
    await heading('The bundle is intact');
    const changed = Buffer.from(bundle);
    const at = changed.indexOf('records/000001.jsonl') + 100;
    changed[at] = (changed[at] ?? 0) ^ 1;
    await choose(changed, 'bundle.zip');
    await heading('The bundle is not valid');
    expect(await result()).toContain('records/000001.jsonl');
    await isForEverybody(page);
    await choose(bundle.subarray(0, -100), 'cut.zip');
    await page.getByText(/not one that you packed again/).waitFor();
    await heading('The bundle is not valid');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByText(/nicht eine, die Sie neu gepackt haben/).waitFor();
    await heading('Das Paket ist nicht gültig');
  });

  it('says so if the browser cannot verify the signatures', async () => {
    await page.addInitScript(() => {
      crypto.subtle.importKey = async () => {
        throw new DOMException('', 'NotSupportedError');
      };
    });
    await page.reload();
    await choose(receipt);
    await heading('This browser cannot verify Ed25519 signatures');
  });

  it('is served with a policy that lets it load nothing', async () => {
    expect((await page.goto(`${app.url}/receipt-verifier.html`))?.status()).toBe(200);
    faults.splice(0, faults.length, ...faults.filter((each) => !each.startsWith(app.url)));
    expect(await page.content()).toContain("default-src 'none'; script-src 'sha256-");
    expect(faults).toEqual([]);
  });

  it('has readable receipts that print on any screen', async () => {
    await page.goto('about:blank');
    await page.setContent(receipt);
    await isForEverybody(page);
  });
});
