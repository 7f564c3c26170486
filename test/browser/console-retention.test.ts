import { describe, expect, it } from 'vitest';
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
    await page.getByRole('button', { name: 'Place hold' }).click();
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
});
