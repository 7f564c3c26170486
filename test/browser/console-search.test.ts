import { describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { makeLicence } from '../support/makers.ts';

describe('The global search of the console', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('opens with the keyboard and finds pages, choices, customers and licences', async () => {
    const { id, email } = await makeLicence(app.platform, { email: 'ada@search.example' });
    await app.http.site('activate', (await makeLicence(app.platform)).key, 'https://one.example');
    const page = await openSignedIn('/');
    await heading(page, 'Overview').waitFor();
    const field = page.getByRole('combobox', { name: 'Search' });
    const find = async (text: string, result: RegExp) => {
      await page.keyboard.press('ControlOrMeta+K');
      await field.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
      const found = page.getByRole('dialog').getByRole('option', { name: result });
      await found.first().waitFor();
      return found;
    };

    await find('retent', /^Retention/);
    await isForEverybody(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('ArrowDown');
    // What screen readers say of the arrow keys.
    const selected = page.getByRole('option', { selected: true });
    await expect.poll(() => selected.getAttribute('id')).toBe('page-/retention');
    expect(await field.getAttribute('aria-activedescendant')).toBe('page-/retention');
    await page.locator('[aria-live]').getByText('1 result').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Retention').waitFor();

    await find('s', /^Scanner/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const marked = await page.locator('[role=option][data-selected]').getAttribute('id');
    expect(marked).not.toBe('page-/scanner');
    await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe(marked);
    await page.keyboard.press('Escape');

    const choice = { visitor_id: 'searched-visitor', consent_action: 'manage' };
    await app.http.post('/wp-json/svc/v1/consent', { body: choice });
    await find('searched-visitor', /Customised$/);

    await find(email, /1 licence$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, email).waitFor();

    await find(id, /active$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/licences/${id}`);
  });

  it('finds a licence by its full key, and keeps it out of addresses', async () => {
    const { key, id } = await makeLicence(app.platform);
    const page = await openSignedIn('/');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('combobox', { name: 'Search' }).fill(key);
    const found = page.getByRole('dialog').getByRole('option', { name: key.slice(-4) });
    await found.click();
    await page.waitForURL(`**/licences/${id}`);
    expect(asked.join('\n')).not.toContain(key);
  });

  it('exports the licences that the filters show', async () => {
    const page = await openSignedIn('/licences?status=active&expires_within=30');
    const link = page.getByRole('link', { name: 'CSV' });
    const { searchParams } = new URL((await link.getAttribute('href')) ?? '', app.url);
    expect([searchParams.get('status'), searchParams.get('expires_within')]).toEqual([
      'active',
      '30',
    ]);
  });

  it('exports a list that has been open for a day, and shows the sign-in once the session has expired', async () => {
    const page = await openSignedIn('/data-map');
    const csv = page.getByRole('link', { name: 'CSV' });
    await csv.waitFor();
    app.clock.advance(25 * 3_600_000);
    const download = page.waitForEvent('download');
    await csv.click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    await page.context().clearCookies();
    await csv.click();
    await heading(page, 'Sign in').waitFor();
  });

  it('leaves the page and its input as they are if it cannot be loaded', async () => {
    // The page of an earlier test could have it in its cache.
    const page = await openSignedIn('/vendors/new', {});
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Typed before');
    await page.route('**/assets/search-*', (route) => route.abort());
    await page.keyboard.press('ControlOrMeta+K');
    await page.getByText('The search could not be loaded.').waitFor();
    expect(await name.inputValue()).toBe('Typed before');
  });

  it('says that a search has failed', async () => {
    const page = await openSignedIn('/');
    await heading(page, 'Overview').waitFor();
    await page.route('**/vendors?search=*', (route) => route.abort());
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('combobox', { name: 'Search' }).fill('nothing has this');
    await page.locator('[aria-live]').getByText('The search failed.').waitFor();
  });
});
