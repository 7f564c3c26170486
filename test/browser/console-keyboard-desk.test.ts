import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { makeLicence } from '../support/makers.ts';
import { makeUser, signIn } from '../support/users.ts';

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('Keyboard-only use of accounts and licences', () => {
  const { app, open, openSignedIn, heading } = useConsole();

  it('adds a user, changes the role, ends sessions, resets the password and deletes the user', async () => {
    const page = await openSignedIn('/users', CLIPBOARD);
    const keys = atKeyboard(page);
    await keys.press(keys.link('New user'));
    await keys.press(keys.button('Add user'));
    await keys.isAt(page.getByLabel('Login'));
    await page.keyboard.type('grace');
    await keys.type(page.getByLabel('Email'), 'grace@example.com');
    await keys.type(page.getByLabel('Role'), 'Subscriber');
    await keys.press(keys.button('Add user'));
    await keys.isAt(page.getByRole('region', { name: 'Password of grace' }));
    await keys.press(keys.button('Copy password of grace'));
    await keys.sees('Copied');
    const password = await page.evaluate<string>('navigator.clipboard.readText()');
    expect((await signIn(app.http, { login: 'grace', password })).nonce).toBeTruthy();
    await keys.press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link'));
    await keys.type(page.getByLabel('Role'), 'Subscriber');
    await keys.press(keys.link('grace'));
    await keys.isAt(heading(page, 'grace'));
    await keys.type(page.getByLabel('Role'), 'Editor');
    await keys.press(keys.button('Save changes'));
    await keys.sees('The changes were saved.');
    await keys.isAt(keys.button('Save changes'));
    await keys.press(keys.button('Sign out everywhere'));
    await keys.sure('Sign out');
    await keys.sees(/grace is signed out everywhere\.$/);
    await keys.isAt(keys.button('Sign out everywhere'));
    await keys.press(keys.button('Reset password'));
    await keys.sure('Reset');
    await keys.isAt(page.getByRole('region', { name: 'New password of grace' }));
    await keys.press(keys.button('Delete user'));
    await keys.sure('Delete');
    await keys.isAt(heading(page, 'Users'));
    await keys.press(keys.link('Activity log'));
    await keys.sees(page.getByRole('table', { name: 'User activity log' }));
  });

  it('changes your password, creates and revokes application passwords, and signs out everywhere', async () => {
    const { login, password } = await makeUser(app.platform, 'editor');
    const { page } = await open('/profile', CLIPBOARD);
    const keys = atKeyboard(page);
    await keys.type(page.getByLabel('Login'), login);
    await keys.type(page.getByLabel('Password', { exact: true }), password);
    await page.keyboard.press('Enter');
    await keys.isAt(heading(page, 'Your account'));
    await keys.type(page.getByLabel('Current password', { exact: true }), password);
    await keys.type(page.getByLabel('New password', { exact: true }), 'short');
    await keys.press(keys.button('Change password'));
    await keys.isAt(page.getByLabel('New password', { exact: true }));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('long enough');
    await keys.press(keys.button('Change password'));
    await keys.sees('Your password was changed.');
    await keys.isAt(keys.button('Change password'));

    for (const name of ['backup', 'mirror']) {
      await keys.type(page.getByLabel('Name', { exact: true }), name);
      await page.keyboard.press('Enter');
      await keys.isAt(page.getByRole('region', { name: `Application password “${name}”` }));
      await keys.press(keys.button(`Copy application password “${name}”`));
      await keys.sees('Copied');
      await keys.press(keys.button('Done'));
      await keys.isAt(page.getByLabel('Name', { exact: true }));
    }
    for (const name of ['tests', 'backup', 'mirror']) {
      const revoke = keys.button(`Revoke ${name}`);
      await keys.tabTo(revoke);
      await page.keyboard.press('Enter');
      await keys.sure('Revoke');
      await revoke.waitFor({ state: 'detached' });
      await keys.sees(`“${name}” was revoked.`);
    }
    await keys.isAt(
      page.getByLabel('Name', { exact: true }).or(keys.button('Create application password')),
    );
    await keys.press(keys.button('Sign out everywhere'));
    await keys.sure('Sign out');
    await keys.sees(heading(page, 'Sign in'));
  });

  it('issues, finds, transfers, suspends, reinstates and revokes a licence, and changes expiry and key', async () => {
    const page = await openSignedIn('/licences');
    const keys = atKeyboard(page);
    await keys.press(keys.link('Issue a licence'));
    await keys.isAt(heading(page, 'Issue a licence'));
    await keys.press(keys.button('Issue the licence'));
    await keys.isAt(page.getByLabel('Customer email'));
    await page.keyboard.type('desk@example.com');
    await keys.type(page.getByLabel('Tier'), 'Agency');
    await keys.press(page.getByRole('switch', { name: 'No expiry' }), 'Space');
    await keys.press(keys.button('Issue the licence'));
    await keys.isAt(page.getByRole('region', { name: 'Licence key' }));
    await keys.press(keys.button('Issue another'));
    await keys.isAt(heading(page, 'Issue a licence'));
    await keys.press(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link'));
    await keys.type(page.getByLabel(/^Email, site URL, ID/), 'desk@');
    await keys.type(page.getByLabel('Tier'), 'Agency');
    await keys.sees('1 licence');
    await keys.press(keys.link('desk@example.com'));
    await keys.isAt(heading(page, 'desk@example.com'));

    const forms = [
      ['Change expiry', 'Paid until'],
      ['Rotate key', 'Current key'],
      ['Transfer', 'Email'],
    ] as const;
    for (const [name, field] of forms) {
      await keys.press(keys.button(name));
      await page.getByLabel(field).waitFor();
      await keys.press(keys.button('Cancel'));
      await keys.isAt(keys.button(name));
    }
    await keys.press(keys.button('Transfer'));
    await keys.isAt(page.getByLabel('Email'));
    await page.keyboard.type('other@example.com');
    await page.keyboard.press('Enter');
    await keys.sees(heading(page, 'other@example.com'));
    await keys.isAt(keys.button('Transfer'));
    await keys.tabTo(keys.button('Change expiry'));
    await page.keyboard.press('Enter');
    await keys.isAt(page.getByRole('switch', { name: 'No expiry' }));
    await page.keyboard.press('Space');
    await keys.tabTo(page.getByLabel('Paid until'));
    // The focus is on the calendar button, which follows year, month and day.
    for (const _part of ['year', 'month', 'day']) await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('12312031');
    await page.keyboard.press('Enter');
    await keys.sees(/2031 \(UTC\)/);
    await keys.isAt(keys.button('Change expiry'));
    await keys.press(keys.button('Rotate key'));
    await keys.press(keys.button('Generate new key'));
    await keys.isAt(page.getByRole('region', { name: 'New licence key' }));

    await keys.press(keys.button('Suspend'));
    await keys.type(page.getByLabel('Reason (optional)'), 'Chargeback of order 1001');
    await keys.sure('Suspend');
    await keys.sees('Chargeback of order 1001');
    await keys.sees(keys.button('Reinstate'));
    await keys.tabTo(keys.button('Reinstate'));
    await page.keyboard.press('Enter');
    await keys.sees(keys.button('Suspend'));
    await keys.press(keys.button('Revoke permanently'));
    await keys.sure('Revoke');
    await keys.sees(/^This licence is revoked permanently\./);
  });

  it('deactivates the sites of a licence', async () => {
    const { id, key } = await makeLicence(app.platform);
    const [one, two, three] = ['one', 'two', 'three'].map((name) => `https://${name}.example.com`);
    for (const site of [one, two, three]) await app.http.site('activate', key, `${site}`);
    const page = await openSignedIn(`/licences/${id}`);
    const keys = atKeyboard(page);
    for (const [site, next] of [
      // The focus moves to what followed, or else preceded, also after it was elsewhere in the list.
      [two, three],
      [three, one],
      [one, undefined],
    ]) {
      if (site === two) await keys.tabTo(keys.button(`Deactivate ${one}`));
      await keys.press(keys.button(`Deactivate ${site}`));
      await keys.sure('Deactivate');
      await keys.sees(`${site} was deactivated.`);
      await keys.button(`Deactivate ${site}`).waitFor({ state: 'detached' });
      if (next) await keys.isAt(keys.button(`Deactivate ${next}`));
    }
    await keys.sees('Sites: 0 of 3 activations in use');
  });

  it('saves and removes the site licence key, and searches the hooks of the developer page', async () => {
    const { key } = await makeLicence(app.platform);
    const page = await openSignedIn('/system');
    const keys = atKeyboard(page);
    const field = page.getByLabel(/^(Licence|Replace the) key$/);
    await keys.type(field, key);
    await page.keyboard.press('Enter');
    await keys.sees('Licence key saved.');
    await keys.sees(page.getByText('Never', { exact: true }));
    await keys.isAt(field);
    await keys.press(keys.button('Remove'));
    await keys.sure('Remove');
    await keys.sees('Licence key removed.');
    await keys.press(keys.link('Developer'));
    await keys.isAt(heading(page, 'Developer'));
    await keys.tabTo(keys.link('API documentation'));
    await keys.type(page.getByLabel('Search hooks'), 'scan');
    await keys.type(page.getByLabel('Kind'), 'Filters');
    await keys.sees(page.getByRole('table', { name: 'Hooks' }));
  });
});
