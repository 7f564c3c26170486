import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';

describe('New categories of the banner in the console', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_CHROMIUM: 'off' });
  const dsarClient = createDsarClient(app);
  const readConsent = async () => (await dsarClient.admin('GET', '/settings')).json.consent;
  const publish = async (page: Page) => {
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors see this version from now on.').first().waitFor();
  };
  const show = (page: Page, language: string) =>
    page
      .getByRole('group', { name: 'Language of the texts' })
      .getByRole('button', { name: language })
      .click();
  const addCategory = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.getByLabel('Name of category 5').fill(name);
    return page.getByLabel('ID of category 5');
  };
  it('are translated once they have an ID, and keep the translation when it changes', async () => {
    await dsarClient.admin('PUT', '/settings', {
      consent: { languages: ['en', 'de'], translations: [{ language: 'de', title: 'Auswahl' }] },
    });
    const page = await openSignedIn('/banner', {});
    const id = await addCategory(page, 'Chat');
    const name = page.getByLabel('Name of category 5');
    await show(page, 'German');
    expect(await name.isDisabled()).toBe(true);
    await page.getByText('Enter the ID of the category first').first().waitFor();
    await show(page, 'English');
    await id.fill('chat');
    await show(page, 'German');
    await name.fill('Plausch');
    await show(page, 'English');
    await id.fill('');
    await id.pressSequentially('analytics_chat');
    await show(page, 'German');
    expect(await name.inputValue()).toBe('Plausch');
    await publish(page);
    expect((await readConsent()).translations[0].categories).toEqual([
      { id: 'analytics_chat', label: 'Plausch' },
    ]);
    await show(page, 'English');
    expect(await id.getAttribute('readonly')).not.toBeNull();
    const { categories } = await readConsent();
    await dsarClient.admin('PUT', '/settings', { consent: { categories: categories.slice(0, 4) } });
  });

  it('can have an ID that begins with that of another category', async () => {
    const page = await openSignedIn('/banner', {});
    const id = await addCategory(page, 'Counting in Europe');
    await id.pressSequentially('analytics_eu');
    expect(await id.inputValue()).toBe('analytics_eu');
    await page.getByLabel('ID of category 2').and(page.locator('[readonly]')).waitFor();
    await publish(page);
    const ids = (await readConsent()).categories.map((each: { id: string }) => each.id);
    expect(ids).toContain('analytics_eu');
  });

  it('show a refusal that belongs to no field of the page', async () => {
    const page = await openSignedIn('/banner', {});
    await page.route('**/svc/v1/settings', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      const reason = 'consent[translations][0][categories][0][id] must not be empty';
      return route.fulfill({
        status: 400,
        json: {
          code: 'rest_invalid_param',
          message: 'Invalid parameter(s): consent',
          data: { status: 400, params: { consent: reason } },
        },
      });
    });
    await page.getByLabel('Title', { exact: true }).fill('Refused');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page
      .getByRole('alert')
      .getByText(/must not be empty|Invalid parameter/)
      .waitFor();
  });
});
