import { describe, expect, it } from 'vitest';
import { createSetupToken } from '../../src/identity/users/index.ts';
import { axeFinds } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';

describe('The console without an administrator', () => {
  const { app, open, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });

  it('shows how to create one, and creates the first with the set-up link', async () => {
    const { page, faults } = await open('/', { viewport: { width: 360, height: 800 } });
    await page.getByText('No administrator exists yet.').waitFor();
    await page.getByText('npx pavis user create').waitFor();
    const { token } = createSetupToken(app.platform);
    await page.goto(`${app.url}/admin/setup#${token}`);
    await heading(page, 'Create the administrator').waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await page.getByLabel('Login').fill('ada');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('password1234');
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await page.getByText('easy to guess').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await heading(page, 'Overview').waitFor();
    expect(page.url()).toBe(`${app.url}/admin/`);
    expect(faults).toEqual([]);

    const { page: other } = await open(`/setup#${token}`);
    await other.getByLabel('Login').fill('eve');
    await other.getByLabel('Email').fill('eve@example.com');
    await other.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await other.getByRole('button', { name: 'Create administrator' }).click();
    await other.getByRole('alert').getByText('An administrator exists already').waitFor();
    await other.getByRole('alert').getByRole('link', { name: 'Sign in' }).click();
    await heading(other, 'Sign in').waitFor();
    expect(await other.getByText('No administrator exists yet.').count()).toBe(0);
  });
});
