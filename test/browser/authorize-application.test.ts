import { describe, expect, it } from 'vitest';
import { DESK, isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { basic, makeUser } from '../support/users.ts';

const PAGE = '/../wp-admin/authorize-application.php';

describe('The page that authorises an application', () => {
  const { app, open, openSignedIn } = useConsole();

  it('offers what the form of the console offers, in its words and order', async () => {
    const page = await openSignedIn('/profile');
    await page.getByLabel('Rights').selectOption('chosen');
    await page.getByLabel('Read vendors', { exact: true }).waitFor();
    const inConsole = {
      lives: await page.getByLabel('Expiry').locator('option').allTextContents(),
      rights: await page.getByLabel('Rights').locator('option').allTextContents(),
      scopes: await page
        .getByRole('group', { name: 'What it can do' })
        .locator('label')
        .allTextContents(),
    };
    await page.goto(`${app.url}/admin${PAGE}`);
    const lives = page.getByLabel('Expiry');
    const onPage = {
      lives: await lives.locator('option').allTextContents(),
      rights: await page.getByRole('group', { name: 'Rights' }).locator('label').allTextContents(),
      scopes: await page.locator('.scopes label').allTextContents(),
    };
    expect(onPage).toEqual(inConsole);
    expect(await lives.inputValue()).toBe('');
    expect(await page.getByLabel('All rights of the user').isChecked()).toBe(true);
    await page.context().close();
  });

  it('limits an application by keyboard alone, and is accessible in every state', async () => {
    const { login, password } = await makeUser(app.platform);
    const { page, faults } = await open(`${PAGE}?app_name=Reports`);
    await isForEverybody(page);
    await page.getByLabel('Login').focus();
    await page.keyboard.type(login);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Authorise an application' }).waitFor();
    expect(await page.getByLabel('Read vendors', { exact: true }).isVisible()).toBe(false);
    await isForEverybody(page);
    await page.getByLabel('Name of the application password').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type('30');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('id')).toBe('rights-all');
    await page.keyboard.press('ArrowDown');
    await page.getByLabel('Read vendors', { exact: true }).waitFor();
    await isForEverybody(page);
    await page.setViewportSize(DESK);
    await isForEverybody(page);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('value')).toBe('consent:read');
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    await page.getByRole('alert').getByText('Choose at least one').waitFor();
    await isForEverybody(page);
    expect(await page.getByLabel('Expiry').inputValue()).toBe('30');
    await page.getByLabel('Read vendors', { exact: true }).press('Space');
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    const made = (await page.getByRole('status').textContent()) ?? '';
    const headers = basic(login, made);
    expect((await app.http.get('/wp-json/svc/v1/vendors', { headers })).status).toBe(200);
    expect((await app.http.get('/wp-json/svc/v1/scripts', { headers })).status).toBe(403);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows what an application asks for, without scripts as well', async () => {
    const { login, password } = await makeUser(app.platform);
    const query = 'app_name=Reports&scopes=consent:read,scanner:read,scanner:write';
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open(`${PAGE}?${query}`, { javaScriptEnabled });
      await page.getByLabel('Login').fill(login);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      const starting = page.getByLabel('Start, cancel and delete scans, and decide about findings');
      expect(await starting.isChecked()).toBe(true);
      expect(await page.getByLabel('Read vendors', { exact: true }).count()).toBe(0);
      expect(await page.getByLabel('All rights of the user').count()).toBe(0);
      if (javaScriptEnabled) await isForEverybody(page);
      await starting.uncheck();
      await page.getByLabel('Name of the application password').fill(`R ${javaScriptEnabled}`);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('status').waitFor();
      await page.context().close();
    }
    const { db } = app.platform.datastore;
    const rows = await db
      .selectFrom('application_passwords')
      .select('scopes')
      .where('name', 'like', 'R %')
      .execute();
    expect(rows).toEqual(Array(2).fill({ scopes: '["consent:read","scanner:read"]' }));
  });
});
