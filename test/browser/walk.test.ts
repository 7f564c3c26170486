import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { dataFolder, type ServerProcess, startServer } from '../support/process.ts';
import { unzip } from '../support/unzip.ts';

const EMAIL = 'guest@example.org';
const REFERENCE = /DSR-\d{8}-[A-Z0-9]{6}/;

/** The first day with Pavis: each step starts where the previous one ended. */
describe('The first day of a new user, in the console', { timeout: 300_000 }, () => {
  const folder = dataFolder();
  let server: ServerProcess;
  let browser: Browser;
  let console: Page;
  let reference = '';

  beforeAll(async () => {
    server = await startServer({ PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: 'on' });
    browser = await launchBrowser();
    console = await (await browser.newContext()).newPage();
    console.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder.remove();
  });

  const heading = (name: string | RegExp) => console.getByRole('heading', { level: 1, name });
  const goTo = (screen: string) =>
    console.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
  const press = (name: string | RegExp) =>
    console.getByRole('button', { name, exact: typeof name === 'string' }).click();

  /** Visits the demo site for the first time and collects the requested URLs without queries. */
  async function visitDemo() {
    const page = await (await browser.newContext()).newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().replace(/\?.*/, '')));
    await page.goto(`${server.url}/demo/`);
    await page.getByRole('button', { name: 'Accept all' }).waitFor();
    await page.waitForLoadState('networkidle');
    return { page, asked };
  }

  /** The newest email with a link to this page. */
  async function mailWith(path: string) {
    const find = async () => {
      const mails = join(folder.path, 'mail');
      for (const file of readdirSync(mails).sort().reverse()) {
        if (!file.endsWith('.eml')) continue;
        const mail = await PostalMime.parse(readFileSync(join(mails, file)));
        const link = new RegExp(`http\\S+${path}\\?\\S+`).exec(mail.text ?? '')?.[0];
        if (link && mail.to?.[0]?.address === EMAIL) return { mail, link };
      }
      return undefined;
    };
    await expect.poll(find, { timeout: 60_000 }).toBeDefined();
    return (await find()) ?? expect.fail('no such email');
  }

  it('opens the console from the start page and signs in with the first-run password', async () => {
    const { admin } = JSON.parse(readFileSync(join(folder.path, 'first-run.json'), 'utf8'));
    await console.goto(server.url);
    await console.getByRole('link', { name: /^Console/ }).click();
    await heading('Sign in').waitFor();
    await console.getByLabel('Login').fill(admin.login);
    await console.getByLabel('Password', { exact: true }).fill(admin.password);
    await press('Sign in');
    await heading('Overview').waitFor();
    await console.getByRole('heading', { name: 'Get started' }).waitFor();
  });

  it('scans the demo site and sees the progress', async () => {
    await press('Scan');
    await heading(/^Scan of/).waitFor();
    const bar = console.getByRole('progressbar');
    await bar.waitFor();
    const seen = new Set<string>();
    while (await bar.isVisible()) {
      seen.add((await bar.getAttribute('aria-valuenow').catch(() => null)) ?? '');
      await console.waitForTimeout(50);
    }
    expect(seen.size).toBeGreaterThan(2);
    await console.getByRole('link', { name: /^Vendors \([1-9]/ }).waitFor();
  });

  it('sees vendors that load before consent', async () => {
    const { asked } = await visitDemo();
    expect(asked).toContain(`${server.url}/demo/vendor/matomo.js`);
    expect(asked.join()).toContain('/gtm.js');
  });

  it.each([
    ['Matomo', '/demo/vendor/matomo.js'],
    ['Tagboard', '/gtm.js'],
  ])('blocks %s until consent', async (vendor, address) => {
    await goTo('Overview');
    await console.getByRole('link', { name: 'Review findings' }).click();
    const found = console.getByRole('row').filter({ hasText: address }).first();
    await found.getByRole('button', { name: /^Block until consent/ }).click();
    await console.getByText(`${vendor} is blocked until consent.`).waitFor();
    await console.getByLabel('Status').selectOption('blocked');
    // The list before the filter is shown until the filtered one has arrived.
    await console
      .getByRole('button', { name: /^Block until consent/ })
      .first()
      .waitFor({ state: 'detached' });
    await found.getByRole('button', { name: /^More actions/ }).click();
    await console.getByRole('menuitem', { name: 'View in script registry' }).click();
    await heading(vendor).waitFor();
    await console.getByRole('heading', { name: 'Snippet' }).waitFor();
  });

  it('finds the vendors blocked before consent and loaded after it', async () => {
    const { page, asked } = await visitDemo();
    const loaded = () => asked.filter((url) => /matomo|\/gtm\.js/.test(url));
    expect(loaded()).toEqual([]);
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['heron_session']);
    await page.getByRole('button', { name: 'Accept all' }).click();
    await expect.poll(loaded).toHaveLength(3);
    await expect
      .poll(async () => (await page.context().cookies()).map(({ name }) => name))
      .toEqual(expect.arrayContaining(['_pk_id.1.6d0a', '_ga', 'pavis_consent']));
    await goTo('Records');
    await console.getByRole('row').filter({ hasText: 'Accepted all' }).first().waitFor();
  });

  it('receives an access request from a guest, who confirms the email address by the link', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.url}/privacy/`);
    await page.getByRole('radio', { name: 'Get a copy of my data' }).check();
    await page.getByLabel('Email address').fill(EMAIL);
    await page.getByRole('button', { name: 'Send request' }).click();
    reference = REFERENCE.exec(await page.getByRole('main').innerText())?.[0] ?? '';
    expect(reference).toMatch(REFERENCE);
    const { link } = await mailWith('/privacy/confirm');
    await page.goto(link);
    await page.getByRole('main').getByRole('button').click();
    await page.getByRole('heading', { level: 1, name: /confirmed/i }).waitFor();
  });

  it('completes the request', async () => {
    await goTo('Requests');
    await console.getByRole('link', { name: reference }).click();
    await heading(reference).waitFor();
    await console.getByText('Email confirmed', { exact: true }).first().waitFor();
    await console.getByText('In progress').waitFor();
    await press('Assign to me');
    await console.getByRole('definition').getByText('admin', { exact: true }).waitFor();
    // Without it, sources are still being read, and leaving them out needs a reason.
    await console.getByRole('link', { name: 'Package' }).waitFor();
    await press('Complete');
    await press('Complete and send');
    await console.getByRole('definition').getByText('Completed', { exact: true }).waitFor();
  });

  it('downloads the package, whose files match its manifest', async () => {
    const [download] = await Promise.all([
      console.waitForEvent('download'),
      console.getByRole('link', { name: 'Package' }).click(),
    ]);
    const files = unzip(readFileSync(await download.path()));
    const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '{}');
    expect(manifest.files.length).toBeGreaterThan(2);
    for (const { path, sha256 } of manifest.files) {
      const content = files.get(path) ?? expect.fail(`${path} is not there`);
      expect(createHash('sha256').update(content).digest('hex'), path).toBe(sha256);
    }
  });

  it('does a dry run of retention, then the same run', async () => {
    await goTo('Retention');
    await console.getByRole('link', { name: /run/i }).first().click();
    const told = (name: RegExp) => console.getByRole('table', { name }).innerText();
    await press('Dry run');
    const dry = await told(/^Dry run/);
    await press('Run now');
    await console.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    expect(await told(/^Run$/)).toBe(dry);
    await console.getByRole('link', { name: 'Policies' }).click();
    const policies = console.getByRole('table', { name: 'Policies' });
    expect(await policies.innerText()).toMatch(/\d{4},\s\d\d:\d\d/);
  });
});
