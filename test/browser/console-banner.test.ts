import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { basicAuth } from '../support/makers.ts';

const POSITIONS = [
  'bottom',
  'top',
  'bottom-left',
  'bottom-right',
  'top-left',
  'top-right',
  'center',
];

describe('Banner settings in the console', () => {
  const { app, openSignedIn, heading } = useConsole();
  const dsarClient = createDsarClient(app);

  const previewIn = (page: Page) =>
    page.getByRole('region', { name: 'Preview of the banner' }).frameLocator('iframe');
  /** The newest preview: the previous one stays until it has loaded. */
  const bannerIn = (page: Page) => previewIn(page).getByRole('dialog').last();
  const save = async (page: Page) => {
    // The message of the previous save may still be visible.
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Publish' }).click();
    await saved;
    await page.getByText('Published. Visitors see this version from now on.').first().waitFor();
  };
  const textsIn = async (language: string) =>
    (await app.http.get(`/wp-json/svc/v1/consent/texts?language=${language}`)).json;

  it('previews unsaved changes without taking the focus', async () => {
    const page = await openSignedIn('/banner');
    const title = page.getByLabel('Title');
    await bannerIn(page).getByRole('heading', { name: 'Your privacy' }).waitFor();
    await page.getByLabel('Position').selectOption('center');
    await title.fill('Your');
    await bannerIn(page).getByRole('heading', { name: 'Your', exact: true }).waitFor();
    // Text that is typed while the focus is elsewhere is lost.
    await page.evaluate(`document.activeElement.addEventListener('blur', ({ target }) => {
      setTimeout(() => { if (document.activeElement !== target) window.wasTaken = true; });
    })`);
    await title.press('End');
    await title.pressSequentially(' choice', { delay: 60 });
    await bannerIn(page).getByRole('heading', { name: 'Your choice' }).waitFor();
    expect(await page.evaluate('window.wasTaken')).toBeUndefined();
    await title.and(page.locator(':focus')).waitFor();
    expect((await textsIn('en')).title).toBe('Your privacy');
    await save(page);
    expect((await textsIn('en')).title).toBe('Your choice');
  });

  it('shows the subject key and code for the server while choices are shared', async () => {
    const page = await openSignedIn('/banner');
    await page.getByLabel('Apply choices on all devices of a person').check();
    await save(page);
    await page.getByText('Subject key and code for your server').click();
    await page.getByRole('button', { name: 'Show subject key' }).click();
    const key = page.getByLabel('Subject key', { exact: true });
    await key.waitFor();
    const first = await key.inputValue();
    expect(first).toMatch(/^[\w-]{43}$/);
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Rotate subject key' }).click();
    await page.getByText('Tokens of the current key stop counting at once').waitFor();
    await page.getByRole('button', { name: 'Rotate now' }).click();
    await expect.poll(() => key.inputValue()).not.toBe(first);
    await page.getByLabel('Apply choices on all devices of a person').uncheck();
    await save(page);
  });

  it('shows the rules of each regime with first day and source', async () => {
    const page = await openSignedIn('/banner');
    await page.getByText(/^Rules on/).click();
    const regimes = page.getByRole('list', { name: 'Regimes' });
    await regimes.getByText('Rules and countries').nth(1).click();
    const rules = regimes.getByRole('list', { name: 'Rules: United Kingdom' });
    const exemption = rules.getByRole('listitem').filter({ hasText: 'statistics and appearance' });
    await exemption.getByText('Since 5 Feb 2026').waitFor();
    const source = exemption.getByRole('link', { name: /Data \(Use and Access\) Act 2025/ });
    expect(await source.getAttribute('href')).toBe(
      'https://www.legislation.gov.uk/ukpga/2025/18/section/112',
    );
    await isForEverybody(page);
  });

  it('saves which rules apply, and says why one is refused', async () => {
    const page = await openSignedIn('/banner');
    await page.getByLabel('Ask by the rules of each country').check();
    const choose = async (country: string) => {
      await page.getByLabel('Country', { exact: true }).selectOption(country);
      await page.getByRole('button', { name: 'Add rules for this country' }).click();
      await page.getByLabel(`Rules for ${country}`, { exact: true }).selectOption('United States');
    };
    await choose('Canada');
    await page.getByText('Pavis does not know the law of this country.').waitFor();
    await choose('Germany');
    await page.getByLabel('Time after a refusal (days)').fill('365');
    await page.getByLabel('Own use of category 2').selectOption('statistics');
    await isForEverybody(page);

    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Must not be laxer than the rules for DE.').waitFor();
    await page
      .getByLabel('Rules for Germany', { exact: true })
      .and(page.locator(':focus'))
      .waitFor();
    await page.getByRole('button', { name: 'Remove rules for Germany' }).click();
    await save(page);

    const headers = await basicAuth(app.platform);
    const { consent } = (await app.http.get('/wp-json/svc/v1/settings', { headers })).json;
    expect(consent.regimes).toEqual({
      mode: 'by_country',
      overrides: [{ country: 'CA', regime: 'us' }],
    });
    expect(consent.refused_until_days).toBe(365);
    expect(consent.categories[1]).toMatchObject({ id: 'analytics', own_use: 'statistics' });
  });

  it('lets you try the banner without storing a choice, and shows it again after the next change', async () => {
    const page = await openSignedIn('/banner');
    const asked: string[] = [];
    page.on('request', (request) =>
      asked.push(`${request.method()} ${new URL(request.url()).pathname}`),
    );
    await bannerIn(page).getByRole('button', { name: 'Manage preferences' }).click();
    await bannerIn(page).getByRole('switch', { name: 'Analytics' }).click();
    await page.getByLabel('Name of category 2').fill('Counting');
    await bannerIn(page).getByRole('switch', { name: 'Counting' }).waitFor();
    await bannerIn(page).getByRole('button', { name: 'Accept all' }).click();
    await bannerIn(page).waitFor({ state: 'hidden' });
    await page.getByLabel('Title').fill('Once more');
    await bannerIn(page).getByRole('heading', { name: 'Once more' }).waitFor();
    // Measuring colours stores nothing.
    const posts = asked.filter((each) => each.startsWith('POST'));
    expect(posts.filter((each) => !each.endsWith('/consent/banner/appearance'))).toEqual([]);
    const cookies = (await page.context().cookies()).map(({ name }) => name);
    expect(cookies.filter((name) => name.startsWith('pavis_consent'))).toEqual([]);
    expect(await page.evaluate('Object.keys(localStorage).join()')).not.toContain('pavis_queue');
  });

  it('previews the placeholder and loads its content without requests to third parties', async () => {
    const page = await openSignedIn('/banner');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.getByLabel('Position').selectOption('bottom');
    const placeholder = previewIn(page).locator('figure > div');
    // That of the previous position stays until the new one is drawn.
    await placeholder.getByText('films.example').last().waitFor();
    await page.getByLabel('Blocked-content placeholder').fill('Waits: {host}');
    await page.getByLabel('Load once').fill('Let me see');
    await placeholder.getByText(/^Waits: films\.example/).waitFor();
    expect(await placeholder.count()).toBe(1);
    await placeholder.getByRole('button', { name: 'Let me see' }).click();
    await placeholder.waitFor({ state: 'detached' });
    await page.getByLabel('Load once').fill('Show it');
    await placeholder.getByRole('button', { name: 'Show it' }).waitFor();
    await bannerIn(page).getByRole('button', { name: 'Accept all' }).click();
    await placeholder.waitFor({ state: 'detached' });
    expect([...new Set(asked)]).toEqual([app.url]);
  });

  it('previews each position on desktop and phone, and both themes', async () => {
    const page = await openSignedIn('/banner');
    const preview = page.getByRole('region', { name: 'Preview of the banner' });
    const show = async (name: string) => {
      const button = preview.getByRole('button', { name, exact: true });
      await button.click();
      expect(await button.getAttribute('aria-pressed')).toBe('true');
    };
    for (const [screen, width] of [
      ['Desktop', '1024'],
      ['Phone', '360'],
    ] as const) {
      await show(screen);
      expect(await preview.locator('iframe').getAttribute('width')).toBe(width);
      for (const position of POSITIONS) {
        await page.getByLabel('Position').selectOption(position);
        await previewIn(page).locator(`dialog[data-position=${position}]`).waitFor();
      }
    }
    for (const scheme of ['dark', 'light']) {
      await show(scheme === 'dark' ? 'Dark' : 'Light');
      const host = previewIn(page).locator(`pavis-banner[style*="color-scheme: ${scheme}"]`);
      await host.waitFor({ state: 'attached' });
    }
  });

  const add = async (page: Page, name: string, typed = name) => {
    await page.getByRole('combobox', { name: 'Add a language' }).fill(typed);
    await page.getByRole('option', { name }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  };

  it('adds a language with its texts, which need a review until they are marked as reviewed', async () => {
    // A modal banner takes the focus for a moment whenever the preview is drawn, which closes the list of languages.
    await dsarClient.admin('PUT', '/settings', { consent: { position: 'bottom' } });
    const page = await openSignedIn('/banner');
    const language = page.getByRole('button', { name: /^French/ });
    const review = page.getByRole('button', { name: 'Mark as reviewed' });
    const isFlagged = async () =>
      (await dsarClient.admin('GET', '/settings')).json.consent.translations.find(
        (each: { language: string }) => each.language === 'fr',
      ).needs_review;
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.getByLabel('Name of category 5').fill('Video');
    await page.getByLabel('ID of category 5').fill('video');
    await add(page, 'French · Français', 'français');
    await page.getByRole('status').getByText('1 text missing').waitFor();
    await page.getByText('Machine-translated, please review').waitFor();
    await page.getByText('categories that you added: Video.').waitFor();
    await page.getByLabel('Name of category 5').fill('Vidéo');
    await language.getByText('Needs review').waitFor();
    await bannerIn(page).getByRole('button', { name: 'Tout refuser' }).waitFor();
    await save(page);
    // Changing a text is no review of the others.
    await page.getByLabel('Title').fill('Vos données');
    await save(page);
    expect([await isFlagged(), (await textsIn('fr')).title]).toEqual([true, 'Vos données']);

    const { asked_since } = await textsIn('fr');
    await review.click();
    await language.getByText('Complete').waitFor();
    await save(page);
    expect([await isFlagged(), (await textsIn('fr')).asked_since]).toEqual([
      undefined,
      asked_since,
    ]);
    await page.getByRole('link', { name: 'Version history' }).click();
    const change = page.locator('.mantine-DataList-item', { hasText: 'French · Needs review' });
    await change.getByText('Yes').waitFor();
  });

  it('shows texts from right to left in the form and the preview', async () => {
    const page = await openSignedIn('/banner');
    await add(page, 'Arabic · العربية', 'Arabic');
    const banner = bannerIn(page);
    await banner.getByRole('button', { name: 'رفض الكل' }).waitFor();
    expect(await banner.getAttribute('dir')).toBe('rtl');
    await page.locator('[dir=rtl]').getByLabel('Title').waitFor();
  });

  it('adds and removes a language without texts, counts missing texts and falls back to the first language', async () => {
    const page = await openSignedIn('/banner');
    await add(page, 'Canadian French (fr-CA)', 'fr-ca');
    await page.getByRole('status').getByText('35 texts missing').waitFor();
    expect(await page.getByText('Machine-translated').count()).toBe(0);
    await page.getByLabel('Title').fill('Vos choix');
    await page.getByLabel('Name of category 2').fill('Statistiques');
    await page.getByRole('status').getByText('33 texts missing').waitFor();
    await bannerIn(page).getByRole('heading', { name: 'Vos choix' }).waitFor();
    await save(page);
    const texts = await textsIn('fr-CA');
    expect(texts).toMatchObject({ language: 'fr-CA', title: 'Vos choix' });
    expect(texts.accept_text).toBe('Accept all');
    expect(texts.categories.analytics.label).toBe('Statistiques');
    expect(texts.categories.analytics.description).toMatch(/^Measures visits/);

    await page.getByRole('button', { name: 'Remove Canadian French' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await save(page);
    expect((await textsIn('fr-CA')).language).toBe('fr');
  });

  it('shows a server error that belongs to no visible field', async () => {
    const page = await openSignedIn('/banner');
    await page
      .getByRole('checkbox', { name: 'Strictly necessary (always active): category 1' })
      .uncheck();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('At least one category must be required').waitFor();
  });

  it('keeps every published version and highlights changed words', async () => {
    const page = await openSignedIn('/banner');
    await page.getByLabel('Message', { exact: true }).fill('We use cookies to count visits.');
    await save(page);
    await page.getByLabel('Message', { exact: true }).fill('We use cookies to count every visit.');
    await page.getByLabel('Consent lifetime (days)').fill('180');
    await save(page);
    await page.getByRole('link', { name: 'Version history' }).click();
    await heading(page, 'Banner versions').waitFor();
    await page.getByText('2 changes').waitFor();
    const message = page.locator('.mantine-DataList-item', { hasText: 'Message' });
    expect(await message.locator('del').allTextContents()).toEqual(['visits']);
    expect(await message.locator('ins').allTextContents()).toEqual(['every visit']);
    await bannerIn(page).getByText('We use cookies to count every visit.').waitFor();

    const compared = page.getByLabel('Compare with');
    await compared.selectOption({ index: (await compared.locator('option').count()) - 1 });
    await page.locator('.mantine-DataList-root').getByText('Title').first().waitFor();
    await page.getByRole('link', { name: 'Version 1', exact: true }).click();
    await page.getByText('This is the first version.', { exact: true }).waitFor();
    await bannerIn(page).getByRole('heading', { name: 'Your privacy' }).waitFor();
  });
});
