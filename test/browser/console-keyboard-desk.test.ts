import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { makeLicence } from '../support/makers.ts';
import { makeUser, signIn } from '../support/users.ts';

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('By keyboard alone, accounts and licences', () => {
  const { app, open, openSignedIn, heading } = useConsole();

  it('users are made, given another role, a new password and an end of their sessions, and deleted', async () => {
    const page = await openSignedIn('/users', CLIPBOARD);
    const keys = atKeyboard(page);
    await keys.press(keys.link('New user'));
    await keys.press(keys.button('Add user'));
    await keys.isAt(page.getByLabel('Login'));
    await page.keyboard.type('grace');
    await keys.type(page.getByLabel('E-mail'), 'grace@example.com');
    await keys.type(page.getByLabel('Role'), 'Subscriber');
    await keys.press(keys.button('Add user'));
    await keys.isAt(page.getByRole('region', { name: 'Password of grace' }));
    await keys.press(keys.button('Copy'));
    await keys.sees('Copied');
    const password = await page.evaluate<string>('navigator.clipboard.readText()');
    expect((await signIn(app.http, { login: 'grace', password })).nonce).toBeTruthy();
    await keys.press(keys.link('← Users'));
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
    await keys.press(keys.button('Reset the password'));
    await keys.sure('Reset');
    await keys.isAt(page.getByRole('region', { name: 'New password of grace' }));
    await keys.press(keys.button('Delete this user'));
    await keys.sure('Delete');
    await keys.isAt(heading(page, 'Users'));
    await keys.press(keys.link('What happened'));
    await keys.sees(page.getByRole('table', { name: 'What happened to users' }));
  });

  it('one’s own password is changed, passwords of programs are made and revoked, and one leaves everywhere', async () => {
    const { login, password } = await makeUser(app.platform, 'editor');
    const { page } = await open('/profile', CLIPBOARD);
    const keys = atKeyboard(page);
    await keys.type(page.getByLabel('Login'), login);
    await keys.type(page.getByLabel('Password', { exact: true }), password);
    await page.keyboard.press('Enter');
    await keys.isAt(heading(page, 'Your account'));
    await keys.type(page.getByLabel('Current password'), password);
    await keys.type(page.getByLabel('New password'), 'short');
    await keys.press(keys.button('Change the password'));
    await keys.isAt(page.getByLabel('New password'));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('long enough');
    await keys.press(keys.button('Change the password'));
    await keys.sees('Your password was changed.');
    await keys.isAt(keys.button('Change the password'));

    for (const name of ['backup', 'mirror']) {
      await keys.type(page.getByLabel('For what'), name);
      await page.keyboard.press('Enter');
      await keys.isAt(page.getByRole('region', { name: `Application password “${name}”` }));
      await keys.press(keys.button('Copy'));
      await keys.sees('Copied');
      await keys.press(keys.button('I have it'));
      await keys.isAt(page.getByLabel('For what'));
    }
    for (const name of ['tests', 'backup', 'mirror']) {
      const revoke = keys.button(`Revoke ${name}`);
      await keys.tabTo(revoke);
      await page.keyboard.press('Enter');
      await keys.sure('Revoke');
      await revoke.waitFor({ state: 'detached' });
      await keys.sees(`“${name}” is refused from now on.`);
    }
    await keys.isAt(page.getByLabel('For what').or(keys.button('Create a password')));
    await keys.press(keys.button('Sign out everywhere'));
    await keys.sure('Sign out');
    await keys.sees(heading(page, 'Sign in'));
  });

  it('licences are issued, found, given a new end, customer and key, stopped, let go on and revoked', async () => {
    const page = await openSignedIn('/licences');
    const keys = atKeyboard(page);
    await keys.press(keys.link('Issue a licence'));
    await keys.isAt(heading(page, 'Issue a licence'));
    await keys.press(keys.button('Issue the licence'));
    await keys.isAt(page.getByLabel('Customer’s e-mail'));
    await page.keyboard.type('desk@example.com');
    await keys.type(page.getByLabel('Tier'), 'Agency');
    await keys.press(page.getByRole('switch', { name: 'Without an end' }), 'Space');
    await keys.press(keys.button('Issue the licence'));
    await keys.isAt(page.getByRole('region', { name: 'Licence key' }));
    await keys.press(keys.button('Issue another'));
    await keys.isAt(heading(page, 'Issue a licence'));
    await keys.press(keys.link('← Licences'));
    await keys.type(page.getByLabel(/^Search by/), 'desk@');
    await keys.type(page.getByLabel('Tier'), 'Agency');
    await keys.sees('1 licence');
    await keys.press(keys.link('desk@example.com'));
    await keys.isAt(heading(page, 'desk@example.com'));

    const forms = [
      ['Move its end', 'Last day'],
      ['Give it a new key', 'The old key'],
      ['Give it to another customer', 'E-mail'],
    ] as const;
    for (const [name, field] of forms) {
      await keys.press(keys.button(name));
      await page.getByLabel(field).waitFor();
      await keys.press(keys.button('Cancel'));
      await keys.isAt(keys.button(name));
    }
    await keys.press(keys.button('Give it to another customer'));
    await keys.isAt(page.getByLabel('E-mail'));
    await page.keyboard.type('other@example.com');
    await page.keyboard.press('Enter');
    await keys.sees(heading(page, 'other@example.com'));
    await keys.isAt(keys.button('Give it to another customer'));
    await keys.tabTo(keys.button('Move its end'));
    await page.keyboard.press('Enter');
    await keys.isAt(page.getByRole('switch', { name: 'Without an end' }));
    await page.keyboard.press('Space');
    await keys.tabTo(page.getByLabel('Last day'));
    // Its calendar comes last: year, month and day are before it.
    for (const _part of ['year', 'month', 'day']) await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('12312031');
    await page.keyboard.press('Enter');
    await keys.sees(/2031 \(UTC\)/);
    await keys.isAt(keys.button('Move its end'));
    await keys.press(keys.button('Give it a new key'));
    await keys.press(keys.button('Make a new key'));
    await keys.isAt(page.getByRole('region', { name: 'New licence key' }));

    await keys.press(keys.button('Suspend'));
    await keys.sure('Suspend');
    await keys.sees(keys.button('Reinstate'));
    await keys.tabTo(keys.button('Reinstate'));
    await page.keyboard.press('Enter');
    await keys.sees(keys.button('Suspend'));
    await keys.press(keys.button('Revoke for good'));
    await keys.sure('Revoke');
    await keys.sees('It is revoked for good.');
  });

  it('sites are taken off a licence', async () => {
    const { id, key } = await makeLicence(app.platform);
    const sites = ['https://one.example.com', 'https://two.example.com'];
    for (const site of sites) await app.http.site('activate', key, site);
    const page = await openSignedIn(`/licences/${id}`);
    const keys = atKeyboard(page);
    for (const site of sites) {
      await keys.press(keys.button(`Release ${site}`));
      await keys.sure('Release');
      await keys.sees(`${site} is off the licence.`);
      await keys.button(`Release ${site}`).waitFor({ state: 'detached' });
    }
    await keys.sees('Sites: 0 of 3 slots in use');
  });

  it('the site’s own licence is kept, changed and removed, and what the server is and takes is read', async () => {
    const { key } = await makeLicence(app.platform);
    const page = await openSignedIn('/system');
    const keys = atKeyboard(page);
    const field = page.getByRole('textbox');
    await keys.type(field, key);
    await page.keyboard.press('Enter');
    await keys.sees('The key was saved.');
    await keys.isAt(field);
    await keys.press(keys.button('Remove'));
    await keys.sure('Remove');
    await keys.sees('The key was removed.');
    await keys.tabTo(keys.link('Readiness'));
    await keys.press(keys.link('Developer'));
    await keys.isAt(heading(page, 'Developer'));
    await keys.tabTo(keys.link('API documentation'));
    await keys.type(page.getByLabel('Search hooks'), 'consent');
    await keys.type(page.getByLabel('Kind'), 'Filters');
    await keys.sees(page.getByRole('table', { name: 'Hooks' }));
  });
});
