import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { makeUser } from '../support/users.ts';

const PASSWORD = 'Current password';

/** Signs in on the sign-in page, which leads to the page that was opened. */
async function enter(page: Page, { login, password }: { login: string; password: string }) {
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

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
    expect(await page.getByLabel(PASSWORD).getAttribute('aria-describedby')).not.toBeNull();
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await page.getByRole('dialog').getByText(hint).waitFor();
    await isForEverybody(page);
    await page.goto(`${app.url}/admin/users/${user.id}`);
    await page.getByText(`Needed to change your email address. ${hint}`).waitFor();
  });
});
