import { describe, expect, it } from 'vitest';
import { DESK, isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { basic, makeUser } from '../support/users.ts';

describe('Application passwords in the console', () => {
  const { app, open, heading } = useConsole();

  it('can be limited to what the user chooses, by keyboard alone', async () => {
    const { login, password } = await makeUser(app.platform);
    const { page, faults } = await open('/profile');
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Reports');
    // By keyboard alone.
    await page.getByLabel('Rights').focus();
    await page.keyboard.type('Only');
    await page.getByLabel('Read vendors', { exact: true }).waitFor();
    await isForEverybody(page);
    await page.getByLabel('Rights').focus();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('value')).toBe('consent:read');
    await page.getByRole('button', { name: 'Create application password' }).press('Enter');
    await page.getByText('Choose at least one.').waitFor();
    await isForEverybody(page);
    await page.getByLabel('Read vendors', { exact: true }).press('Space');
    await page.getByLabel('Read scripts', { exact: true }).press('Space');
    await page.setViewportSize(DESK);
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Create application password' }).press('Enter');
    const made = page.getByRole('textbox', { name: 'Application password “Reports”' });
    const headers = basic(login, await made.inputValue());
    await page.getByText('Limited to vendors:read, scripts:read').waitFor();
    const ask = (path: string) => app.http.get(`/wp-json/svc/v1${path}`, { headers });
    expect((await ask('/vendors')).status).toBe(200);
    expect((await ask('/settings')).status).toBe(403);
    await isForEverybody(page);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
