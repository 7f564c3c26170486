import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESK, isForEverybody } from '../support/accessible.ts';
import { launchBrowser } from '../support/browser.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { useTestApp } from '../support/test-app.ts';
import { makeUser } from '../support/users.ts';

describe('Try it, in the API reference', () => {
  const app = useTestApp('sqlite', { PAVIS_CHROMIUM: 'off' });
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    context = await browser.newContext({ reducedMotion: 'reduce', viewport: DESK });
    page = await context.newPage();
    page.on('pageerror', ({ message }) => faults.push(message));
  });
  afterAll(() => browser?.close());

  const open = async (path: string, name: string) => {
    await page.goto(`${app.url}/docs/${path}`);
    const article = page.getByRole('article', { name, exact: true });
    await article.locator('.try > summary').click();
    return article;
  };

  it('is offered for GET only', async () => {
    await page.goto(`${app.url}/docs/plugin/consent`);
    const articles = await page.getByRole('article').all();
    expect(articles.length).toBeGreaterThan(5);
    for (const article of articles) {
      const call = await article.locator('.call').first().innerText();
      const hasForm = (await article.locator('.try').count()) > 0;
      expect(hasForm, call).toBe(call.startsWith('GET '));
    }
  });

  it('shows status, headers and body of a public operation, with the keyboard', async () => {
    const keys = atKeyboard(page);
    await page.goto(`${app.url}/docs/plugin/consent`);
    const name = await page
      .getByRole('article')
      .filter({ has: page.getByText('GET /svc/v1/consent/status', { exact: true }) })
      .first()
      .getByRole('heading', { level: 2 })
      .innerText();
    const article = page.getByRole('article', { name, exact: true });
    await keys.press(article.locator('.try > summary'));
    await keys.press(article.getByRole('button', { name: 'Send the request' }));
    await article.getByRole('status').getByText(/^200/).waitFor();
    const answer = await article.locator('.answer').innerText();
    expect(answer).toContain('GET /wp-json/svc/v1/consent/status');
    expect(answer).toContain('content-type: application/json');
    expect(answer).toContain('"version"');
  });

  it('sends the request as the user who is signed in, with the values of the fields', async () => {
    const signedOut = await open('plugin/consent', 'List consent records');
    await signedOut.getByText('You are not signed in').waitFor();
    await signedOut.getByRole('button', { name: 'Send the request' }).click();
    await signedOut.getByRole('status').getByText(/^401/).waitFor();

    const { login, password } = await makeUser(app.platform);
    await context.request.post(`${app.url}/console/session`, { data: { login, password } });
    const choices = ['accept_all', 'reject_all'];
    for (const consent_action of choices)
      await app.http.post('/wp-json/svc/v1/consent', { body: { visitor_id: 'v', consent_action } });
    const article = await open('plugin/consent', 'List consent records');
    await article.getByText(`You are signed in to the console as ${login}.`).waitFor();
    expect(await article.getByLabel('per_page').inputValue()).toBe('50');
    await article.getByLabel('consent_action').selectOption('reject_all');
    await article.getByLabel('per_page').fill('1');
    await article.getByRole('button', { name: 'Send the request' }).click();
    await article.getByRole('status').getByText(/^200/).waitFor();
    const answer = await article.locator('.answer').innerText();
    expect(answer).toContain('consent/records?consent_action=reject_all&per_page=1');
    expect(answer).toContain('x-wp-total: 1');
    expect(answer).toContain('"consent_action": "reject_all"');
    expect(answer).not.toContain('accept_all');
    await isForEverybody(page);
    await page.setViewportSize(DESK);
  }, 120_000);

  it('asks for the path and for the credentials of the Licence API', async () => {
    await page.goto(`${app.url}/docs/licence/customer`);
    const articles = page.getByRole('article').filter({ has: page.getByLabel('Bearer token') });
    const article = articles.first();
    await article.locator('.try > summary').click();
    await article.getByLabel('Bearer token').fill('no token');
    for (const field of await article.locator('.try [required]').all()) await field.fill('x');
    await article.getByRole('button', { name: 'Send the request' }).click();
    await article.getByRole('status').getByText(/^401/).waitFor();
  });

  it('shows the beginning of a long body, and the size of one that is no text', async () => {
    const article = await open('plugin/consent', 'List consent records');
    await page.route('**/consent/records*', (route) =>
      route.fulfill({ contentType: 'text/plain', body: 'x'.repeat(300_000) }),
    );
    await article.getByRole('button', { name: 'Send the request' }).click();
    await article.getByText('This is the beginning: the body is longer.').waitFor();
    await page.route('**/consent/records*', (route) =>
      route.fulfill({ contentType: 'application/zip', body: 'PK' }),
    );
    await article.getByRole('button', { name: 'Send the request' }).click();
    await article.getByText('2 bytes of application/zip').waitFor();
    await page.route('**/consent/records*', (route) => route.abort());
    await article.getByRole('button', { name: 'Send the request' }).click();
    await article.getByText('The server does not answer.').waitFor();
    await page.unroute('**/consent/records*');
    expect(faults).toEqual([]);
  });
});
