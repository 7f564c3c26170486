import { describe, expect, it } from 'vitest';
import { createPlan, createProduct } from '../../src/licensing/products/index.ts';
import { useConsole } from '../support/console.ts';
import { makeLicence } from '../support/makers.ts';

describe('The licence statistics of the console', () => {
  const { app, openSignedIn, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });

  it('show licences and validations of a period and a product', async () => {
    const { platform } = app;
    await createProduct(platform, { slug: 'forms-pro', name: 'Forms Pro' }, 'test');
    await createPlan(platform, 'forms-pro', { tier: 'solo' }, 'test');
    const { key } = await makeLicence(platform, { product: 'forms-pro', tier: 'solo' });
    await makeLicence(platform);
    await makeLicence(platform, { expiresAt: app.clock.now() });
    await app.http.site('validate', key, 'https://shop.example.org');
    await app.validationCounts.flush();

    const page = await openSignedIn('/licences');
    await page.getByRole('link', { name: 'View statistics' }).click();
    await heading(page, 'Licence statistics').waitFor();
    const figures = () => page.locator('dl').first().innerText();
    await expect
      .poll(figures)
      .toMatch(/Active licences\s+2\s+New\s+3\s+Churned\s+1\s+Validations\s+1/);
    const results = page.getByRole('table', { name: 'Validations by result' });
    await results.getByRole('row', { name: 'Not activated' }).getByText('100%').waitFor();
    await page.getByText('No failed deliveries in this period.').waitFor();

    await page.getByLabel('Product').selectOption('Forms Pro');
    await expect.poll(figures).toMatch(/Active licences\s+1\s+New\s+1\s+Churned\s+0/);
    await page.getByLabel('Period').selectOption('Last 90 days');
    await page.getByText('Statistics by week').click();
    const table = page.getByRole('table', { name: 'Statistics by week' });
    await expect
      .poll(() => table.getByRole('row').nth(1).innerText())
      .toMatch(/16\sNov\s2026 to 21\sNov\s2026\s+1\s+1\s+0\s+1\s+0\s+0/);
    expect(new URL(page.url()).search).toBe('?product=forms-pro&period=90');

    await page.getByLabel('Mode').selectOption('Test');
    await expect.poll(figures).toMatch(/Active licences\s+0\s+New\s+0\s+Churned\s+0/);
    await page.getByText('No validations in this period.').waitFor();
  });
});
