import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { makeLicence } from '../support/makers.ts';
import { makeUser } from '../support/users.ts';

describe('The page of another record in the console', () => {
  const { app, openSignedIn, heading } = useConsole({
    PAVIS_CHROMIUM: 'off',
    PAVIS_PRIVATE_WEBHOOKS: 'on',
  });
  const dsarClient = createDsarClient(app);

  async function find(page: Page, text: string): Promise<void> {
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByRole('combobox', { name: 'Search' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
    await page.getByRole('dialog').getByRole('option', { name: text }).click();
  }

  it('has no text that was written for the record before it', async () => {
    const [one, two] = [await dsarClient.request(), await dsarClient.request()];
    const page = await openSignedIn(`/requests/${two.id}`, {});
    await heading(page, two.reference).waitFor();
    await find(page, one.reference);
    await heading(page, one.reference).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByLabel('Reason').fill('For the first request');
    await page.getByLabel('Note').fill('About the first request');
    await find(page, two.reference);
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Discard changes' })
      .click();
    await heading(page, two.reference).and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('');
    expect(await page.getByLabel('Reason').count()).toBe(0);
    await page.getByRole('button', { name: 'Refuse' }).click();
    expect(await page.getByLabel('Reason').inputValue()).toBe('');
  });

  it('has no key and no form of the licence before it', async () => {
    const { email, id } = await makeLicence(app.platform);
    const other = await makeLicence(app.platform, { email });
    const page = await openSignedIn(`/licences/${id}`, {});
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('button', { name: 'Generate new key' }).click();
    const secret = page.getByRole('region', { name: 'New licence key' });
    await secret.waitFor();
    await page.getByRole('button', { name: 'Change expiry' }).click();
    await page.locator(`a[href$="/licences/${other.id}"]`).click();
    await page.locator('main').getByText(other.id).waitFor();
    expect(await secret.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save expiry' }).count()).toBe(0);
  });

  it('is not left with a question after a user with an edited form was deleted', async () => {
    const { id, login } = await makeUser(app.platform, 'editor');
    const page = await openSignedIn(`/users/${id}`, {});
    await page.getByLabel('Email').fill('not-saved@example.com');
    await page.getByRole('button', { name: 'Delete user' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete ${login}?` });
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await heading(page, 'Users').or(page.getByText('Leave without saving?')).waitFor();
    expect(await page.getByText('Leave without saving?').count()).toBe(0);
  });

  it('is not drawn anew when only its filters change', async () => {
    const { json } = await dsarClient.admin('POST', '/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      event_types: ['licence.issued'],
    });
    const page = await openSignedIn(`/webhooks/${json.id}`, {});
    await heading(page, /^Webhook$/).waitFor();
    await page.evaluate('document.querySelector("h1").dataset.drawn = "before"');
    await page.getByLabel('Status').selectOption({ index: 1 });
    await page.waitForURL(/status=/);
    await page.locator('h1[data-drawn=before]').waitFor();
  });
});
