import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { atKeyboard } from '../support/keyboard.ts';

describe('Validation of the banner settings', () => {
  const { app, openSignedIn } = useConsole();
  const dsarClient = createDsarClient(app);
  beforeAll(async () => {
    await dsarClient.admin('PUT', '/settings', {
      consent: {
        languages: ['en', 'de', 'fr'],
        translations: [
          { language: 'fr', title: 'Vos choix' },
          { language: 'de', title: 'Ihre Wahl' },
        ],
      },
    });
  });

  const texts = (page: Page, language: string | RegExp) =>
    page
      .getByRole('group', { name: 'Language of the texts' })
      .getByRole('button', { name: language });
  const isShown = (page: Page, language: string) =>
    page.locator('[aria-pressed=true]', { hasText: language }).waitFor();
  const save = (page: Page) => page.getByRole('button', { name: 'Publish' }).click();

  it('switches from another language to the first one and focuses the invalid field', async () => {
    const page = await openSignedIn('/banner');
    const keys = atKeyboard(page);
    await keys.type(page.getByLabel('Name of category 2'), ' ');
    await keys.press(texts(page, /^German/));
    await isShown(page, 'German');
    await keys.press(keys.button('Publish'));
    await isShown(page, 'English');
    await keys.isAt(page.getByLabel('Name of category 2'));
    await keys.sees('Enter a name.');
    await isForEverybody(page);
  });

  it('focuses the first invalid field when only the first language was opened', async () => {
    const page = await openSignedIn('/banner');
    await page.getByLabel('Consent lifetime (days)').fill('9999');
    await page.getByLabel('Privacy policy', { exact: true }).fill('our policy');
    await save(page);
    const keys = atKeyboard(page);
    await keys.isAt(page.getByLabel('Consent lifetime (days)'));
    await keys.sees('Enter a whole number from 1 to 3,650.');
    await keys.sees('Enter the full URL');
  });

  it('refuses a corner radius and a height of the logo beyond their limits', async () => {
    const page = await openSignedIn('/banner');
    const refused: string[] = [];
    page.on('response', (response) => {
      // The image of the logo does not exist.
      const isOfServer = !response.url().endsWith('/logo.svg');
      if (response.status() >= 400 && isOfServer) refused.push(response.url());
    });
    await page.getByText('Colours, font, buttons and logo').click();
    await page.getByLabel('Corner radius (px)').fill('99');
    await page.getByLabel('Logo address').fill('/logo.svg');
    await page.getByLabel('Height of the logo (px)').fill('');
    await save(page);
    const keys = atKeyboard(page);
    await keys.isAt(page.getByLabel('Corner radius (px)'));
    await keys.sees('Enter a whole number from 0 to 32.');
    await keys.sees('Enter a whole number from 16 to 96.');
    // The preview shows the rest.
    expect(refused).toEqual([]);
    await page.getByLabel('Corner radius (px)').fill('12');
    await page.getByLabel('Height of the logo (px)').fill('40');
    await expect.poll(() => page.getByText('Enter a whole number').count()).toBe(0);
    await save(page);
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
  });

  it('shows server errors beside their field, in the language of the text', async () => {
    const page = await openSignedIn('/banner?language=de');
    const keys = atKeyboard(page);
    const accept = page.getByRole('textbox', { name: /^Accept button/ });
    await accept.fill('Ja'.repeat(51));
    await texts(page, /^French/).click();
    await isShown(page, 'French');
    await page.getByLabel('Name of category 3').fill('Publicité '.repeat(21).trim());
    await texts(page, /^English/).click();
    await save(page);
    // Translations are validated in the order in which they were added.
    await isShown(page, 'French');
    await keys.isAt(page.getByLabel('Name of category 3'));
    await keys.sees('Must be at most 200 characters long');
    await page.getByLabel('Name of category 3').fill('Publicité');
    await expect.poll(() => page.getByText('Must be at most').count()).toBe(0);
    await save(page);
    await isShown(page, 'German');
    await keys.isAt(accept);
    await keys.sees('Must be at most 100 characters long');
    await isForEverybody(page);
    await accept.fill('Ja');
    await texts(page, /^English/).click();
    await page.getByLabel('Title').fill('T'.repeat(201));
    await texts(page, /^German/).click();
    await save(page);
    await isShown(page, 'English');
    await keys.isAt(page.getByLabel('Title'));
    await page.getByLabel('Title').fill('Your choice');
    await save(page);
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
  });

  it('shows an error that belongs to no field', async () => {
    const page = await openSignedIn('/banner?language=de');
    await texts(page, /^English/).click();
    const names = page.getByLabel(/^Name of category/);
    for (let made = await names.count(); made < 21; made += 1) {
      await page.getByRole('button', { name: 'Add category' }).click();
      await names.nth(made).fill(`Category ${made}`);
      await page.getByLabel(`ID of category ${made + 1}`).fill(`category-${made}`);
    }
    await save(page);
    await page.getByText('at most 20').waitFor();
  });
});

