import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPlan, createProduct } from '../../src/licensing/products/index.ts';
import { isForEverybody, isForPhones } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';

const HEAD = 'external_id,old_key,email,tier,expires_at\n';

describe('Importing licences in the console', () => {
  const { app, openSignedIn, heading } = useConsole();

  beforeAll(async () => {
    await createProduct(app.platform, { slug: 'forms-pro', name: 'Forms Pro' }, 'test');
    for (const tier of ['solo', 'studio'])
      await createPlan(app.platform, 'forms-pro', { tier, sites_allowed: 2 }, 'test');
  });

  async function check(page: Page, name: string, content: string) {
    await page.setInputFiles('input[type=file]', {
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    });
    await page.getByRole('button', { name: 'Check the file' }).click();
  }
  /** Three parts of lines without old keys, for which new keys are issued. */
  const makeLargeFile = (from: number) => {
    const notes = 'From another shop. '.repeat(200);
    const lines = Array.from(
      { length: 36 },
      (_, at) => `${from + at},,eve@example.com,solo,2031-01-01,${notes}`,
    );
    return `${HEAD.trim()},notes\n${lines.join('\n')}\n`;
  };
  const row = (page: Page, text: string) =>
    page.getByRole('table', { name: 'Lines' }).getByRole('row').filter({ hasText: text });

  it('says of a large file that lines of its parts can repeat each other', async () => {
    const page = await openSignedIn('/licences/import');
    await page.getByLabel('Product').selectOption('forms-pro');
    const notes = 'From the old shop. '.repeat(200);
    const lines = Array.from(
      { length: 18 },
      (_, at) => `${100 + at},OLD-KEY-${200 + (at % 17)},eve@example.com,solo,2031-01-01,${notes}`,
    );
    await check(page, 'large.csv', `${HEAD.trim()},notes\n${lines.join('\n')}`);
    await page.getByRole('heading', { name: 'Up to 18 licences can be imported' }).waitFor();
    await page.getByText('This large file was checked in parts.').waitFor();
    await page.getByRole('button', { name: 'Import up to 18 licences' }).click();
    await page.getByRole('heading', { name: '17 licences imported' }).waitFor();
    expect(await page.getByText('This large file was checked in parts.').count()).toBe(0);
    await row(page, 'of the same product has this old key').waitFor();
  });

  it('checks the file, imports its valid lines, and recognises them the next time', async () => {
    const page = await openSignedIn('/licences');
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await heading(page, 'Import licences').waitFor();
    await page.getByLabel('Product').selectOption('forms-pro');
    const file =
      `${HEAD}1,OLD-KEY-0001,ada@example.com,studio,2031-01-01\n` +
      '2,OLD-KEY-0002,ben@example.com,gold,2031-01-01\n';
    await check(page, 'empty.csv', '');
    await page.getByText('The file has no licences.').waitFor();
    await check(page, 'old.csv', file);
    await page.getByRole('heading', { name: '1 licence can be imported' }).waitFor();
    await row(page, 'ben@example.com').getByText('tier must be one of: solo, studio.').waitFor();
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Import 1 licence' }).click();
    await page.getByRole('heading', { name: '1 licence imported' }).waitFor();
    await row(page, 'ada@example.com').getByRole('link', { name: /^lic_/ }).waitFor();

    await page.getByRole('button', { name: 'Import another file' }).click();
    await check(page, 'old.csv', `${HEAD}1,OLD-KEY-0001,ada@example.com,studio,2031-01-01\n`);
    await page.getByRole('heading', { name: 'All licences are here already' }).waitFor();
  });

  it('imports a file that is longer than one request, with a plan for each product of EDD', async () => {
    const page = await openSignedIn('/licences/import', { viewport: { width: 390, height: 844 } });
    await page.getByLabel('Format').selectOption('edd');
    await page.getByLabel('Plans').fill('Forms Pro:2=forms-pro/studio\nForms Pro=forms-pro/solo');
    const head =
      'License ID,License Key,License Status,Customer Email,Expiration Date,Activation Limit,Product Name,Price ID\n';
    const lines = Array.from(
      { length: 700 },
      (_, n) =>
        `${n},EDD-KEY-${n}-${'x'.repeat(60)},active,c${n}@example.com,1924992000,3,Forms Pro,${n % 3}\n`,
    );
    await check(page, 'edd.csv', head + lines.join(''));
    await page
      .getByRole('button', { name: 'Import up to 700 licences' })
      .click({ timeout: 60_000 });
    await page.getByRole('heading', { name: '700 licences imported' }).waitFor({ timeout: 60_000 });
    await page.getByText('The first 200 of 700 lines. The saved report has all.').waitFor();
    await isForPhones(page);
    const { tiers } = await app.platform.datastore.db
      .selectFrom('licences')
      .select(({ fn }) => fn.countAll<number>().as('tiers'))
      .where('tier', '=', 'studio')
      .where('sites_allowed', '=', 3)
      .executeTakeFirstOrThrow();
    expect(Number(tiers)).toBe(233);
  });

  it('continues an import that stopped, and keeps the keys that it issued before', async () => {
    const page = await openSignedIn('/licences/import');
    await page.getByLabel('Product').selectOption('forms-pro');
    await check(page, 'long.csv', makeLargeFile(300));
    const start = page.getByRole('button', { name: 'Import up to 36 licences' });
    await start.waitFor();
    let sent = 0;
    await page.route('**/licences/import', (route) =>
      ++sent === 2 ? route.abort() : route.continue(),
    );
    await start.click();
    await page.getByText('The import stopped before the end of the file.').waitFor();
    const keys = async () => (await page.locator('td .mono').allInnerTexts()).toSorted();
    const before = await keys();
    expect(before.length).toBeGreaterThan(10);
    await isForEverybody(page);
    expect(await page.getByLabel('Product').isDisabled()).toBe(true);
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    const other = page.getByRole('button', { name: 'Import another file' });
    await other.click();
    await leaving.getByRole('button', { name: 'Keep editing' }).click();
    await leaving.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Continue import' }).click();
    await page.getByRole('heading', { name: '36 licences imported' }).waitFor();
    const after = await keys();
    expect([after.length, after]).toEqual([36, expect.arrayContaining(before)]);
    expect(sent).toBe(4);

    await page.getByRole('link', { name: /^lic_/ }).first().click();
    await leaving.getByRole('button', { name: 'Keep editing' }).click();
    await leaving.waitFor({ state: 'detached' });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save report as CSV' }).click();
    await download;
    await other.click();
    await page.getByRole('table', { name: 'Lines' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Product').isDisabled()).toBe(false);
  });

  it('imports a large file only after all of its parts were checked', async () => {
    const page = await openSignedIn('/licences/import');
    await page.getByLabel('Product').selectOption('forms-pro');
    let sent = 0;
    await page.route('**/licences/import', (route) =>
      ++sent === 2 ? route.abort() : route.continue(),
    );
    await check(page, 'long.csv', makeLargeFile(400));
    await page.getByText('The check stopped before the end of the file.').waitFor();
    expect(await page.getByLabel('Product').isDisabled()).toBe(false);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('button', { name: 'Import up to 36 licences' }).waitFor();
  });

  it('names the line of a large file that cannot be read', async () => {
    const page = await openSignedIn('/licences/import');
    await page.getByLabel('Product').selectOption('forms-pro');
    await check(page, 'long.csv', `${makeLargeFile(500)}600,,"eve"@example.com,solo,,\n`);
    await page.getByText('Line 38: a quote is not closed, or text follows one.').waitFor();
  });

  it('keeps the inputs of a bulk issue as they are while it runs', async () => {
    const page = await openSignedIn('/licences/bulk');
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/licences/bulk', async (route) => {
      if (route.request().method() === 'POST') await isAnswered;
      await route.continue();
    });
    const table = page.getByLabel('Table');
    await table.fill('email\nada@example.com');
    await page.getByRole('button', { name: 'Check the table' }).click();
    await expect.poll(() => table.isDisabled()).toBe(true);
    expect(await page.getByLabel('Last day').isDisabled()).toBe(true);
    answer();
    await page.getByRole('table', { name: 'Lines' }).waitFor();
    await expect.poll(() => table.isDisabled()).toBe(false);
  });

  it('asks before a table or keys of a bulk issue are lost, and issues once if the response is lost', async () => {
    const page = await openSignedIn('/licences/bulk');
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    const leave = async () => page.getByRole('link', { name: 'Products' }).first().click();
    const stay = async () => {
      await leave();
      await leaving.getByRole('button', { name: 'Keep editing' }).click();
      await leaving.waitFor({ state: 'detached' });
    };
    await page.getByLabel('Table').fill('email,days\nbulk-once@example.com,30');
    await stay();
    await page.getByRole('button', { name: 'Check the table' }).click();
    const issue = page.getByRole('button', { name: 'Issue 1 licence' });
    await issue.waitFor();
    await page.route(
      '**/licences/bulk',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await issue.click();
    await page.getByText('You can repeat it without changes.').waitFor();
    await issue.click();
    await page.getByRole('heading', { name: '1 licence issued' }).waitFor();
    const { issued } = await app.platform.datastore.db
      .selectFrom('licences')
      .innerJoin('customers', 'customers.id', 'licences.customer_id')
      .select(({ fn }) => fn.countAll<number>().as('issued'))
      .where('email', '=', 'bulk-once@example.com')
      .executeTakeFirstOrThrow();
    expect(Number(issued)).toBe(1);
    await stay();
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    await leave();
    await heading(page, 'Products').waitFor();
  });

  it('marks a name that is too long for its field as cut', async () => {
    const name = 'Forms and surveys for schools, clubs and municipalities';
    await createProduct(app.platform, { slug: 'long', name }, 'test');
    const page = await openSignedIn('/licences/import', { viewport: { width: 360, height: 780 } });
    const product = page.getByLabel('Product');
    await product.selectOption('long');
    const overflows = `[...document.querySelectorAll('select')].map((field) => getComputedStyle(field).textOverflow)`;
    expect(new Set(await page.evaluate<string[]>(overflows))).toEqual(new Set(['ellipsis']));
  });

  it('says why a file cannot be read', async () => {
    const page = await openSignedIn('/licences/import');
    await check(page, 'other.csv', 'name,colour\nAda,red\n');
    await page.getByText(/^The header may contain each of these columns once/).waitFor();
    await isForEverybody(page);
  });
});
