import { describe, expect, it } from 'vitest';
import { maskKey } from '../../src/licensing/licences/index.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { makeLicence } from '../support/makers.ts';

describe('Customer page of the console', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('lists licences, sites and payments, and is linked from a licence', async () => {
    const email = 'grace@customer.example';
    const first = await makeLicence(app.platform, { email, tier: 'starter' });
    const second = await makeLicence(app.platform, { email, tier: 'agency' });
    await app.http.site('activate', first.key, 'https://one.example.com');
    const page = await openSignedIn(`/licences/${first.id}`);
    await page.getByRole('link', { name: email }).click();
    await heading(page, email).waitFor();
    const figure = (label: string) =>
      page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd[1]');
    expect(await figure('Active licences').innerText()).toBe('2');
    expect(await figure('Activated sites').innerText()).toBe('1');
    await page.getByText('https://one.example.com').waitFor();
    await page.getByText('No purchases. Licences issued by hand have none.').waitFor();
    expect(await page.getByRole('table', { name: 'Licences' }).getByRole('row').count()).toBe(3);
    const key = maskKey(first.key);
    await page.getByText(`Since 21 Nov 2026 with ${key}`).waitFor();
    await page
      .getByText(`neither expired nor been revoked: ${maskKey(second.key)}, ${key}`)
      .waitFor();
    await isForEverybody(page);
  });

  it('sorts licences by a column and keeps the order after a reload', async () => {
    const page = await openSignedIn('/licences');
    const email = 'grace@customer.example';
    await page.getByRole('link', { name: email }).first().click();
    await heading(page, email).waitFor();
    await page.getByRole('link', { name: email }).click();
    await page.getByRole('term').filter({ hasText: 'Active licences' }).waitFor();
    const tiers = () =>
      page
        .getByRole('table', { name: 'Licences' })
        .getByRole('cell', { name: /^(Agency|Starter)$/ })
        .allInnerTexts();
    const sort = page.getByRole('button', { name: 'Tier' });
    await sort.click();
    await expect.poll(tiers).toEqual(['Agency', 'Starter']);
    await sort.click();
    await expect.poll(tiers).toEqual(['Starter', 'Agency']);
    await page
      .getByRole('columnheader', { name: 'Tier' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await page.reload();
    await expect.poll(tiers).toEqual(['Starter', 'Agency']);
  });
});
