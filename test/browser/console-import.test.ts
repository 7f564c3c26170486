import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { makeUser } from '../support/users.ts';

const fixture = (name: string) => join(import.meta.dirname, '../fixtures/banner-imports', name);

describe('Import from another banner, in the console', () => {
  const { app, open, openSignedIn, heading } = useConsole();
  const dsarClient = createDsarClient(app);
  const readConsent = async () => (await dsarClient.admin('GET', '/settings')).json.consent;

  async function check(page: Page, file: string | { name: string; content: string }) {
    const choosing = page.waitForEvent('filechooser');
    await page.getByLabel('Exported file').click();
    const chosen =
      typeof file === 'string'
        ? file
        : { name: file.name, mimeType: 'application/json', buffer: Buffer.from(file.content) };
    await (await choosing).setFiles(chosen);
    await page.getByRole('button', { name: 'Check the file' }).click();
  }

  it('shows what happens to each line, and puts the settings into the form unpublished', async () => {
    const page = await openSignedIn('/banner');
    await page.getByRole('link', { name: 'Import from another banner' }).click();
    await heading(page, 'Import from another banner').waitFor();
    await check(page, fixture('vanilla-cookieconsent.json'));
    await page
      .getByRole('heading', { name: /^\d+ imported, \d+ changed, \d+ ignored, 2 rejected$/ })
      .waitFor();
    await page.getByText('Visitors are asked again, because of: categories, texts.').waitFor();

    const lines = page.getByRole('table', { name: 'Lines of the file' });
    const row = (text: string) => lines.getByRole('row').filter({ hasText: text });
    await row('categories.ads.readOnly').getByText('Changed').waitFor();
    await row('categories.ads.readOnly')
      .getByText('Category marketing: strictly necessary')
      .waitFor();
    await row('language.translations.it').getByText('Rejected').waitFor();
    expect(await lines.getByText('Imported', { exact: true }).count()).toBe(0);
    const filter = page.getByLabel('Lines of the file').and(page.locator('select'));
    await filter.selectOption('imported');
    await row('language.translations.de.consentModal.title')
      .getByText('Datenschutz in unserem Laden')
      .waitFor();
    const proposals = page.getByRole('table', { name: 'Scripts, cookies and services' });
    await proposals
      .getByRole('row')
      .filter({ hasText: '_gid' })
      .getByText('google-analytics')
      .waitFor();
    await filter.selectOption('rejected');
    await isForEverybody(page);

    const before = await readConsent();
    await page.getByRole('button', { name: 'Edit before publishing' }).click();
    await heading(page, 'Banner').waitFor();
    await expect
      .poll(() => page.getByLabel('Title').inputValue())
      .toBe('Datenschutz in unserem Laden');
    expect(await readConsent()).toEqual(before);
    await page.getByLabel('Title').fill('Ihre Wahl');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
    expect(await readConsent()).toMatchObject({
      title: 'Ihre Wahl',
      accept_text: 'Alle erlauben',
      languages: ['de', 'en', 'pt-BR'],
    });
  });

  it('publishes at once, on a phone', async () => {
    const page = await openSignedIn('/banner/import', { viewport: { width: 390, height: 844 } });
    await page.getByLabel('Language of the texts').fill('de');
    await check(page, fixture('complianz-export.txt'));
    await page.getByText('The file has no texts in en').waitFor();
    await page.locator('[data-cards]').first().waitFor();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await heading(page, 'Banner').waitFor();
    await expect
      .poll(() => page.getByLabel('Title').inputValue())
      .toBe('Ihre Wahl für diesen Shop');
    expect(await readConsent()).toMatchObject({ position: 'bottom-right', expiry_days: 180 });
  });

  it('imports texts only for editors, and says so', async () => {
    const { categories: all, translations } = await readConsent();
    const mine = { id: 'newsletter', label: 'Rundbrief' };
    await dsarClient.admin('PUT', '/settings', {
      consent: {
        categories: [...all, { ...mine, description: '', required: false }],
        translations: translations.map((each: { language: string; categories?: object[] }) =>
          each.language === 'en'
            ? {
                ...each,
                categories: [...(each.categories ?? []), { ...mine, label: 'Newsletter' }],
              }
            : each,
        ),
      },
    });
    const before = await readConsent();
    const { login, password } = await makeUser(app.platform, 'editor');
    const { page } = await open('/sign-in', {});
    await page.context().request.post(`${app.url}/console/session`, { data: { login, password } });
    await page.goto(`${app.url}/admin/banner/import`);
    await check(page, fixture('vanilla-cookieconsent.json'));
    await page.getByText('Your role changes texts, languages and translations only.').waitFor();
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Edit before publishing' }).click();
    await heading(page, 'Banner').waitFor();
    await page.getByLabel('Title').fill('Von der Redaktion');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
    await page.goto(`${app.url}/admin/banner/import`);
    await check(page, fixture('vanilla-cookieconsent.json'));
    await page.getByRole('button', { name: 'Publish now' }).click();
    await heading(page, 'Banner').waitFor();
    const after = await readConsent();
    const toChoices = ({ position, expiry_days, privacy_url, categories }: typeof after) => [
      ...[position, expiry_days, privacy_url],
      categories.map(({ id, required }: { id: string; required: boolean }) => [id, required]),
    ];
    expect(toChoices(after)).toEqual(toChoices(before));
    expect(after).toMatchObject({
      title: 'Datenschutz in unserem Laden',
      languages: ['de', 'en', 'pt-BR'],
    });
    const { categories } = after.translations.find(
      ({ language }: { language: string }) => language === 'en',
    );
    expect(categories).toContainEqual({ ...mine, label: 'Newsletter' });
  });

  it('says why a file cannot be read', async () => {
    const page = await openSignedIn('/banner/import');
    const alert = page.getByRole('alert').filter({ hasText: 'The file could not be read' });
    await check(page, { name: 'config.js', content: 'CookieConsent.run({})' });
    await alert.getByText('The content is not JSON').waitFor();
    await isForEverybody(page);
    await check(page, { name: 'other.json', content: '{"banner": "other"}' });
    await alert.getByText('its format was not recognised').waitFor();
    await check(page, { name: 'big.json', content: ' '.repeat(300_000) });
    await alert.getByText('larger than 256 KiB').waitFor();
  });
});
