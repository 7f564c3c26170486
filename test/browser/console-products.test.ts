import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findLicenceWithCustomer } from '../../src/licensing/licences/index.ts';
import { createProduct } from '../../src/licensing/products/index.ts';
import { DAY_MS } from '../../src/platform/durations.ts';
import { useConsole } from '../support/console.ts';
import { makeLicence } from '../support/makers.ts';

describe('The product pages of the console', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('create a product with two plans, and issue a licence of it', async () => {
    const page = await openSignedIn('/products');
    await heading(page, 'Products').waitFor();
    await page.getByRole('link', { name: 'Create a product' }).click();
    await heading(page, 'Create a product').waitFor();
    await page.getByLabel('Name').fill('Forms Pro');
    expect(await page.getByLabel('Slug').inputValue()).toBe('forms-pro');
    await page.getByRole('button', { name: 'Create the product' }).click();
    await heading(page, 'Forms Pro').waitFor();

    for (const [name, tier, sites, features] of [
      ['Solo', 'solo', '1', ['export']],
      ['Studio', 'studio', '10', ['export', 'white_label']],
    ] as const) {
      await page.getByRole('link', { name: 'Add a plan' }).click();
      await heading(page, 'Add a plan').waitFor();
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Tier').fill(tier);
      await page.getByLabel(/^Sites/).fill(sites);
      for (const feature of features) {
        await page.getByRole('combobox', { name: 'Features' }).fill(feature);
        await page.keyboard.press('Enter');
      }
      await page.getByRole('button', { name: 'Add the plan' }).click();
      await heading(page, 'Forms Pro').waitFor();
      await page.getByRole('link', { name }).waitFor();
    }
    expect(await page.getByRole('row', { name: /^Studio/ }).textContent()).toContain(
      'export, white_label',
    );

    await page.getByText('Other languages').click();
    expect(await page.getByRole('textbox', { name: 'curl example' }).inputValue()).toContain(
      `${app.url}/licence/$CALL`,
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the PHP file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('forms-pro-licence.php');
    expect(await readFile(await download.path(), 'utf8')).toContain(`const API = '${app.url}';`);

    await page.getByRole('link', { name: 'Licences' }).first().click();
    await page.getByRole('link', { name: 'Issue a licence' }).first().click();
    for (const [tier, sites] of [
      ['Solo', '1 site'],
      ['Studio', '10 sites'],
    ] as const) {
      await heading(page, 'Issue a licence').waitFor();
      await page.getByLabel('Customer email').fill(`${tier.toLowerCase()}@example.com`);
      await page.getByLabel('Product').selectOption('Forms Pro');
      await page.getByLabel('Tier').selectOption(tier);
      await page.getByRole('button', { name: 'Issue the licence' }).click();
      await page.getByText(new RegExp(`^${tier}, ${sites}, until`)).waitFor();
      if (tier === 'Solo') await page.getByRole('button', { name: 'Issue another' }).click();
    }
    await page.getByRole('link', { name: 'View licence' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('combobox', { name: 'Added features' }).fill('beta');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('export, white_label, beta').waitFor();

    await page.getByRole('link', { name: 'Products' }).first().click();
    await page.getByRole('link', { name: 'Forms Pro' }).first().click();
    await page.getByRole('link', { name: 'Studio' }).click();
    await heading(page, 'Studio').waitFor();
    await page.getByRole('switch', { name: 'Free trial without a card' }).check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter a whole number from 1 to 730.').waitFor();
    await page.getByLabel('Free trial (days)').fill('14');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect
      .poll(async () => (await app.http.get('/trials?product=forms-pro')).json.trials)
      .toMatchObject([{ tier: 'studio', days: 14 }]);

    const rows = await app.platform.datastore.db
      .selectFrom('licences')
      .innerJoin('products', 'products.id', 'licences.product_id')
      .select(['slug', 'tier', 'sites_allowed', 'features_added'])
      .execute();
    expect(rows).toMatchObject([
      { slug: 'forms-pro', tier: 'solo', sites_allowed: 1 },
      { slug: 'forms-pro', tier: 'studio', sites_allowed: 10, features_added: '["beta"]' },
    ]);
    await page.context().close();
  });
});

describe('Numbers in the forms of plans and licences', () => {
  const { app, openSignedIn } = useConsole();
  const refuse = async (page: Page, label: string, typed: string, problem: string) => {
    const field = page.getByRole('textbox', { name: label });
    const before = await field.inputValue();
    await field.clear();
    await field.pressSequentially(typed);
    await page
      .getByRole('button', { name: /^(Add the plan|Issue the licence|Save changes)$/ })
      .click();
    await page.getByText(problem).waitFor();
    expect(await field.inputValue()).toBe(typed);
    await field.fill(before);
    await page.getByText(problem).waitFor({ state: 'detached' });
  };

  it('are refused beyond their limits instead of being changed to them', async () => {
    const sites = 'Enter a whole number from 1 to 1,000,000.';
    const days = 'Enter a whole number from 0 to 365.';
    const page = await openSignedIn('/products/pavis/plans/new');
    await page.getByLabel('Name').fill('Solo');
    await page.getByRole('textbox', { name: 'Tier' }).fill('solo');
    for (const typed of ['1.5', '1,000', '1.000', '-1', '1e3', 'ten'])
      await refuse(page, 'Sites', typed, sites);
    await refuse(page, 'Grace period (days)', '9999', days);
    await refuse(page, 'Free trial (days)', '9999', 'Enter a whole number from 0 to 730.');
    await page.goto(`${app.url}/admin/licences/new`);
    await page.getByLabel('Customer email').fill('ada@example.com');
    await refuse(page, 'Sites', '0', sites);
    await refuse(page, 'Grace period (days)', '366', days);
    const { id } = await makeLicence(app.platform);
    await page.goto(`${app.url}/admin/licences/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await refuse(page, 'Sites', '1000001', sites);
    await refuse(page, 'Grace period (days)', '9999', days);
  });
});

describe('The list of licences of several products', () => {
  const { app, openSignedIn } = useConsole();

  it('forgets the tier when the product changes, and shows a tier that the product does not have', async () => {
    const { platform } = app;
    const { slug } = await createProduct(platform, { slug: 'forms', name: 'Forms' }, 'test');
    const page = await openSignedIn('/licences');
    const tier = page.getByRole('combobox', { name: 'Tier' });
    await tier.selectOption('Pro');
    await page.waitForURL((url) => url.searchParams.get('tier') === 'pro');
    await page.getByRole('combobox', { name: 'Product' }).selectOption('Forms');
    await page.waitForURL((url) => url.search === `?product=${slug}`);
    await page.getByText('No licences found').waitFor();
    await page.goto(`${app.url}/admin/licences?product=${slug}&tier=pro`);
    await page.getByText('This could not be loaded').waitFor();
    expect(await tier.inputValue()).toBe('pro');
    await tier.selectOption('All');
    await page.getByText('No licences found').waitFor();
  });

  it('lists as many licences as it counts', async () => {
    const { platform } = app;
    const expiresAt = app.clock.now() + 10 * DAY_MS;
    for (const mode of ['live', 'live', 'test'] as const)
      await makeLicence(platform, { mode, expiresAt });
    const { id } = await makeLicence(platform, { expiresAt });
    const { db } = platform.datastore;
    const licence = await findLicenceWithCustomer(db, id);
    await db
      .insertInto('purchases')
      .values({
        session_id: `cs_${id}`,
        licence_id: licence?.id ?? 0,
        tier: 'pro',
        expires_at: expiresAt,
        grace_days: 0,
        is_suspended: 0,
        is_revoked: 0,
        renews: 1,
      })
      .execute();
    const page = await openSignedIn('/licences');
    await page
      .getByText('2 will not renew automatically, and 1 will renew by subscription.')
      .waitFor();
    await page.getByRole('link', { name: '3 live licences' }).click();
    await page.getByText('3 licences', { exact: true }).waitFor();
  });
});

describe('The product page of a console at another host than the Licence API', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_BASE_URL: 'https://licences.example/v2' });

  it('names the host of the Licence API in the download and the examples', async () => {
    await createProduct(app.platform, { slug: 'forms-pro', name: 'Forms Pro' }, 'test');
    const page = await openSignedIn('/products/forms-pro');
    const download = page.getByRole('link', { name: 'Download the PHP file' });
    expect(await download.getAttribute('href')).toBe(
      'https://licences.example/v2/licence/client/forms-pro.php',
    );
    await page.getByText('Other languages').click();
    for (const [name, address] of [
      ['curl example', 'https://licences.example/v2/licence/$CALL'],
      ['TypeScript example', "baseUrl: 'https://licences.example/v2'"],
    ] as const)
      expect(await page.getByRole('textbox', { name }).inputValue()).toContain(address);
  });
});
