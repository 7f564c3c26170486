import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { makeUser, signIn } from '../support/users.ts';

const PASSWORD = 'Current password';

/** Signs in on the sign-in page, which leads to the page that was opened. */
async function enter(page: Page, { login, password }: { login: string; password: string }) {
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('The own account in the console', () => {
  const { app, open, heading } = useConsole();

  it('changes the email address with the current password, by keyboard, for every role', async () => {
    const taken = await makeUser(app.platform);
    for (const role of ['subscriber', 'editor', 'viewer'] as const) {
      const user = await makeUser(app.platform, role);
      const { page, faults } = await open('/profile');
      await enter(page, user);
      await heading(page, 'Your account').waitFor();
      const keys = atKeyboard(page);
      const email = page.getByRole('textbox', { name: 'Email' });
      expect(await email.inputValue()).toBe(user.email);
      await email.fill('no address');
      await keys.press(page.getByRole('button', { name: 'Change email address' }));
      await keys.sees('Enter an email address, for example ada@example.com.');
      await isForEverybody(page);
      // The server changes nothing then, and does not look at the password.
      await email.fill(` ${user.email.toUpperCase()}`);
      await keys.press(page.getByRole('button', { name: 'Change email address' }));
      await keys.sees('Enter another address.');
      await email.fill(taken.email);
      await keys.press(page.getByRole('button', { name: 'Change email address' }));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(PASSWORD).fill('a guess');
      await page.keyboard.press('Enter');
      await keys.sees('The current password is wrong.');
      await keys.isAt(dialog.getByLabel(PASSWORD));
      await isForEverybody(page);
      await dialog.getByLabel(PASSWORD).fill(user.password);
      await page.keyboard.press('Enter');
      await keys.sees(/A user has the address .* already/);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await email.fill(`Moved-${user.email}`);
      await keys.press(page.getByRole('button', { name: 'Change email address' }));
      await dialog.getByLabel(PASSWORD).fill(user.password);
      await page.keyboard.press('Enter');
      await keys.sees('Your email address was changed.');
      await page.getByText(`, moved-${user.email}`).waitFor();
      await expect.poll(() => email.inputValue()).toBe(`moved-${user.email}`);
      await signIn(app.http, { login: `moved-${user.email}`, password: user.password });
      expect(faults).toEqual([]);
    }
  });
});

const OIDC = { PAVIS_OIDC_ISSUER: 'http://127.0.0.1:1', PAVIS_OIDC_CLIENT_ID: 'pavis' };

describe.each([
  [{}, 'If you have none, because you sign in with single sign-on, ask an administrator to reset'],
  [
    { PAVIS_SMTP_URL: 'smtp://127.0.0.1:1' },
    'If you have none, because you sign in with single sign-on, set one with “Forgot your password?”',
  ],
])('The own account with single sign-on and %o', (env, hint) => {
  const { app, open, heading } = useConsole({ ...OIDC, ...env });

  it('says at each field for the current password how to get one', async () => {
    const user = await makeUser(app.platform);
    const { page } = await open('/profile');
    await enter(page, user);
    await heading(page, 'Your account').waitFor();
    await page.getByText(hint).waitFor();
    const field = page.getByLabel(PASSWORD, { exact: true });
    expect(await field.getAttribute('aria-describedby')).not.toBeNull();
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await page.getByRole('dialog').getByText(hint).waitFor();
    await isForEverybody(page);
    await page.goto(`${app.url}/admin/users/${user.id}`);
    await page.getByText(`Needed to change your email address. ${hint}`).waitFor();
  });
});