describe('Validation of a form', () => {
  const { app, open, openSignedIn } = useConsole();

  it('tells screen readers of empty fields of the sign-in form only after it was sent', async () => {
    const { page } = await open('/sign-in');
    const keys = atKeyboard(page);
    await page.getByLabel('Login').waitFor();
    // Firefox says "invalid entry" of these.
    expect(await page.locator('form :invalid').count()).toBe(0);
    await keys.press(keys.button('Sign in'));
    await keys.sees('Enter your login.');
    await keys.sees('Enter your password.');
    await keys.isAt(page.getByLabel('Login'));
    await isForEverybody(page);
  });

  it('tells screen readers of empty fields of other forms only after they were sent', async () => {
    const page = await openSignedIn('/licences/bulk');
    const keys = atKeyboard(page);
    const isNoneInvalid = async () => expect(await page.locator('form :invalid').count()).toBe(0);
    await page.getByLabel('Table').waitFor();
    await isNoneInvalid();
    await keys.press(keys.button('Check the table'));
    await keys.sees('Enter a table or choose a file.');
    await keys.isAt(page.getByLabel('Table'));

    const { id } = await createDsarClient(app).request();
    await page.goto(`${app.url}/admin/requests/${id}`);
    await keys.press(keys.button('Refuse'));
    await page.getByLabel('Ground').waitFor();
    await isNoneInvalid();
    await keys.press(keys.button('Refuse'));
    await keys.sees('Choose a ground.');
    await keys.sees('Enter a reason.');
    await keys.isAt(page.getByLabel('Ground'));
    // A screen reader says the chosen option and then the error.
    expect(await page.getByText('Choose a ground').count()).toBe(1);
    await keys.press(keys.button('Add note'));
    await keys.sees('Enter a note.');
    await keys.isAt(page.getByLabel('Note'));
    await isForEverybody(page);
  });

  it('focuses the first checkbox of a group in which a choice is missing', async () => {
    const page = await openSignedIn('/licences/api-tokens');
    const keys = atKeyboard(page);
    const name = page.getByLabel('Name');
    await name.fill('Shop');
    await name.press('Enter');
    const first = page.getByRole('checkbox', { name: 'licences:read' });
    await keys.isAt(first);
    // Screen readers say the description of a group that the focus enters.
    const group = page.getByRole('group', { name: 'Scopes' }).filter({ has: first });
    const described = (await group.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const error = page.getByText('Choose at least one scope.');
    expect(described).toContain(await error.getAttribute('id'));
  });

  it('focuses an invalid field again that the form was sent from', async () => {
    const page = await openSignedIn('/settings');
    const email = page.getByLabel('Email', { exact: true });
    await email.fill('nobody');
    // Screen readers say the error only when the field gets the focus.
    await email.evaluate((field) => {
      field.addEventListener('focus', () => field.setAttribute('data-focused', ''));
    });
    await email.press('Enter');
    await expect.poll(() => email.getAttribute('data-focused')).toBe('');
    await atKeyboard(page).isAt(email);
  });

  it('names a switch without its description, which describes it', async () => {
    const page = await openSignedIn('/settings');
    const accept = page.getByRole('switch', { name: 'Accept requests', exact: true });
    await accept.waitFor();
    const description = await accept.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${description}"]`).innerText()).toMatch(/^By the form/);
    await page.goto(`${app.url}/admin/consent/log`);
    await page.getByRole('switch', { name: 'Email the day’s checkpoint', exact: true }).waitFor();
  });

  it('keeps a message while the focus is within it', async () => {
    const page = await openSignedIn('/settings');
    await page.clock.install();
    await page.getByRole('button', { name: 'Save scanner settings' }).click();
    const close = page.getByRole('button', { name: 'Close this message' });
    await close.focus();
    await page.clock.runFor(20_000);
    expect(await close.count()).toBe(1);
    await page.getByLabel('Pages per scan').focus();
    await page.clock.runFor(7_000);
    await close.waitFor({ state: 'detached' });
  });
});
