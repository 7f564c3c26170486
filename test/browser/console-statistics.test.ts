import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';

const DAYS = ['2025-12-31', '2026-01-01', '2026-10-01', '2026-10-31', '2026-11-01', '2026-11-21'];

describe('Consent statistics in the console', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_SITE_TIMEZONE: 'America/New_York' });
  const dsarClient = createDsarClient(app);
  let page: Page;
  beforeAll(async () => {
    for (const day of DAYS) {
      app.clock.set(`${day}T17:00:00Z`);
      await dsarClient.admin('POST', '/consent', { visitor_id: day, consent_action: 'accept_all' });
    }
    // Still 21 November in New York.
    app.clock.set('2026-11-22T02:00:00Z');
    page = await openSignedIn('/consent/figures');
  });

  const choices = async () =>
    page.locator('.key-figure', { hasText: 'Consent choices' }).locator('dd').innerText();
  const heading = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor();

  it('show the last 30 days in the time zone of the site, or another period', async () => {
    await heading('Consent choices by day, 23 Oct 2026 to 21 Nov 2026');
    expect(await choices()).toBe('3');
    const period = page.getByLabel('Period', { exact: true });
    for (const [name, days, count] of [
      ['Last 7 days', 'by day, 15 Nov 2026 to 21 Nov 2026', '1'],
      ['Last month', 'by day, 1 Oct 2026 to 31 Oct 2026', '2'],
      ['This year', 'by week, 1 Jan 2026 to 21 Nov 2026', '5'],
      ['All records', 'by day, last 30 days', '6'],
    ] as const) {
      await period.selectOption(name);
      await heading(`Consent choices ${days}`);
      expect([name, await choices()]).toEqual([name, count]);
      await isForEverybody(page);
    }
  });

  it('compare the complete days of a period, without today', async () => {
    await page.getByLabel('Period', { exact: true }).selectOption('Last 30 days');
    await page.getByRole('switch', { name: 'Compare with the previous period' }).press('Space');
    await page.getByText('The change leaves out today, which is not over.').waitFor();
    const figure = page.locator('.key-figure', { hasText: 'Consent choices' });
    await figure.getByText('+100%').waitFor();
    await page.getByRole('switch', { name: 'Compare with the previous period' }).press('Space');
  });

  it('show a custom period by month, and keep it in the URL after a reload', async () => {
    await page.getByLabel('Period', { exact: true }).selectOption('Custom period');
    await page.getByLabel('From (site time)').fill('2025-01-01');
    await page.getByLabel('To (site time)').fill('2026-10-31');
    await heading('Consent choices by month, 1 Jan 2025 to 31 Oct 2026');
    expect(await choices()).toBe('4');
    await page.getByRole('figure').getByText('1 Dec 2025 to 31 Dec 2025: 1 choice.').waitFor();
    await page.reload();
    await heading('Consent choices by month, 1 Jan 2025 to 31 Oct 2026');
    await page.getByLabel('4 accepted, 0 rejected').first().waitFor();
    await page.getByLabel('To (site time)').fill('2024-10-31');
    await page.getByText('The end date is before the start date.').waitFor();
    await page.getByLabel('To (site time)').fill('2025-01-02');
    await page.getByText('No consent choices in this period.').first().waitFor();
    await isForEverybody(page);
  });

  it.each(['abc', '2026-02-31', '2026-13-01'])(
    'show the default days if one of the address does not exist: %s',
    async (day) => {
      await page.goto(`${app.url}/admin/consent/figures?period=custom&from=${day}`);
      await heading('Consent choices by day, 23 Oct 2026 to 21 Nov 2026');
      await page.goto(`${app.url}/admin/consent?from=${day}`);
      await page.getByRole('table', { name: 'Consent records' }).waitFor();
    },
  );
});
