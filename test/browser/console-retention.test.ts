import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/platform/durations.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';

describe('The retention pages of the console', () => {
  const { app, openSignedIn, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });
  const dsarClient = createDsarClient(app);
  const createPolicy = async (name: string) => {
    const { json } = await dsarClient.admin('POST', '/retention/policies', {
      name,
      data_category: 'consent_records',
      period_value: 1,
      period_unit: 'months',
      action: 'delete',
    });
    return json.id as number;
  };

  it('ask for another dry run after a run, and keep both results', async () => {
    await createPolicy('Old choices');
    const body = { visitor_id: 'visitor', consent_action: 'accept_all' };
    await app.http.post('/wp-json/svc/v1/consent', { body });
    app.clock.advance(800 * DAY_MS);
    const page = await openSignedIn('/retention?view=run', {});
    const dry = page.getByRole('button', { name: 'Dry run' });
    const run = page.getByRole('button', { name: 'Run now' });
    await page.getByLabel('Policies').selectOption({ label: 'Old choices' });
    await dry.click();
    await page.getByText('1 record, counted up to').waitFor();
    await run.click();
    await page.getByRole('dialog').getByText('1 record will be anonymised or deleted').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('The run is finished.').waitFor();
    await expect.poll(() => run.isDisabled()).toBe(true);
    await page.getByText('Start with a dry run.').waitFor();
    for (const name of ['Dry run', 'Run'])
      await page.getByRole('table', { name, exact: true }).waitFor();
    await dry.click();
    await page.getByText('0 records, counted up to').waitFor();
    expect(await run.isEnabled()).toBe(true);
  });

  it('say that an inactive policy was not run, and do not offer it', async () => {
    const id = await createPolicy('Off duty');
    const page = await openSignedIn('/retention?view=run', {});
    await page.getByLabel('Policies').selectOption({ label: 'Off duty' });
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('table', { name: 'Dry run' }).waitFor();
    await dsarClient.admin('PUT', `/retention/policies/${id}`, { is_active: false });
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page
      .getByText('No policy was run: none is active, or an extension excluded it.')
      .waitFor();
    expect(await page.getByText('The run is finished.').count()).toBe(0);
    const option = page.getByRole('option', { name: 'Off duty (inactive)' });
    await expect.poll(() => option.isDisabled()).toBe(true);
  });

  it('show changes in the change history at once', async () => {
    const id = await createPolicy('Before');
    const page = await openSignedIn('/retention?view=changes', {});
    const table = page.getByRole('table', { name: 'Change history' });
    await table.getByText(`Policy ${id} created`).waitFor();
    const openView = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click();
    };
    await openView('Policies');
    await page.getByRole('link', { name: 'Before' }).click();
    await page.getByLabel('Name').fill('After');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The changes were saved.').waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await openView('Change history');
    await table.getByText('Name: Before → After').waitFor({ timeout: 5_000 });

    await openView('Legal holds');
    await page.getByLabel('Records').selectOption('consent_records');
    await page.getByLabel('Reason').fill('A dispute');
    await page.getByRole('button', { name: 'Hold all records' }).click();
    await page.getByText('The legal hold was placed.').waitFor();
    await openView('Change history');
    await table.getByText('A dispute').first().waitFor({ timeout: 5_000 });

    await openView('Policies');
    await page.getByRole('link', { name: 'After', exact: true }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Retention').waitFor();
    await openView('Change history');
    await table.getByText(`Policy ${id} deleted`).waitFor({ timeout: 5_000 });
  });

  it('ask before a legal hold that was typed is lost with its tab', async () => {
    const page = await openSignedIn('/retention?view=holds', {});
    await page.getByLabel('Reason').fill('A dispute about an invoice');
    const policies = page.getByRole('link', { name: 'Policies', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await policies.click();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Reason').inputValue()).toBe('A dispute about an invoice');
    await policies.click();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Active policies run every night.').waitFor();
    await page.getByRole('link', { name: 'Legal holds', exact: true }).click();
    expect(await page.getByLabel('Reason').inputValue()).toBe('');
    await page.getByRole('link', { name: 'Change history', exact: true }).click();
    await page.waitForURL(/view=changes/);
  });

  it('do not place a legal hold on another record than the typed one', async () => {
    const page = await openSignedIn('/retention?view=holds', {});
    const field = page.getByLabel('Record ID');
    const problem = page.getByText('Enter a whole number, for example 12.');
    await page.getByLabel('Records').selectOption('consent_records');
    await page.getByLabel('Reason').fill('A typing error');
    for (const typed of ['1.5', '1,000', 'anna@example.com', 'lic_ulG7i5', '9007199254740993']) {
      await field.clear();
      await problem.waitFor({ state: 'detached' });
      await field.pressSequentially(typed);
      await page.getByRole('button', { name: 'Place hold' }).click();
      await problem.waitFor();
      expect(await field.inputValue()).toBe(typed);
    }
    expect((await dsarClient.admin('GET', '/retention/holds')).text).not.toContain('A typing');
    await field.fill(' 1000 ');
    const sending = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Place hold' }).click();
    expect((await sending).postDataJSON()).toMatchObject({ record_id: 1000 });
  });

  it('name the period that a policy can have', async () => {
    const page = await openSignedIn('/retention/new', {});
    const problem = page.getByText('Enter a whole number from 1 to 36,500.');
    await page.getByLabel('Name').fill('Endless');
    await page.getByLabel('Records').selectOption('consent_records');
    for (const period of ['', '1.5', '99999']) {
      await page.getByLabel('Retention period').fill(period);
      await problem.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Add policy' }).click();
      await problem.waitFor();
      expect(await page.getByLabel('Retention period').inputValue()).toBe(period);
    }
  });

  it('show the type of records of an extension that is not loaded', async () => {
    const id = await createPolicy('Of an extension');
    await app.platform.datastore.db
      .updateTable('retention_policies')
      .set({ data_category: 'shop_orders' })
      .where('id', '=', id)
      .execute();
    const page = await openSignedIn(`/retention/${id}`, {});
    await page.getByText('No loaded extension has this type of record.').waitFor();
    expect(await page.getByLabel('Records').locator('option:checked').innerText()).toBe(
      'Shop orders',
    );
    expect(await page.getByRole('term').filter({ hasText: 'Records' }).count()).toBe(0);
    await page.getByLabel('Name').fill('Orders');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The changes were saved.').waitFor();
  });
});
